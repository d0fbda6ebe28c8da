public import Core
public import HummingbirdCore
public import Logging
import NIOCore
import NIOHTTP2
import NIOHTTPTypes
import NIOTLS

/// One connection of the server: HTTP/1.1, or over TLS what the client chooses of HTTP/2 and HTTP/1.1.
struct HTTPServerChannel: HTTPChannelHandler {
    typealias HTTP1 = NIOAsyncChannel<HTTPRequestPart, HTTPResponsePart>

    enum Negotiated: Sendable {
        case http1(HTTP1)
        case http2(HTTP2Pipeline.Connection)
        /// Not taken, or broken before it began.
        case none
    }

    struct Value: ServerChildChannelValue {
        let channel: any Channel
        let negotiated: EventLoopFuture<Negotiated>
        /// Closes connections that a cancelled server has accepted and not begun to serve.
        let end: ChannelCloser
    }

    let responder: Responder
    private let settings: HTTPServerSettings
    private let certificate: ServerCertificate?
    private let direct: DirectAnswers?
    private let bodies: BodyBudget?
    private let connections: ConnectionCounter
    private let log: LogLimiter

    init(
        responder: @escaping Responder, settings: HTTPServerSettings, certificate: ServerCertificate?,
        direct: DirectAnswers?, bodies: RequestBodyRules?, logger: Logger,
        time: any TimeSource = SystemTime(), guards: GuardCounters = .none
    ) {
        self.responder = responder
        self.settings = settings
        self.certificate = certificate
        self.direct = direct
        self.bodies = bodies.map { BodyBudget($0) }
        log = LogLimiter(logger: logger, time: time, guards: guards)
        connections = ConnectionCounter(settings: settings, log: log)
    }

    /// Never fails: a failure here would end the whole server, not only this connection.
    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        let value = Value(
            channel: channel, negotiated: negotiate(channel, logger), end: ChannelCloser(channel))
        return channel.eventLoop.makeSucceededFuture(value)
    }

    private func negotiate(_ channel: any Channel, _ logger: Logger) -> EventLoopFuture<Negotiated> {
        let address = channel.remoteAddress
        guard connections.opened(address) else {
            channel.close(promise: nil)
            return channel.eventLoop.makeSucceededFuture(.none)
        }
        channel.closeFuture.whenComplete { [connections] _ in connections.closed(address) }
        do {
            try channel.pipeline.syncOperations.addHandler(LingeringClose(settings: settings, log: log))
            guard let certificate else {
                return channel.eventLoop.makeSucceededFuture(.http1(try http1(channel, isSecure: false)))
            }
            let negotiation = NIOTypedApplicationProtocolNegotiationHandler<Negotiated> { result, channel in
                channel.eventLoop.makeCompletedFuture {
                    result == .negotiated("h2")
                        ? .http2(
                            try HTTP2Pipeline.add(
                                to: channel.pipeline.syncOperations, settings: settings, direct: direct,
                                bodies: bodies, log: log))
                        : .http1(try http1(channel, isSecure: true))
                }
            }
            let pipeline = channel.pipeline.syncOperations
            try pipeline.addHandler(ClientHelloHandler(contexts: certificate.contexts, log: log))
            try pipeline.addHandler(HandshakeDeadline(time: settings.handshakeTime, log: log))
            try pipeline.addHandler(negotiation)
            return negotiation.protocolNegotiationResult
        } catch {
            logger.debug("a connection broke before it began: \(error)")
            channel.close(promise: nil)
            return channel.eventLoop.makeSucceededFuture(.none)
        }
    }

    private func http1(_ channel: any Channel, isSecure: Bool) throws -> HTTP1 {
        try HTTP1Pipeline.add(
            to: channel.pipeline.syncOperations, isSecure: isSecure, settings: settings, direct: direct, bodies: bodies,
            log: log)
        let http1 = try HTTP1(
            wrappingChannelSynchronously: channel, configuration: .init(isOutboundHalfClosureEnabled: true))
        http1.keepUntilClosed()
        return http1
    }

    /// Serves the connection until it closes.
    func handle(value: Value, logger: Logger) async {
        await withTaskExecutorPreference(EventLoopExecutor.executor(of: value.channel.eventLoop)) {
            await serve(value, logger)
        }
        // Streams that the client has opened and nobody has served end with the connection.
        withExtendedLifetime(value.end) {}
    }

    private func serve(_ value: Value, _ logger: Logger) async {
        do {
            switch try await value.negotiated.get() {
            case .http1(let channel): await handleHTTP(asyncChannel: channel, logger: logger)
            case .http2(let connection):
                try await withThrowingDiscardingTaskGroup { group in
                    for try await stream in connection.inbound {
                        group.addTask { await handleHTTP(asyncChannel: stream, logger: logger) }
                    }
                }
            case .none: break
            }
        } catch {
            logger.debug("a connection from \(value.channel.remoteAddress?.ipAddress ?? "?") ended: \(error)")
        }
    }
}

extension HTTPServerBuilder {
    /// Makes Lamplighter's transport: HTTP/1.1, or with a certificate HTTPS with HTTP/2 and HTTP/1.1, within the limits of the settings.
    ///
    /// - Parameters:
    ///   - certificate: nil for plain HTTP.
    ///   - direct: the requests that bypass Hummingbird.
    ///   - bodies: limits for the bodies of requests; without, handlers alone limit them.
    ///   - time: limits how often the log repeats a message.
    ///   - guards: counts the limits that are reached.
    public static func transport(
        settings: HTTPServerSettings = HTTPServerSettings(), certificate: ServerCertificate? = nil,
        direct: DirectAnswers? = nil, bodies: RequestBodyRules? = nil, logger: Logger,
        time: any TimeSource = SystemTime(), guards: GuardCounters = .none
    ) -> HTTPServerBuilder {
        HTTPServerBuilder { responder in
            HTTPServerChannel(
                responder: responder, settings: settings, certificate: certificate, direct: direct,
                bodies: bodies, logger: logger, time: time, guards: guards)
        }
    }
}
