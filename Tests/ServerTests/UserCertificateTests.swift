import BackEndHTTP
import Core
import Foundation
import HTTPServer
import HTTPTypes
import TestSupport
import Testing
import WorklightProject

@testable import Installation

@Suite("User certificates", .defaultTimeLimit)
struct UserCertificateTests {
    /// An authority, a certificate of a server, and certificates of clients.
    private final class Certificates: Sendable {
        let folder = try! TemporaryFolder()

        init() async throws {
            try await OpenSSL.run(
                "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", "ca.key", "-out", "ca.pem", "-subj",
                "/CN=Authority", "-days", "1", in: folder)
            try folder.write("subjectAltName=IP:127.0.0.1", to: "address")
            try await issue("server", "/CN=server", ["-extfile", "address"])
        }

        func issue(_ name: String, _ subject: String, _ more: [String] = [], selfSigned: Bool = false) async throws {
            let key = ["req", "-newkey", "rsa:2048", "-nodes", "-keyout", "\(name).key", "-subj", subject]
            guard !selfSigned else {
                try await OpenSSL.run(key + ["-x509", "-days", "1", "-out", "\(name).pem"], in: folder)
                return
            }
            try await OpenSSL.run(key + ["-out", "\(name).csr"], in: folder)
            try await OpenSSL.run(
                [
                    "x509", "-req", "-in", "\(name).csr", "-CA", "ca.pem", "-CAkey", "ca.key", "-days", "1", "-out",
                    "\(name).pem",
                ] + more, in: folder)
        }

        func path(_ name: String) -> String { folder.url.appending(path: name).path }

        func text(_ name: String) throws -> String {
            String(decoding: try Data(contentsOf: folder.url.appending(path: name)), as: UTF8.self)
        }
    }

