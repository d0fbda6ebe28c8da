import NIOSSL
import TestSupport

/// A Web Push service on this machine: real TLS, real HTTP/1.1.
enum LocalPushService {
    /// Runs `body` with a service that listens.
    ///
    /// - Parameter answer: says what the service replies to a request.
    static func run<Value>(
        at host: String = "127.0.0.1", port: Int = 0,
        _ answer: @escaping @Sendable (LoopbackServer.Request) -> LoopbackServer.Reply = { _ in .status(201) },
        _ body: (LoopbackServer) async throws -> Value
    ) async throws -> Value {
        let configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: try NIOSSLCertificate.fromPEMBytes(Array(WebPushServiceCertificate.certificate.utf8))
                .map { .certificate($0) },
            privateKey: .privateKey(
                try NIOSSLPrivateKey(bytes: Array(WebPushServiceCertificate.key.utf8), format: .pem)))
        let service = try LoopbackServer(host: host, port: port, tls: configuration, answer)
        do {
            let value = try await body(service)
            await service.stop()
            return value
        } catch {
            await service.stop()
            throw error
        }
    }
}
