import NIOCore
import NIOHTTP2
import NIOHTTPTypes
import NIOHTTPTypesHTTP2

/// The handlers of an HTTP/2 connection and of its streams.
enum HTTP2Pipeline {
    typealias Stream = NIOAsyncChannel<HTTPRequestPart, HTTPResponsePart>
    typealias Connection = NIOHTTP2Handler.AsyncStreamMultiplexer<Stream>

    static func add(
        to pipeline: ChannelPipeline.SynchronousOperations, settings: TransportSettings
    ) throws -> Connection {
        let connection = try pipeline.configureAsyncHTTP2Pipeline(
            mode: .server,
            connectionManagerConfiguration: .init(
                maxIdleTime: TimeAmount(settings.keepAliveTime), maxAge: nil,
                maxGraceTime: TimeAmount(settings.goodbyeTime), keepalive: nil),
            http2HandlerConfiguration: configuration(settings)
        ) { stream in
            stream.eventLoop.makeCompletedFuture {
                try stream.pipeline.syncOperations.addHandler(HTTP2StreamGuard(settings: settings))
                try stream.pipeline.syncOperations.addHandler(HTTP2FramePayloadToHTTPServerCodec())
                let http2 = try Stream(wrappingChannelSynchronously: stream)
                http2.keepUntilClosed()
                return http2
            }
        }
        let frames = try pipeline.context(handlerType: NIOHTTP2Handler.self)
        try pipeline.addHandler(
            HTTP2ConnectionEnd(goodbyeTime: settings.goodbyeTime), position: .after(frames.handler))
        // The idle time starts with this event, which came before the handlers did, while TLS was being negotiated.
        frames.fireChannelActive()
        return connection
    }

    static func configuration(_ settings: TransportSettings) -> NIOHTTP2Handler.Configuration {
        var configuration = NIOHTTP2Handler.Configuration()
        configuration.connection.initialSettings = [
            HTTP2Setting(parameter: .maxConcurrentStreams, value: settings.maximumConcurrentStreams),
            HTTP2Setting(parameter: .maxHeaderListSize, value: settings.maximumHeaderBytes),
        ]
        configuration.connection.maximumSequentialContinuationFrames = settings.maximumContinuations
        configuration.connection.maximumBufferedControlFrames = 1_000
        configuration.stream.streamResetFrameRateLimit.maximumCount = settings.maximumStreamResets
        return configuration
    }
}
