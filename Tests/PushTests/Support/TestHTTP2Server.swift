import Foundation
import NIOCore
import NIOHPACK
import NIOHTTP2
import NIOPosix
import NIOSSL
import Synchronization
import TestSupport

/// An HTTP/2 server on 127.0.0.1 that sends the frames that a test wants, also ones that no well-behaved service sends.
final class TestHTTP2Server: Sendable {
    /// The reaction to a frame; called on the connection's event loop.
    typealias Script = @Sendable (_ frame: HTTP2Frame, _ connection: Connection) -> Void

    /// One connection, from the server's side.
    struct Connection {
        /// Counted from 1.
        let number: Int
        fileprivate let context: ChannelHandlerContext

        func write(_ payload: HTTP2Frame.FramePayload, on stream: HTTP2StreamID) {
            context.writeAndFlush(NIOAny(HTTP2Frame(streamID: stream, payload: payload)), promise: nil)
        }

        /// Sends frames in one piece, so that the client reads all of them before it learns that the read is complete.
        func write(together frames: [HTTP2Frame]) {
            for frame in frames { context.write(NIOAny(frame), promise: nil) }
            context.flush()
        }

        func close() { context.close(promise: nil) }

        /// Sets whether it takes the client's bytes; when it does not, the client's socket fills up.
        func setReading(_ isReading: Bool) {
            context.channel.setOption(.autoRead, value: isReading).whenFailure { _ in }
        }

        /// Does something on the connection's event loop, once something else has happened.
        func after(
            _ event: @escaping @Sendable () async throws -> Void, do body: @escaping @Sendable (Connection) -> Void
        ) {
            let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
            Task { [loop = context.eventLoop] in
                try await event()
                loop.execute { body(bound.value) }
            }
        }

        func answer(_ stream: HTTP2StreamID, status: String = "200") {
            write(.headers(.init(headers: [":status": status], endStream: true)), on: stream)
        }
    }

    let certificate: String
    private let server: any Channel
    private let accepted: AwaitableValue<[any Channel]>

    /// - Parameters:
    ///   - protocols: what it negotiates.
    ///   - identity: certificate and key in PEM; nil = for localhost.
    ///   - settings: what it announces.
    static func start(
        at host: String = "127.0.0.1", port: Int = 0, protocols: [String] = ["h2"],
        identity: (certificate: String, key: String)? = nil, settings: HTTP2Settings = [],
        _ script: @escaping Script = { _, _ in }
    ) async throws -> TestHTTP2Server {
        let identity = try identity ?? TestCertificates().localhost
        var tls = TLSConfiguration.makeServerConfiguration(
            certificateChain: try NIOSSLCertificate.fromPEMBytes(Array(identity.certificate.utf8))
                .map { .certificate($0) },
            privateKey: .privateKey(try NIOSSLPrivateKey(bytes: Array(identity.key.utf8), format: .pem)))
        tls.applicationProtocols = protocols
        let tlsContext = try NIOSSLContext(configuration: tls)
        let connections = Counter()
        let accepted = AwaitableValue<[any Channel]>([])
        let server = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelInitializer { channel in
                accepted.update { $0.append(channel) }
                return channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    try pipeline.addHandler(NIOSSLServerHandler(context: tlsContext))
                    guard protocols.contains("h2") else { return }
                    var configuration = NIOHTTP2Handler.ConnectionConfiguration()
                    configuration.initialSettings = settings
                    try pipeline.addHandler(NIOHTTP2Handler(mode: .server, connectionConfiguration: configuration))
                    try pipeline.addHandler(ScriptHandler(script, number: connections.next()))
                }
            }
            .bind(host: host, port: port).get()
        return TestHTTP2Server(server: server, accepted: accepted, certificate: identity.certificate)
    }

    private init(server: any Channel, accepted: AwaitableValue<[any Channel]>, certificate: String) {
        self.server = server
        self.accepted = accepted
        self.certificate = certificate
    }

    var port: Int { server.localAddress?.port ?? 0 }

    func stop() async {
        try? await server.close()
    }

    func closeConnections() async {
        for channel in accepted.value { try? await channel.close() }
    }

    private final class Counter: Sendable {
        private let value = Atomic(0)

        func next() -> Int { value.add(1, ordering: .relaxed).newValue }
    }
}

extension TestCertificates {
    fileprivate var localhost: (certificate: String, key: String) {
        get throws {
            (
                try String(contentsOfFile: path("localhost.pem"), encoding: .utf8),
                try String(contentsOfFile: path("localhost.key"), encoding: .utf8)
            )
        }
    }
}

private final class ScriptHandler: ChannelInboundHandler {
    typealias InboundIn = HTTP2Frame

    private let script: TestHTTP2Server.Script
    private let number: Int

    init(_ script: @escaping TestHTTP2Server.Script, number: Int) {
        self.script = script
        self.number = number
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        script(unwrapInboundIn(data), .init(number: number, context: context))
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {}
}

extension HTTP2Frame {
    /// True if it completes a request.
    var endsRequest: Bool {
        switch payload {
        case .headers(let headers): headers.endStream
        case .data(let data): data.endStream
        default: false
        }
    }
}
