import Core
import NIOCore
import NIOHTTP2
import NIOHTTPTypes
import NIOHTTPTypesHTTP1

/// The handlers of an HTTP/2 connection and of its streams.
enum HTTP2Pipeline {
    typealias Stream = NIOAsyncChannel<HTTPRequestPart, HTTPResponsePart>
    typealias Connection = NIOHTTP2Handler.AsyncStreamMultiplexer<Stream>

    static func add(
        to pipeline: ChannelPipeline.SynchronousOperations, settings: HTTPServerSettings,
        direct: DirectAnswers?, bodies: BodyBudget?, log: LogLimiter
    ) throws -> Connection {
        let (frames, end) = ends(settings, log)
        let allowance = bodies.map { BodyAllowance($0) }
        let boundEnd = NIOLoopBound(end, eventLoop: pipeline.eventLoop)
        try pipeline.addHandler(frames)
        let connection = try pipeline.configureAsyncHTTP2Pipeline(
            mode: .server,
            connectionManagerConfiguration: .init(
                maxIdleTime: TimeAmount(settings.keepAliveTime), maxAge: nil,
                maxGraceTime: TimeAmount(settings.goAwayGracePeriod), keepalive: nil),
            http2HandlerConfiguration: configuration(settings)
        ) { stream in
            stream.eventLoop.makeCompletedFuture {
                let guardian = HTTP2StreamGuard(
                    settings: settings, connection: boundEnd.value, bodies: allowance, log: log)
                let pipeline = stream.pipeline.syncOperations
                try pipeline.addHandler(guardian)
                try pipeline.addHandler(HTTP2FramePayloadToHTTP1ServerCodec())
                if let direct { try pipeline.addHandler(DirectAnswerHandler(direct, http2: guardian)) }
                try pipeline.addHandler(HTTP1ToHTTPServerCodec(secure: true))
                let http2 = try Stream(wrappingChannelSynchronously: stream)
                http2.keepUntilClosed()
                return http2
            }
        }
        let http2 = try pipeline.context(handlerType: NIOHTTP2Handler.self)
        try pipeline.addHandler(end, position: .after(http2.handler))
        // The idle time starts with this event, which came before the handlers did, while TLS was being negotiated.
        http2.fireChannelActive()
        return connection
    }

    /// The handlers below and above NIOHTTP2's, which know each other.
    private static func ends(
        _ settings: HTTPServerSettings, _ log: LogLimiter
    ) -> (HTTP2FrameMonitor, HTTP2ConnectionCloser) {
        weak var connectionEnd: HTTP2ConnectionCloser?
        let frames = HTTP2FrameMonitor(headerTime: settings.headerTime) { connectionEnd?.end($0) }
        let end = HTTP2ConnectionCloser(goAwayGracePeriod: settings.goAwayGracePeriod, log: log) { [weak frames] in
            frames?.isConnectionBroken ?? true
        }
        connectionEnd = end
        return (frames, end)
    }

    static func configuration(_ settings: HTTPServerSettings) -> NIOHTTP2Handler.Configuration {
        var configuration = NIOHTTP2Handler.Configuration()
        configuration.connection.initialSettings = [
            HTTP2Setting(parameter: .maxConcurrentStreams, value: settings.maximumConcurrentStreams),
            HTTP2Setting(parameter: .maxHeaderListSize, value: settings.maximumHeaderBytes),
        ]
        configuration.connection.maximumSequentialContinuationFrames = settings.maximumContinuations
        configuration.connection.maximumBufferedControlFrames = 1_000
        // Frames that were on their way when the server reset their streams are an error of the connection once the streams
        // are forgotten: all that can be open at a time are remembered.
        configuration.connection.maximumRecentlyResetStreams = 2 * settings.maximumConcurrentStreams
        configuration.stream.streamResetFrameRateLimit.maximumCount = settings.maximumStreamResets
        return configuration
    }
}
