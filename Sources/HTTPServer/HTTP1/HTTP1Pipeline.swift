import Core
import NIOCore
import NIOHTTP1
import NIOHTTPTypesHTTP1

/// The handlers of an HTTP/1 connection, from the bytes to the parts that Hummingbird handles.
enum HTTP1Pipeline {
    static func add(
        to pipeline: ChannelPipeline.SynchronousOperations, isSecure: Bool, settings: HTTPServerSettings,
        direct: DirectAnswers? = nil, bodies: BodyBudget? = nil, log: LogLimiter? = nil
    ) throws {
        let guardian = HTTP1Guard(settings: settings, isSecure: isSecure, bodies: bodies, log: log)
        var limits = NIOHTTPDecoderLimitConfiguration()
        // RequestLineSanitizer counts what is sent; here there is room for a line that mending has made three times as long.
        limits.maxHeaderListSize = settings.maximumHeaderBytes + 3 * settings.maximumRequestLine
        limits.maxHeaderFieldSize = limits.maxHeaderListSize
        limits.maxHeaderFieldCount = settings.maximumHeaderCount
        try pipeline.addHandler(RequestLineSanitizer(guardian: guardian, settings: settings))
        try pipeline.configureHTTPServerPipeline(
            withPipeliningAssistance: false, withErrorHandling: false, withOutboundHeaderValidation: true,
            withEncoderConfiguration: .init(), withDecoderLimitConfiguration: limits)
        try pipeline.addHandler(guardian)
        if let direct { try pipeline.addHandler(DirectAnswerHandler(direct, http1: guardian)) }
        try pipeline.addHandler(HTTP1ToHTTPServerCodec(secure: isSecure))
    }
}
