import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import TestSupport
import Testing

@testable import HTTPServer

@Suite(.defaultTimeLimit) struct ResponseHeaderTests {
    @Test(
        "A header with a control character is refused",
        arguments: ["a\rb", "a\nb", "a\r\nSet-Cookie: b", "a\u{0}b", "a\u{7F}b", "a\u{1B}b"]) func value(
            _ value: String
        )
    {
        #expect(throws: ResponseHeaderError.self) { try ResponseHeader.field(name: "X-A", value: value) }
    }

    @Test(
        "A header with a name that is none is refused", arguments: ["", "X A", "X-A:", "X\r\nY", "Ä", "X\u{0}", " X"])
    func name(_ name: String) {
        #expect(throws: ResponseHeaderError(name: name, problem: .name)) {
            try ResponseHeader.field(name: name, value: "a")
        }
    }

    @Test(
        "A header that frames the message is refused", arguments: ["Content-Length", "TRANSFER-ENCODING", "connection"])
    func reserved(_ name: String) {
        #expect(throws: ResponseHeaderError(name: name, problem: .reserved)) {
            try ResponseHeader.field(name: name, value: "1")
        }
    }

    @Test("the error shows the invalid character in escaped form") func description() {
        let error = ResponseHeaderError(name: "X\r\nY", problem: .value(0x0A))
        #expect(error.description == #"header 'X\r\nY': its value holds the control character 0x0A"#)
    }

    @Test("Other headers pass, also with a tab or beyond ASCII", arguments: ["a", "", "a\tb", "Jörg", "a, b; c=\"d\""])
    func good(_ value: String) throws {
        #expect(try ResponseHeader.field(name: "X-A", value: value).value == value)
    }

    /// The framework's treatment of an unchecked header.
    @Test("A header value that would split the response is sent with blanks instead") func splitting() async throws {
        let router = Router()
        router.get("split") { _, _ in
            var response = Response(status: .ok)
            response.headers[.init("X-A")!] = "a\r\nSet-Cookie: b\u{0}c"
            response.headers[.init("X-B")!] = "Jörg"
            return response
        }
        let (ports, continuation) = AsyncStream<Int>.makeStream()
        let application = Application(
            router: router, server: .transport(settings: .patient, logger: LogRecorder().logger),
            configuration: .init(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { channel in continuation.yield(channel.localAddress?.port ?? 0) },
            logger: Logger(label: "hummingbird") { _ in SwiftLogNoOpLogHandler() })
        let server = Task { try await application.run() }
        defer { server.cancel() }
        var iterator = ports.makeAsyncIterator()
        let client = try await RawClient(port: #require(await iterator.next()))
        try await client.send("GET /split HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n")
        let answer = await client.readToEnd()
        #expect(answer.contains("\r\nX-A: a  Set-Cookie: b c\r\n"))
        #expect(answer.contains("\r\nX-B: Jörg\r\n"))
        #expect(!answer.contains("\r\nSet-Cookie"))
        await client.close()
    }
}
