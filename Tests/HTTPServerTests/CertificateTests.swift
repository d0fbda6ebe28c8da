import Foundation
import Logging
import NIOCore
import NIOSSL
import TestSupport
import Testing

@testable import HTTPServer

@Suite(.defaultTimeLimit) struct CertificateTests {
    private let files: TestCertificates
    private let log = LogRecorder(level: .info)

    init() throws {
        files = try TestCertificates()
        try files.install("a")
    }

    private func certificate() throws -> ServerCertificate {
        try ServerCertificate(
            certificateFile: files.path("server.pem"), keyFile: files.path("server.key"), logger: log.logger)
    }

    @Test("Changed files are loaded at the second check, for new connections; open ones live on")
    func reload() async throws {
        let certificate = try certificate()
        try await withServer(certificate: certificate) { port in
            let old = try await RawClient(port: port, protocols: ["http/1.1"])
            try await old.send("GET /old HTTP/1.1\r\nHost: h\r\n\r\n")
            _ = await old.read(until: "<GET /old>")
            let before = certificate.contexts
            try files.install("b")
            certificate.look()
            #expect(certificate.contexts === before)
            certificate.look()
            #expect(certificate.contexts !== before)
            try await old.send("GET /still HTTP/1.1\r\nHost: h\r\n\r\n")
            #expect(await old.read(until: "<GET /still>").contains("<GET /still>"))
            await old.close()
            let client = try await RawClient(port: port, protocols: ["http/1.1"])
            try await client.send("GET /new HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n")
            #expect(await client.readToEnd().contains("<GET /new>"))
            await client.close()
        }
        #expect(log.texts == ["notice: new connections use the certificate now in \(files.path("server.pem"))"])
    }

    @Test("The certificate that new connections get is the one now in the file") func newCertificate() async throws {
        let certificate = try certificate()
        try await withServer(certificate: certificate) { port in
            #expect(try await peer(port) == Array(NIOSSLCertificate.fromPEMFile(files.path("a.pem"))[0].toDERBytes()))
            try files.install("b")
            certificate.reload()
            #expect(try await peer(port) == Array(NIOSSLCertificate.fromPEMFile(files.path("b.pem"))[0].toDERBytes()))
        }
    }

    private func peer(_ port: Int) async throws -> [UInt8] {
        let client = try await RawClient(port: port, protocols: ["http/1.1"])
        try await client.send("GET /a HTTP/1.1\r\nHost: h\r\n\r\n")
        _ = await client.read(until: "<GET /a>")
        let bytes = try await client.channel.pipeline.handler(type: NIOSSLClientHandler.self).flatMapThrowing {
            try $0.peerCertificate?.toDERBytes() ?? []
        }.get()
        await client.close()
        return bytes
    }

