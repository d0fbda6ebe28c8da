import Foundation
import NIOSSL
import TestSupport
import Testing
import WorklightProject

@testable import BackEndHTTP

@Suite struct SecurityTests {
    /// A new root, and certificates of it for a server and a client.
    private struct Authority {
        let folder: TemporaryFolder

        init() async throws {
            folder = try TemporaryFolder()
            _ = try await shell(
                """
                openssl req -x509 -newkey rsa:2048 -nodes -keyout ca.key -out ca.pem -days 2 -subj /CN=TestRoot
                for n in server client; do
                  openssl req -newkey rsa:2048 -nodes -keyout $n.key -out $n.csr -subj /CN=$n
                  printf 'subjectAltName=DNS:localhost,IP:127.0.0.1' > $n.ext
                  openssl x509 -req -in $n.csr -CA ca.pem -CAkey ca.key -CAcreateserial -out $n.pem -days 2 -extfile $n.ext
                done
                openssl rsa -aes256 -passout pass:secret -in client.key -out client-locked.key
                """, in: folder.url)
        }

        func path(_ name: String) -> String { folder.path(name) }

        func server(asksForClient: Bool = false) throws -> TLSConfiguration {
            var configuration = TLSConfiguration.makeServerConfiguration(
                certificateChain: try NIOSSLCertificate.fromPEMFile(path("server.pem")).map { .certificate($0) },
                privateKey: .privateKey(try NIOSSLPrivateKey(file: path("server.key"), format: .pem)))
            if asksForClient {
                configuration.trustRoots = .certificates(try NIOSSLCertificate.fromPEMFile(path("ca.pem")))
                configuration.certificateVerification = .noHostnameVerification
            }
            return configuration
        }
    }

    @Test("https works with a root that is trusted, and with no other") func trust() async throws {
        let authority = try await Authority()
        let server = try LoopbackServer(tls: authority.server()) { _ in .ok("x") }
        let security = BackEndSecurity(trustRootsFile: authority.path("ca.pem"))
        let trusting = try TestBackEnd(port: server.port, security: security) { $0.scheme = "https" }
        #expect(try await trusting.get().text == "x")
        let strict = try TestBackEnd(port: server.port) { $0.scheme = "https" }
        #expect(try await strict.get().message.contains("TLS failed: SSL certificate problem"))
    }

    @Test("A client certificate with a locked key identifies us") func clientCertificate() async throws {
        let authority = try await Authority()
        let server = try LoopbackServer(tls: authority.server(asksForClient: true)) { _ in .ok("x") }
        var security = BackEndSecurity(trustRootsFile: authority.path("ca.pem"))
        let anonymous = try TestBackEnd(port: server.port, security: security) { $0.scheme = "https" }
        #expect(try await anonymous.get().text == nil)
        security.clientCertificate = .init(
            chainFile: authority.path("client.pem"), keyFile: authority.path("client-locked.key"), keyPassword: "secret"
        )
        let known = try TestBackEnd(port: server.port, security: security) { $0.scheme = "https" }
        let outcome = try await known.get()
        #expect(outcome.text == "x", "\(outcome.message)")
    }

    @Test("https goes through a proxy by CONNECT, and the proxy alone gets its credentials") func tunnel() async throws
    {
        let authority = try await Authority()
        let server = try LoopbackServer(tls: authority.server()) { _ in .ok("x") }
        let proxy = try LoopbackServer { _ in .tunnel(to: server.port) }
        let security = BackEndSecurity(trustRootsFile: authority.path("ca.pem"))
        let backEnd = try TestBackEnd(port: server.port, security: security) {
            $0.scheme = "https"
            $0.proxy = HTTPProxy(
                host: "127.0.0.1", port: proxy.port,
                authentication: HTTPAuthentication(scheme: .basic, username: "u", password: "p"))
        }
        let outcome = try await backEnd.get()
        #expect(outcome.text == "x", "\(outcome.message)")
        #expect(proxy.requests.value.first?.line == "CONNECT 127.0.0.1:\(server.port) HTTP/1.1")
        #expect(proxy.requests.value.first?.header("Proxy-Authorization") == "Basic dTpw")
        #expect(server.requests.value.first?.header("Proxy-Authorization") == nil)
    }

    @Test(
        "A proxy that refuses CONNECT is named, and one that needs a login is distinguished",
        arguments: [("407 X", "the proxy asks for authentication"), ("403 X", "refuses the connection")])
    func refusedTunnel(status: String, message: String) async throws {
        let proxy = try LoopbackServer { _ in .ok("", status: status) }
        let backEnd = try TestBackEnd(port: 81) {
            $0.scheme = "https"
            $0.proxy = HTTPProxy(host: "127.0.0.1", port: proxy.port)
        }
        let told = try await backEnd.get().message
        #expect(told.contains(message), "\(told)")
    }

    @Test("A proxy may itself be reached by https") func secureProxy() async throws {
        let authority = try await Authority()
        let proxy = try LoopbackServer(tls: authority.server()) { _ in .ok("through") }
        let security = BackEndSecurity(trustRootsFile: authority.path("ca.pem"))
        let backEnd = try TestBackEnd(port: 81, security: security) {
            $0.domain = "back.example"
            $0.proxy = HTTPProxy(scheme: "https", host: "127.0.0.1", port: proxy.port)
        }
        let outcome = try await backEnd.get("/a")
        #expect(outcome.text == "through", "\(outcome.message)")
        #expect(proxy.requests.value.first?.line == "GET http://back.example:81/a HTTP/1.1")
    }

    @Test("A back end with TLS 1.0 is called with backEnds.tls: legacy, which the error names otherwise")
    func legacy() async throws {
        let authority = try await Authority()
        let server = try WatchedServer(
            "openssl s_server", [authority.path("server.pem"), authority.path("server.key")],
            script: """
                openssl s_server -accept 127.0.0.1:$2 -cert "$3" -key "$4" -tls1 -cipher ALL:@SECLEVEL=0 -www > log 2>&1 &
                pid=$!
                ready_when sh -c "echo | openssl s_client -connect 127.0.0.1:$2 -tls1 -cipher ALL:@SECLEVEL=0"
                """, stop: "KILL")
        var security = BackEndSecurity(trustRootsFile: authority.path("ca.pem"))
        let strict = try TestBackEnd(port: server.port, security: security) { $0.scheme = "https" }
        #expect(try await strict.get().message.contains("set backEnds.tls to legacy"))
        security.allowsLegacyTLS = true
        let legacy = try TestBackEnd(port: server.port, security: security) { $0.scheme = "https" }
        let outcome = try await legacy.get()
        #expect(outcome.status == 200, "\(outcome.message)")
    }

    @Test("A certificate that is named but not configured is reported by its alias") func alias() throws {
        #expect(throws: BackEndSecurityError.self) {
            try TestBackEnd(port: 1) {
                $0.scheme = "https"
                $0.sslCertificateAlias = "mine"
            }
        }
    }
}
