import Foundation
import Logging
import NIOCore
import NIOEmbedded
import NIOHPACK
import NIOSSL
import TestSupport
import Testing

@testable import HTTPServer

/// Which versions of TLS and which cipher suites the server has; the client is OpenSSL's.
@Suite("TLS", .defaultTimeLimit)
struct TLSTests {
    private let files: TestCertificates

    init() throws {
        files = try TestCertificates()
    }

    /// - Parameter name: `a` for an elliptic key, `rsa`.
    private func certificate(_ name: String, _ version: TLSMinimumVersion = .tls12) throws -> ServerCertificate {
        try ServerCertificate(
            certificateFile: files.path("\(name).pem"), keyFile: files.path("\(name).key"), minimumVersion: version,
            logger: LogRecorder().logger)
    }

    /// Returns the output of `openssl s_client` for a connection; nil when there is none.
    private func connect(_ port: Int, _ options: String...) async throws -> String? {
        let output = Pipe()
        let client = try ChildProcess(
            "openssl", ["s_client", "-connect", "127.0.0.1:\(port)"] + options, output: output, errors: output)
        let said = await output.fileHandleForReading.allText()
        let isConnected = await client.exitStatus == 0
        return isConnected || said.contains("no application protocol") ? said : nil
    }

    /// The cipher suite of a connection.
    private func suite(_ port: Int, _ version: String, _ ciphers: String) async throws -> String? {
        try await connect(port, "-\(version)", "-cipher", "\(ciphers):@SECLEVEL=0")
            .flatMap { $0.firstMatch(of: /Cipher +: ([A-Z0-9-]+)/).map { String($0.1) } }
    }

    private static let old = ["AES128-SHA", "AES256-SHA", "AES128-GCM-SHA256", "ECDHE-RSA-AES128-SHA"]

