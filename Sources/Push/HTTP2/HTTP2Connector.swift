import NIOCore
import NIOHTTP2
import NIOPosix
import NIOSSL

/// Makes connections to one service: TCP, the proxy where there is one, TLS, HTTP/2.
struct HTTP2Connector: Sendable {
    let host: String
    let port: Int
    let proxy: EgressProxy?
    let tls: NIOSSLContext
    let settings: HTTP2ClientSettings

    /// An attempt that is under way. Used on the event loop alone.
    final class Attempt {
        let connection: HTTP2Connection
        let deadline: Duration
        private var channel: (any Channel)?
        private(set) var isAbandoned = false

        init(_ connection: HTTP2Connection, deadline: Duration) {
            self.connection = connection
            self.deadline = deadline
        }

        /// Ends it, wherever it is.
        func abandon(_ reason: String) {
            isAbandoned = true
            connection.closeReason = connection.closeReason ?? reason
            connection.ready.fail(HTTP2ConnectionError(description: reason))
            channel?.close(promise: nil)
        }

        func took(_ channel: any Channel) {
            self.channel = channel
            if isAbandoned { channel.close(promise: nil) }
        }
    }

    /// Begins an attempt; the connection's `ready` reports its result. Call this on the event loop.
    func connect(number: Int, on loop: any EventLoop, now: Duration, pool: HTTP2Pool) -> Attempt {
        let ready = loop.makePromise(of: Void.self)
        let connection = HTTP2Connection(number: number, settings: settings, ready: ready, now: now)
        connection.pool = pool
        let attempt = Attempt(connection, deadline: now + settings.connectTimeout)
        let bound = NIOLoopBound(attempt, eventLoop: loop)
        open(on: loop)
            .flatMap { channel in
                bound.value.took(channel)
                return openTunnel(channel)
                    .flatMapThrowing { try addHandlers(to: channel, bound.value.connection) }
            }
            .whenFailure { error in
                let reason = Self.reason(error)
                ready.fail(HTTP2ConnectionError(description: reason))
                bound.value.abandon(reason)
            }
        return attempt
    }

    private static func reason(_ error: any Error) -> String {
        guard let error = error as? NIOConnectionError else { return "\(error)" }
        let reasons = error.connectionErrors.map { failure in
            (failure.error as? IOError).map { String(cString: strerror($0.errnoCode)) } ?? "\(failure.error)"
        }
        return reasons.isEmpty
            ? "the host '\(error.host)' cannot be found" : Set(reasons).sorted().joined(separator: ", ")
    }

    private func open(on loop: any EventLoop) -> EventLoopFuture<any Channel> {
        // The attempt has a separate deadline, by the client's time source.
        ClientBootstrap(group: loop).channelOption(.tcpOption(.tcp_nodelay), value: 1).connectTimeout(.hours(1))
            .connect(host: proxy?.host ?? host, port: proxy?.port ?? port)
    }

    private func openTunnel(_ channel: any Channel) -> EventLoopFuture<Void> {
        guard let proxy else { return channel.eventLoop.makeSucceededVoidFuture() }
        let opened = channel.eventLoop.makePromise(of: Void.self)
        let handler = ProxyTunnelHandler(
            proxy.handshake(to: host, port: port), name: "\(proxy.host):\(proxy.port)", opened: opened)
        do {
            try channel.pipeline.syncOperations.addHandler(handler)
        } catch {
            opened.fail(error)
        }
        let bound = NIOLoopBound(handler, eventLoop: channel.eventLoop)
        return opened.futureResult.flatMap { channel.pipeline.syncOperations.removeHandler(bound.value) }
    }

    private func addHandlers(to channel: any Channel, _ connection: HTTP2Connection) throws {
        // TLS cannot send an address as the server name; the certificate is then checked against the address.
        let isAddress = (try? SocketAddress(ipAddress: host, port: port)) != nil
        let pipeline = channel.pipeline.syncOperations
        try pipeline.addHandler(NIOSSLClientHandler(context: tls, serverHostname: isAddress ? nil : host))
        try pipeline.addHandler(WriteCoalescer())
        var configuration = NIOHTTP2Handler.ConnectionConfiguration()
        configuration.initialSettings = [
            HTTP2Setting(parameter: .enablePush, value: 0),
            HTTP2Setting(parameter: .maxConcurrentStreams, value: 0),
            HTTP2Setting(parameter: .maxHeaderListSize, value: settings.maximumHeaders),
        ]
        // Responses to abandoned requests arrive late; they must not end the connection for the others.
        configuration.maximumRecentlyResetStreams = 10_000
        var streams = NIOHTTP2Handler.StreamConfiguration()
        // A service that is unwell may reset whatever it is sent; that ends requests, not the connection.
        streams.streamResetFrameRateLimit.maximumCount = 100_000
        try pipeline.addHandler(
            NIOHTTP2Handler(mode: .client, connectionConfiguration: configuration, streamConfiguration: streams))
        try pipeline.addHandler(connection)
    }
}
