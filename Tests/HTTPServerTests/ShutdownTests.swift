import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import ServiceLifecycle
import TestSupport
import Testing

@testable import HTTPServer

@Suite("A stopping server", .defaultTimeLimit) struct ShutdownTests {
    /// Runs a server whose one route waits, and stops it during a request while another connection is idle.
    ///
    /// - Returns: the bytes that the two clients received. `benchmarks/stop-over-tls` measures how long a stop takes.
    private func stop(_ certificate: ServerCertificate?) async throws -> (busy: String, idle: String) {
        let (begun, begin) = AsyncStream<Void>.makeStream()
        let (released, release) = AsyncStream<Void>.makeStream()
        let router = Router()
        router.get("wait") { _, _ in
            begin.yield()
            var iterator = released.makeAsyncIterator()
            await iterator.next()
            return "<done>"
        }
        router.get("now") { _, _ in "<now>" }
        let (ports, port) = AsyncStream<Int>.makeStream()
        let quiet = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let application = Application(
            router: router, server: .transport(settings: .patient, certificate: certificate, logger: quiet),
            configuration: .init(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { channel in port.yield(channel.localAddress?.port ?? 0) }, logger: quiet)
        let group = ServiceGroup(configuration: .init(services: [application], logger: quiet))
        let server = Task { try await group.run() }
        var portIterator = ports.makeAsyncIterator()
        let number = try #require(await portIterator.next())
        let protocols = certificate.map { _ in ["http/1.1"] }
        let idle = try await RawClient(port: number, protocols: protocols)
        try await idle.send("GET /now HTTP/1.1\r\nHost: h\r\n\r\n")
        _ = await idle.read(until: "<now>")
        let busy = try await RawClient(port: number, protocols: protocols)
        try await busy.send("GET /wait HTTP/1.1\r\nHost: h\r\n\r\n")
        var beginIterator = begun.makeAsyncIterator()
        await beginIterator.next()

        await group.triggerGracefulShutdown()
        let idleText = await idle.readToEnd()
        release.yield()
        let busyText = await busy.readToEnd()
        await busy.close()
        await idle.close()
        try await server.value
        return (busyText, idleText)
    }

    @Test("closes idle connections at once and others after their response", arguments: [false, true])
    func stopping(isSecure: Bool) async throws {
        let files = try TestCertificates()
        let certificate = try ServerCertificate(
            certificateFile: files.path("a.pem"), keyFile: files.path("a.key"), logger: LogRecorder().logger)
        let result = try await stop(isSecure ? certificate : nil)
        #expect(result.idle == "")
        #expect(result.busy.contains("Connection: close\r\n") && result.busy.hasSuffix("<done>"))
    }
}