    private static let files = [
        "server/conf/authenticationConfig.xml": """
        <tns:loginConfiguration xmlns:tns="http://www.worklight.com/auth/config">
        <securityTests><customSecurityTest name="T">
        <test realm="wl_userCertificateAuthRealm" isInternalUserID="true"/></customSecurityTest></securityTests>
        <realms><realm name="wl_userCertificateAuthRealm" loginModule="M">
        <className>com.worklight.core.auth.ext.UserCertificateAuthenticator</className></realm></realms>
        <loginModules><loginModule name="M">
        <className>com.worklight.core.auth.ext.UserCertificateLoginModule</className></loginModule></loginModules>
        </tns:loginConfiguration>
        """,
        "adapters/A/A.xml": adapterXML("A", procedures: ["open"]).replacing(
            "</wl:adapter>", with: #"<procedure name="who" securityTest="T"/></wl:adapter>"#),
        "adapters/A/A-impl.js": """
        function open() { return { open: true } }
        function who() { return { user: WL.Server.getActiveUser().userId } }
        """,
    ]

    private static let threads = ThreadPool(name: "certificate", threads: .max)

    /// Calls `A/who` in the client's session, over a connection with a certificate.
    private func who(
        _ client: WireClient, with name: String, of certificates: Certificates
    ) async throws -> String {
        var policy = HTTPConnectionPolicy()
        (policy.scheme, policy.domain, policy.port) = ("https", "127.0.0.1", client.server.port)
        policy.cookiePolicy = .ignore
        var security = BackEndSecurity(trustRootsFile: certificates.path("ca.pem"))
        security.clientCertificate = .init(
            chainFile: certificates.path("\(name).pem"), keyFile: certificates.path("\(name).key"), keyPassword: nil)
        let backEnd = try HTTPBackEnd(policy: policy, security: security)
        let request = try BackEndRequest(
            method: "post", path: client.root + "query",
            parameters: [("adapter", "A"), ("procedure", "who"), ("parameters", "[]")],
            headers: [
                ("WL-Instance-Id", client.instanceID ?? ""), ("X-Requested-With", "XMLHttpRequest"),
                ("Cookie", client.cookies.map { "\($0.key)=\($0.value)" }.joined(separator: "; ")),
            ], returnedContentType: "plain")
        return await Self.threads.run {
            defer { backEnd.close() }
            let options = BackEndExchange.Options(cookies: CookieJar(), deadline: .noLimit)
            switch backEnd.convert(backEnd.send(request, options)) {
            case .response(let response):
                if case .text(let text) = response.content { return "\(response.head.statusCode) \(text)" }
                return "\(response.head.statusCode)"
            case .failure(let failure): return failure.message
            }
        }
    }

    @Test("the user is the common name of the certificate that the client shows in the TLS handshake")
    func tls() async throws {
        let certificates = try await Certificates()
        for (name, subject) in [
            ("ann", "/O=House/CN=ann"), ("bob", "/CN=bob"), ("two", "/CN=a/CN=b"), ("none", "/O=x"),
        ] {
            try await certificates.issue(name, subject)
        }
        try await certificates.issue("eve", "/CN=ann", selfSigned: true)
        let change = { @Sendable (settings: inout InstallationSettings) in
            settings.tls = .init(certificate: certificates.path("server.pem"), key: certificates.path("server.key"))
            settings.tls?.clientAuthorities = certificates.path("ca.pem")
        }
        try await RunningServer.run(files: Self.files, over: .http2, change: change) { (server) async throws in
            // A client without a certificate is served, but for the realm.
            let ann = WireClient(server)
            #expect(try await ann.call("open")["open"] == true)
            let refused = try await ann.call("who")
            #expect(refused.status == 403 && refused.text.contains("showed no certificate"))
            #expect(try await who(ann, with: "two", of: certificates).hasPrefix("403"))
            #expect(try await who(ann, with: "none", of: certificates).hasPrefix("403"))
            // One of another authority does not get through the handshake.
            #expect(try await who(ann, with: "eve", of: certificates).hasPrefix("Http request failed"))
            #expect(try await who(ann, with: "ann", of: certificates).contains(#""user":"ann""#))

            let bob = WireClient(server)
            #expect(try await bob.call("open")["open"] == true)
            #expect(try await who(bob, with: "bob", of: certificates).contains(#""user":"bob""#))
        }
    }

    @Test("the realm's login module decides as well", arguments: ["RejectingLoginModule", "example.MyLoginModule"])
    func otherModules(name: String) async throws {
        let certificates = try await Certificates()
        try await certificates.issue("ann", "/CN=ann")
        let pem = PercentEncoding.encode(try certificates.text("ann.pem"))
        var files = Self.files
        files["server/conf/authenticationConfig.xml"] = files["server/conf/authenticationConfig.xml"]?.replacing(
            "com.worklight.core.auth.ext.UserCertificateLoginModule", with: "com.\(name)")
        let trusted = try TrustedProxies(["127.0.0.1"])
        let change = { @Sendable (settings: inout InstallationSettings) in
            settings.trustedProxies = trusted
            settings.clientCertificateHeader = HTTPField.Name("X-Client-Cert")
        }
        for script in [
            nil, "function login() { return false }", "function login(data) { return data.username === 'ann' }",
        ] {
            files["server/authentication/MyLoginModule.js"] = script
            try await RunningServer.run(files: files, change: change) { (server) async throws in
                let client = WireClient(server)
                client.headers = [("X-Client-Cert", pem)]
                let isAccepted = name.hasPrefix("example") && script?.contains("username") == true
                let answer = try await client.call("who")
                #expect(isAccepted ? answer["user"] == "ann" : answer.status == 403)
            }
        }
    }

    @Test("only a trusted proxy passes the certificate in a header")
    func proxy() async throws {
        let certificates = try await Certificates()
        try await certificates.issue("ann", "/CN=ann")
        let pem = try certificates.text("ann.pem")
        let der = Data(base64Encoded: pem.split(separator: "\n").dropFirst().dropLast().joined()) ?? Data()
        for (proxies, isTrusted) in [("127.0.0.1", true), ("10.0.0.1", false)] {
            let trusted = try TrustedProxies([proxies])
            let change = { @Sendable (settings: inout InstallationSettings) in
                settings.trustedProxies = trusted
                settings.clientCertificateHeader = HTTPField.Name("X-Client-Cert")
            }
            try await RunningServer.run(files: Self.files, change: change) { (server) async throws in
                for value in [PercentEncoding.encode(pem), ":\(der.base64EncodedString()):"] {
                    let client = WireClient(server)
                    client.headers = [("X-Client-Cert", value)]
                    let answer = try await client.call("who")
                    #expect(answer["user"] == (isTrusted ? "ann" : nil) && (isTrusted || answer.status == 403))
                }
                for value in ["", "ann", "CN=ann", ":QUJD:"] {
                    let client = WireClient(server)
                    client.headers = [("X-Client-Cert", value)]
                    #expect(try await client.call("who").status == 403)
                }
            }
        }
    }
}