    @Test("TLS 1.2 offers only ephemeral keys with authenticated encryption") func current() async throws {
        try await withServer(certificate: certificate("rsa")) { (port) async throws in
            for name in ["ECDHE-RSA-AES128-GCM-SHA256", "ECDHE-RSA-AES256-GCM-SHA384", "ECDHE-RSA-CHACHA20-POLY1305"] {
                #expect(try await suite(port, "tls1_2", name) == name)
            }
            for name in Self.old + ["ECDHE-RSA-AES256-SHA384", "ECDHE-RSA-AES128-SHA256"] {
                #expect(try await suite(port, "tls1_2", name) == nil)
            }
            for version in ["tls1", "tls1_1"] { #expect(try await suite(port, version, "ALL") == nil) }
            #expect(try await connect(port, "-tls1_3")?.contains("TLSv1.3") == true)
        }
    }

    @Test("Only the listed suites of all that OpenSSL has are accepted", arguments: ["rsa", "a"])
    func weak(_ name: String) async throws {
        let rest = "ALL:COMPLEMENTOFALL:-ECDHE+AESGCM:-ECDHE+CHACHA20"
        try await withServer(certificate: certificate(name)) { (port) async throws in
            #expect(try await suite(port, "tls1_2", rest) == nil)
            #expect(try await suite(port, "tls1_2", "\(rest):ECDHE+AESGCM")?.contains("-GCM-") == true)
        }
        // An older version has no NULL, RC4, DES or DHE, and no key that nobody has signed.
        try await withServer(certificate: certificate(name, .tls10)) { (port) async throws in
            for version in ["tls1", "tls1_1", "tls1_2"] {
                #expect(try await suite(port, version, "\(rest):!AES") == nil, "\(version)")
                #expect(try await suite(port, version, "DHE:aNULL:PSK:SRP") == nil, "\(version)")
            }
        }
    }

    @Test("logs the handshake of a client that speaks only older versions, with the setting's name and the address")
    func loggedVersion() async throws {
        let log = LogRecorder(level: .notice)
        try await withServer(certificate: certificate("rsa"), logger: log.logger) { (port) async throws in
            for _ in 1...2 { #expect(try await suite(port, "tls1", "ALL") == nil) }
        }
        #expect(
            log.texts == [
                "warning: refused a TLS handshake of an older version: the limit 'tls.minimumVersion' is reached (1 time, "
                    + "last by 127.0.0.1)"
            ])
    }

    @Test("logs a handshake that takes too long")
    func loggedTime() async throws {
        let log = LogRecorder(level: .notice)
        var settings = HTTPServerSettings.patient
        settings.handshakeTime = .milliseconds(50)
        try await withServer(settings: settings, certificate: certificate("a"), logger: log.logger) { port in
            let silent = try await RawClient(port: port)
            #expect(await silent.readToEnd() == "")
            await silent.close()
        }
        #expect(log.texts.contains { $0.contains("the limit 'time for a TLS handshake' is reached") })
    }

    @Test("A client cannot renegotiate") func renegotiation() async throws {
        try await withServer(certificate: certificate("a")) { (port) async throws in
            let (input, output) = (Pipe(), Pipe())
            let client = try ChildProcess(
                "openssl", ["s_client", "-connect", "127.0.0.1:\(port)", "-tls1_2"], input: input, output: output,
                errors: output)
            // The command for it, of s_client.
            input.fileHandleForWriting.write(Data("R\n".utf8))
            let said = await output.fileHandleForReading.allText()
            #expect(said.contains("RENEGOTIATING"), "\(said)")
            #expect(await client.exitStatus != 0, "\(said)")
        }
    }

    @Test("An older version adds its suites; better clients still get better ones", arguments: ["rsa", "a"])
    func older(_ name: String) async throws {
        try await withServer(certificate: certificate(name, .tls10)) { (port) async throws in
            let kind = name == "rsa" ? "RSA" : "ECDSA"
            for version in ["tls1", "tls1_1"] {
                #expect(try await suite(port, version, "ALL") == "ECDHE-\(kind)-AES128-SHA")
            }
            // A phone that prefers what is worse.
            let worst = "AES128-SHA:ECDHE-\(kind)-AES256-SHA:ECDHE-\(kind)-AES256-GCM-SHA384"
            #expect(try await suite(port, "tls1_2", worst) == "ECDHE-\(kind)-AES256-GCM-SHA384")
            #expect(try await suite(port, "tls1_2", "AES128-SHA") == (name == "rsa" ? "AES128-SHA" : nil))
            #expect(try await connect(port, "-tls1_3")?.contains("TLSv1.3") == true)
        }
        try await withServer(certificate: certificate(name, .tls11)) { (port) async throws in
            #expect(try await suite(port, "tls1", "ALL") == nil)
            #expect(try await suite(port, "tls1_1", "ALL") != nil)
        }
        try await withServer(certificate: certificate(name, .tls13)) { (port) async throws in
            #expect(try await suite(port, "tls1_2", "ALL") == nil)
            #expect(try await connect(port, "-tls1_3")?.contains("TLSv1.3") == true)
        }
    }

    @Test("The server chooses the suite, in any order of the client's") func order() async throws {
        try await withServer(certificate: certificate("a")) { (port) async throws in
            let best = ["AES128-GCM-SHA256", "AES256-GCM-SHA384", "CHACHA20-POLY1305"].map { "ECDHE-ECDSA-\($0)" }
            for count in 1...3 {
                let offered = best.suffix(count)
                #expect(try await suite(port, "tls1_2", offered.reversed().joined(separator: ":")) == offered.first)
            }
        }
    }

    @Test("A client that offers other protocols only gets an alert") func unknownProtocol() async throws {
        try await withServer(certificate: certificate("a")) { (port) async throws in
            #expect(try await connect(port, "-alpn", "spdy/3,foo")?.contains("no application protocol") == true)
            #expect(try await connect(port, "-alpn", "foo,http/1.1")?.contains("ALPN protocol: http/1.1") == true)
            #expect(try await connect(port)?.contains("No ALPN negotiated") == true)
        }
    }

    @Test("Strict-Transport-Security is sent on both protocols when the settings say so") func strict() async throws {
        var settings = HTTPServerSettings.patient
        settings.strictTransportSecurity = .seconds(86_400)
        try await withServer(settings: settings, certificate: certificate("a")) { (port) async throws in
            let old = try await RawClient(port: port, protocols: ["http/1.1"])
            try await old.send("GET /a HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n")
            #expect(await old.readToEnd().contains("\r\nStrict-Transport-Security: max-age=86400\r\n"))
            await old.close()
            let refused = try await RawClient(port: port, protocols: ["http/1.1"])
            try await refused.send("GET /a HTTP/1.1\r\n\r\n")
            let refusal = await refused.readToEnd()
            #expect(refusal.hasPrefix("HTTP/1.1 400 "))
            #expect(refusal.contains("\r\nStrict-Transport-Security: max-age=86400\r\n"))
            await refused.close()
            let client = try await FrameClient(port: port)
            let answer = try await client.exchange("GET", "/a")
            #expect(answer?.headers["strict-transport-security"] == ["max-age=86400"])
            await client.raw.close()
        }
        try await withServer(settings: settings) { (port) async throws in
            let plain = try await RawClient(port: port)
            try await plain.send("GET /a HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n")
            #expect(await !plain.readToEnd().contains("Strict-Transport-Security"))
            await plain.close()
        }
    }

    // MARK: The client's first message

    /// Returns the client's first bytes.
    private func hello(_ protocols: [String]) throws -> [UInt8] {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.applicationProtocols = protocols
        let channel = EmbeddedChannel()
        defer { _ = try? channel.finish(acceptAlreadyClosed: true) }
        try channel.pipeline.syncOperations.addHandler(
            NIOSSLClientHandler(context: NIOSSLContext(configuration: configuration), serverHostname: "localhost"))
        channel.connect(to: try SocketAddress(ipAddress: "127.0.0.1", port: 1), promise: nil)
        var bytes: [UInt8] = []
        while let buffer = try channel.readOutbound(as: ByteBuffer.self) { bytes += Array(buffer.readableBytesView) }
        return bytes
    }

    @Test("The first message is read in any pieces and records") func pieces() throws {
        let bytes = try hello(["h2", "x"])
        guard case .whole(let hello) = ClientHello.read(ByteBuffer(bytes: bytes)) else {
            Issue.record("\(bytes.count) bytes are not a ClientHello")
            return
        }
        #expect(hello.protocols == ["h2", "x"] && hello.version == 0x0303)
        #expect(hello.cipherSuites.isSuperset(of: [0x1301, 0xC02F]))
        for count in 0..<bytes.count {
            #expect(ClientHello.read(ByteBuffer(bytes: bytes.prefix(count))) == .incomplete)
        }
        // The same message in records of ten bytes.
        let message = Array(bytes.dropFirst(5))
        var records: [UInt8] = []
        for start in stride(from: 0, to: message.count, by: 10) {
            let part = message[start..<min(start + 10, message.count)]
            records += [22, 3, 1, 0, UInt8(part.count)] + part
        }
        #expect(ClientHello.read(ByteBuffer(bytes: records)) == .whole(hello))
        #expect(try ClientHello.read(ByteBuffer(bytes: self.hello([]))) != .incomplete)
    }

    @Test("A first message that is broken is passed to BoringSSL") func broken() throws {
        var bytes = try hello(["h2"])
        for index in bytes.indices {
            let byte = bytes[index]
            bytes[index] = ~byte
            _ = ClientHello.read(ByteBuffer(bytes: bytes))
            bytes[index] = byte
        }
        #expect(ClientHello.read(ByteBuffer(string: "GET / HTTP/1.1\r\n\r\n")) == .unreadable)
        #expect(ClientHello.read(ByteBuffer(bytes: [22, 3, 1, 0, 4, 2, 0, 0, 0])) == .unreadable)
        let endless = [22, 3, 1, 0x40, 0, 1, 0xFF, 0xFF, 0xFF] + [UInt8](repeating: 0, count: 70_000)
        #expect(ClientHello.read(ByteBuffer(bytes: endless)) == .unreadable)
    }
}
