import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import ServiceLifecycle
import TestSupport
import Testing

@testable import HTTPServer

@Suite(.defaultTimeLimit) struct ShutdownTests {
    /// Runs a server whose one route waits, stops it while a request is being answered and another connection is idle, and
    /// gives back what the two clients got and how long the stop took after the answer.
    private func stop(_ certificate: ServerCertificate?) async throws -> (busy: String, idle: String, time: Duration) {
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
        let start = ContinuousClock.now
        release.yield()
        let busyText = await busy.readToEnd()
        await busy.close()
        await idle.close()
        try await server.value
        return (busyText, idleText, ContinuousClock.now - start)
    }

    @Test("A stopping server closes idle connections at once and others after their answer") func plain() async throws {
        let result = try await stop(nil)
        #expect(result.idle == "")
        #expect(result.busy.contains("Connection: close\r\n") && result.busy.hasSuffix("<done>"))
    }

    @Test("Over TLS a stop does not wait for the five seconds of an unclean end") func tls() async throws {
        let files = try TestCertificates()
        let certificate = try ServerCertificate(
            certificateFile: files.path("a.pem"), keyFile: files.path("a.key"), logger: LogRecorder().logger
        )
        var time = Duration.seconds(60)
        // A busy machine may take as long now and then; those five seconds would come each time, until the test's time is over.
        while time >= .seconds(4) {
            try Task.checkCancellation()
            let result = try await stop(certificate)
            #expect(result.busy.hasSuffix("<done>"))
            time = result.time
        }
    }
}
