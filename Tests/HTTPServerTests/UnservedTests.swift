import HummingbirdCore
import Logging
import NIOCore
import NIOPosix
import Synchronization
import TestSupport
import Testing

@testable import HTTPServer

/// Connections that the server has taken, and that nobody serves since it is being cancelled.
@Suite(.defaultTimeLimit) struct UnservedTests {
    /// Takes connections and keeps them, unserved.
    private final class Taken: Sendable {
        let values = Mutex<[HTTPServerChannel.Value]>([])
    }

    private func listen(_ certificate: ServerCertificate? = nil) async throws -> (listener: any Channel, taken: Taken) {
        let taken = Taken()
        let quiet = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let transport = HTTPServerChannel(
            responder: { _, _, _ in Issue.record("served") }, settings: .patient, certificate: certificate, direct: nil,
            bodies: nil, logger: quiet)
        let listener = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .childChannelInitializer { channel in
                transport.setup(channel: channel, logger: quiet).map { value in
                    taken.values.withLock { $0.append(value) }
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        return (listener, taken)
    }

    @Test("An abandoned connection is closed") func plain() async throws {
        let (listener, taken) = try await listen()
        let client = try await RawClient(port: try #require(listener.localAddress?.port))
        try await waitUntil { !taken.values.withLock({ $0.isEmpty }) }
        taken.values.withLock { $0 = [] }
        #expect(await client.readToEnd() == "")
        try await listener.close()
    }

    @Test("An abandoned HTTP/2 connection ends its streams") func streams() async throws {
        let files = try TestCertificates()
        let certificate = try ServerCertificate(
            certificateFile: files.path("a.pem"), keyFile: files.path("a.key"), logger: LogRecorder().logger)
        let (listener, taken) = try await listen(certificate)
        let client = try await FrameClient(port: try #require(listener.localAddress?.port))
        try await client.get("/a", stream: 1)
        // The response shows that the stream before it is open.
        try await client.send(0x6, 0, 0, Array("lamplit.".utf8))
        #expect(await client.next(0x6)?.payload == Array("lamplit.".utf8))
        taken.values.withLock { $0 = [] }
        while await client.raw.receive() {}
        try await listener.close()
    }
}
