import NIOCore
import NIOEmbedded
import TestSupport
import Testing

@testable import HTTPServer

/// Frames that do not arrive in time.
@Suite("HTTP/2 frames that come late", .defaultTimeLimit)
struct HTTP2HeaderTimeTests {
    private static let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)
    private static let settings = FrameClient.frame(FrameClient.settings, 0, 0, [])

    private static let unfinished: [String: [UInt8]] = [
        "nothing": [], "half a preface": Array(preface.prefix(10)), "no settings": preface,
        "no end of the header block": preface + settings
            + FrameClient.frame(FrameClient.headers, 0x1, 1, FrameClient.block("GET", "/a")),
        "no end of the frame": preface + settings
            + FrameClient.frame(FrameClient.headers, 0x5, 1, FrameClient.block("GET", "/a")).dropLast(),
        "no end of the frame's header": preface + settings + [0, 0, 4],
        "no end after CONTINUATION": preface + settings + FrameClient.frame(FrameClient.headers, 0x1, 1, [])
            + FrameClient.frame(FrameClient.continuation, 0, 1, []),
        "no byte of DATA for an idle stream": preface + settings
            + FrameClient.frame(FrameClient.data, 0, 99, [1, 2, 3]).prefix(9),
        "no byte of DATA for a stream that is complete": preface + settings
            + FrameClient.frame(FrameClient.headers, 0x5, 1, FrameClient.block("GET", "/a"))
            + FrameClient.frame(FrameClient.data, 0, 1, [1, 2, 3]).prefix(9),
        "no end of an unknown frame": preface + settings + FrameClient.frame(0x77, 0, 0, [1, 2, 3]).dropLast(),
    ]

    @Test(
        "A connection with an unfinished frame ends after the header's time, however long it may be idle",
        arguments: unfinished.keys.sorted())
    func cutOff(_ name: String) async throws {
        let files = try TestCertificates()
        let certificate = try ServerCertificate(
            certificateFile: files.path("a.pem"), keyFile: files.path("a.key"), logger: LogRecorder().logger)
        var settings = HTTPServerSettings.patient
        settings.headerTime = .milliseconds(200)
        try await withServer(settings: settings, certificate: certificate) { port in
            let client = try await RawClient(port: port, protocols: ["h2"])
            // On a slow machine the time may be up already.
            try? await client.send(#require(Self.unfinished[name]))
            while await client.receive() {}
            #expect(client.text.contains("a frame did not arrive in time"))
            await client.close()
        }
    }

    /// A watch on a channel whose clock the test sets.
    private final class Watch {
        let channel = EmbeddedChannel()
        private(set) var isTimeUp = false

        init() throws {
            try channel.pipeline.syncOperations.addHandler(
                HTTP2FrameMonitor(headerTime: .seconds(10)) { [weak self] _ in self?.isTimeUp = true })
        }

        func receive(_ bytes: [UInt8]) throws { try channel.writeInbound(ByteBuffer(bytes: bytes)) }

        func send(_ bytes: [UInt8]) throws { try channel.writeOutbound(ByteBuffer(bytes: bytes)) }

        func advance(_ time: TimeAmount) { channel.embeddedEventLoop.advanceTime(by: time) }
    }

    @Test("the timeout counts from a header's first byte to its last") func clock() throws {
        let watch = try Watch()
        try watch.receive(Self.preface + Self.settings)
        watch.advance(.seconds(100))
        let frames =
            FrameClient.frame(FrameClient.headers, 0x1, 1, [1, 2, 3])
            + FrameClient.frame(FrameClient.continuation, 0x4, 1, [4])
        for byte in frames.dropLast() {
            try watch.receive([byte])
            watch.advance(.nanoseconds(10_000_000_000 / Int64(frames.count)))
        }
        #expect(!watch.isTimeUp)
        try watch.receive([4])
        watch.advance(.seconds(100))
        #expect(!watch.isTimeUp)
        try watch.receive(FrameClient.frame(FrameClient.headers, 0x1, 3, []))
        watch.advance(.milliseconds(9_999))
        // Frames that have ended meanwhile do not lengthen the time.
        try watch.receive(FrameClient.frame(FrameClient.continuation, 0, 3, [1]))
        #expect(!watch.isTimeUp)
        watch.advance(.milliseconds(1))
        #expect(watch.isTimeUp)
    }

    /// The connection's start, and a request whose body is open.
    private static let request = preface + settings + FrameClient.frame(FrameClient.headers, 0x4, 1, [1])
    private static let unfinishedData = FrameClient.frame(FrameClient.data, 0x1, 1, [1, 2, 3]).dropLast()

    @Test("A frame of an open body may take longer, since the stream measures it") func body() throws {
        let watch = try Watch()
        try watch.receive(Self.request)
        for byte in FrameClient.frame(FrameClient.data, 0, 1, [1, 2, 3]) {
            try watch.receive([byte])
            watch.advance(.seconds(1))
        }
        try watch.receive(Array(Self.unfinishedData))
        watch.advance(.seconds(100))
        #expect(!watch.isTimeUp)
    }

    @Test(
        "A frame of a body that is over has the time of other frames",
        arguments: [
            FrameClient.frame(FrameClient.data, 0x1, 1, []), FrameClient.frame(FrameClient.reset, 0, 1, [0, 0, 0, 8]),
            FrameClient.frame(FrameClient.headers, 0x5, 1, [1]),
        ])
    func bodyOver(end: [UInt8]) throws {
        let watch = try Watch()
        try watch.receive(Self.request + end + Self.unfinishedData)
        watch.advance(.milliseconds(9_999))
        #expect(!watch.isTimeUp)
        watch.advance(.milliseconds(1))
        #expect(watch.isTimeUp)
    }

    @Test("The timeout of an unfinished frame starts when the server resets its stream") func reset() throws {
        let watch = try Watch()
        try watch.receive(Self.request + Self.unfinishedData)
        watch.advance(.seconds(100))
        try watch.send(FrameClient.frame(FrameClient.reset, 0, 1, [0, 0, 0, 0]))
        watch.advance(.milliseconds(9_999))
        #expect(!watch.isTimeUp)
        watch.advance(.milliseconds(1))
        #expect(watch.isTimeUp)
    }
}