    @Test("Broken files are reported once, by name, and the old certificate stays until good ones come")
    func brokenReload() throws {
        let certificate = try certificate()
        let before = certificate.contexts
        try files.write("nonsense", to: "server.pem")
        for _ in 1...5 { certificate.look() }
        #expect(certificate.contexts === before)
        try #require(log.texts.count == 1)
        #expect(
            log.texts[0].hasPrefix(
                "error: TLS certificate file \(files.path("server.pem")): no certificate in PEM form"))
        try FileManager.default.removeItem(atPath: files.path("server.pem"))
        for _ in 1...5 { certificate.look() }
        try #require(log.texts.count == 2)
        #expect(log.texts[1].contains("there is no such file"))
        try files.install("b")
        for _ in 1...2 { certificate.look() }
        #expect(certificate.contexts !== before)
    }

    @Test("An expired certificate is rejected, and the valid one stays") func expired() async throws {
        let certificate = try ServerCertificate(
            certificateFile: files.path("server.pem"), keyFile: files.path("server.key"), logger: log.logger,
            now: { .now + 3 * 86_400 })
        let before = certificate.contexts
        try await OpenSSL.run(
            "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout",
            files.path("server.key"), "-out", files.path("server.pem"), "-days", "1", "-subj", "/CN=localhost")
        certificate.reload()
        #expect(certificate.contexts === before)
        #expect(certificate.rejection?.description.contains("the certificate expired on ") == true)
        try files.install("b")
        certificate.reload()
        #expect(certificate.contexts !== before && certificate.rejection == nil)
    }

    @Test("A certificate without its new key is not loaded") func halfWritten() throws {
        let certificate = try certificate()
        let before = certificate.contexts
        try files.copy("b.pem", to: "server.pem")
        certificate.look()
        try files.copy("b.key", to: "server.key")
        certificate.look()
        certificate.look()
        #expect(certificate.contexts !== before)
        #expect(log.texts.filter { $0.hasPrefix("error") } == [])
    }

    @Test("A start with a wrong file fails with the problem and the file") func startErrors() throws {
        func problem(_ pem: String, _ key: String) -> CertificateError? {
            do throws(CertificateError) {
                _ = try ServerCertificate(
                    certificateFile: files.path(pem), keyFile: files.path(key), logger: log.logger)
                return nil
            } catch {
                return error
            }
        }
        try files.write("nonsense", to: "nonsense")
        try files.write("", to: "empty")
        #expect(problem("a.pem", "a.key") == nil)
        #expect(
            problem("none", "a.key")?.description == "TLS certificate file \(files.path("none")): there is no such file"
        )
        #expect(problem("a.pem", "none")?.description == "TLS key file \(files.path("none")): there is no such file")
        #expect(problem("nonsense", "a.key")?.problem == .notPEM)
        #expect(problem("empty", "a.key")?.problem == .notPEM)
        #expect(problem("a.key", "a.key")?.problem == .notPEM)
        #expect(problem("a.pem", "nonsense")?.file == files.path("nonsense"))
        #expect(problem("a.pem", "empty")?.problem == .notPEM)
        #expect(problem("a.pem", "locked.key")?.problem == .encrypted)
        #expect(problem("a.pem", "b.key")?.problem == .doesNotFit(certificate: files.path("a.pem")))
        #expect(problem("a.pem", "")?.description.contains("it cannot be read") == true)
    }

    @Test("The watch checks at each interval until it is cancelled") func watch() async throws {
        let certificate = try certificate()
        try files.install("b")
        let before = certificate.contexts
        let (ticks, tick) = AsyncStream<Void>.makeStream()
        let (looks, look) = AsyncStream<Duration>.makeStream()
        let watch = CertificateReloader(certificate, interval: .seconds(7)) { interval in
            look.yield(interval)
            var iterator = ticks.makeAsyncIterator()
            if await iterator.next() == nil { throw CancellationError() }
        }
        let task = Task { try await watch.run() }
        var iterator = looks.makeAsyncIterator()
        #expect(await iterator.next() == .seconds(7))
        for _ in 1...2 {
            tick.yield()
            _ = await iterator.next()
        }
        #expect(certificate.contexts !== before)
        tick.finish()
        try await task.value
    }

    @Test("A client that does not use TLS, or sends nothing, is closed") func handshake() async throws {
        var settings = HTTPServerSettings.patient
        settings.handshakeTime = .milliseconds(50)
        try await withServer(settings: settings, certificate: certificate()) { port in
            let plain = try await RawClient(port: port)
            // The time may be up already.
            try? await plain.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
            #expect(await !plain.readToEnd().contains("HTTP/1.1"))
            await plain.close()
            let silent = try await RawClient(port: port)
            #expect(await silent.readToEnd() == "")
            await silent.close()
        }
    }

    @Test("An upload refused over TLS gets a response too") func refusedUpload() async throws {
        try await withServer(certificate: certificate()) { port in
            let client = try await RawClient(port: port, protocols: ["http/1.1"])
            try await client.send("POST /ignore HTTP/1.1\r\nHost: h\r\nContent-Length: 100000000\r\n\r\nabc")
            let answer = await client.readToEnd()
            #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\n") && answer.contains("Connection: close\r\n"))
            await client.close()
        }
    }
}
