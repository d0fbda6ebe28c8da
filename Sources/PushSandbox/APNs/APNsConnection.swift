import Foundation
import NIOCore
import NIOHPACK
import NIOHTTP2
import NIOSSL

/// One connection to APNs' side.
///
/// It works on frames, without a channel for each stream, which is several times as fast; benchmarks run against it.
final class APNsConnection: ChannelInboundHandler {
    typealias InboundIn = HTTP2Frame
    typealias OutboundOut = HTTP2Frame

    /// Far more than any payload that is let through.
    private static let mostBodyBytes = 16_384
    /// The bytes that a connection may send before the sandbox has acknowledged them.
    private static let connectionWindow = 1 << 24

    let core: SandboxCore
    let number: Int
    var credential: ConnectionCredential
    /// Requests whose end has not come, by their streams.
    private var incoming: [HTTP2StreamID: APNsRequest] = [:]
    /// The streams that were taken and have no response yet.
    var unanswered: Set<HTTP2StreamID> = []
    /// The last stream that is still served, once GOAWAY was sent.
    var lastStream: HTTP2StreamID?
    /// The last stream whose request was not put off by a fault.
    var lastDecided = HTTP2StreamID.rootStream
    var hasAnnouncedStreams: Bool
    private var unacknowledgedBytes = 0
    private var isReading = false
    private var needsFlush = false

    private init(core: SandboxCore, certificateTopic: String?) {
        self.core = core
        number = core.nextConnection()
        credential = ConnectionCredential(certificateTopic: certificateTopic)
        hasAnnouncedStreams = !core.settings.startsWithOneStream
    }

    /// Adds the handlers to a channel that has agreed on HTTP/2. Apple's servers speak nothing else.
    static func add(to channel: any Channel, negotiated: String?, core: SandboxCore) throws {
        guard negotiated == "h2" else {
            channel.close(promise: nil)
            return
        }
        let pipeline = channel.pipeline.syncOperations
        let certificate = try pipeline.handler(type: NIOSSLServerHandler.self).peerCertificate
        let topic = try certificate.flatMap { try SandboxCertificateAuthority.topic(of: $0.toDERBytes()) }
        let connection = APNsConnection(core: core, certificateTopic: topic)

        var configuration = NIOHTTP2Handler.ConnectionConfiguration()
        configuration.initialSettings = [
            HTTP2Setting(
                parameter: .maxConcurrentStreams,
                value: connection.hasAnnouncedStreams ? core.settings.maximumConcurrentStreams : 1),
            HTTP2Setting(parameter: .maxHeaderListSize, value: 8_000),
        ]
        configuration.maximumBufferedControlFrames = 1_000_000
        configuration.maximumRecentlyResetStreams = 10_000
        configuration.controlFrameRateLimit.maximumCount = .max
        // Every frame that comes after GOAWAY for a later stream is one.
        configuration.maximumConnectionGlitches = .max
        var stream = NIOHTTP2Handler.StreamConfiguration()
        stream.streamResetFrameRateLimit.maximumCount = .max
        stream.streamErrorRateLimit.maximumCount = .max
        try pipeline.addHandler(
            NIOHTTP2Handler(mode: .server, connectionConfiguration: configuration, streamConfiguration: stream))
        try pipeline.addHandler(connection)
    }

    func handlerAdded(context: ChannelHandlerContext) {
        write(.windowUpdate(windowSizeIncrement: Self.connectionWindow), to: .rootStream, context: context)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        isReading = true
        let frame = unwrapInboundIn(data)
        switch frame.payload {
        case .headers(let headers): read(headers, of: frame.streamID, context: context)
        case .data(let data): read(data, of: frame.streamID, context: context)
        case .rstStream:
            incoming[frame.streamID] = nil
            unanswered.remove(frame.streamID)
        default: break
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        isReading = false
        if needsFlush {
            needsFlush = false
            context.flush()
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // The HTTP/2 handler responds to errors of single streams.
        if error is NIOHTTP2Errors.StreamError { return }
        // A frame that a client sent before it received GOAWAY is an error of the connection to NIO, once all remaining requests have their
        // responses. The client closes; until then it must receive the GOAWAY and its responses.
        if lastStream != nil, error is any NIOHTTP2Error { return }
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        incoming = [:]
        unanswered = []
        context.fireChannelInactive()
    }

    private func read(
        _ headers: HTTP2Frame.FramePayload.Headers, of stream: HTTP2StreamID, context: ChannelHandlerContext
    ) {
        // Trailers have nothing to say.
        if let request = incoming[stream] {
            if headers.endStream { take(request, on: stream, context: context) }
            return
        }
        if let lastStream, stream > lastStream { return }
        let request = APNsRequest(headers.headers)
        if headers.endStream {
            take(request, on: stream, context: context)
        } else {
            incoming[stream] = request
        }
    }

    private func read(_ data: HTTP2Frame.FramePayload.Data, of stream: HTTP2StreamID, context: ChannelHandlerContext) {
        guard case .byteBuffer(var bytes) = data.data else { return }
        unacknowledgedBytes += bytes.readableBytes + (data.paddingBytes.map { $0 + 1 } ?? 0)
        if unacknowledgedBytes > Self.connectionWindow / 2 {
            write(.windowUpdate(windowSizeIncrement: unacknowledgedBytes), to: .rootStream, context: context)
            unacknowledgedBytes = 0
        }
        guard incoming[stream] != nil else { return }
        if incoming[stream]?.body.readableBytes == 0 {
            incoming[stream]?.body = bytes
        } else {
            incoming[stream]?.body.writeBuffer(&bytes)
        }
        guard let request = incoming[stream] else { return }
        if data.endStream || request.body.readableBytes > Self.mostBodyBytes {
            take(request, on: stream, context: context)
        }
    }

    private func take(_ request: APNsRequest, on stream: HTTP2StreamID, context: ChannelHandlerContext) {
        incoming[stream] = nil
        if let lastStream, stream > lastStream { return }
        unanswered.insert(stream)
        decide(request, on: stream, context: context)
    }

    /// Writes a frame, which is sent when everything that was read has been dealt with.
    func write(_ payload: HTTP2Frame.FramePayload, to stream: HTTP2StreamID, context: ChannelHandlerContext) {
        context.write(wrapOutboundOut(HTTP2Frame(streamID: stream, payload: payload)), promise: nil)
        if isReading {
            needsFlush = true
        } else {
            context.flush()
        }
    }
}
