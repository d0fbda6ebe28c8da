import HTTPTypes
import NIOCore
import NIOHPACK
import TestSupport
import Testing

@testable import HTTPServer

/// The server's memory for bodies from unknown clients.
@Suite("The budget for bodies of unknown clients", .defaultTimeLimit)
struct BodyBudgetTests {
    private static let kilobyte = 1 << 10

    /// 64 KB in all by default, 40 KB from one address. A client is known by its cookie; `X-From` names the
    /// address of the others.
    private static func rules(total: Int = 64 * kilobyte) -> RequestBodyRules {
        var rules = RequestBodyRules(longestBody: 100 * kilobyte) { headers, _ in
            guard headers[.cookie] == nil else { return .known }
            return .unknown(
                HTTPField.Name("X-From").flatMap { headers[$0] }.flatMap { IPAddress($0) }.map { .init($0) })
        } refusal: { path, status, message in
            ([.contentType: "text/test"], ByteBuffer(string: "<\(path) \(status.code) \(message)>"))
        }
        rules.uncountedBytes = 4 * kilobyte
        rules.maximumBytes = total
        rules.maximumBytesPerAddress = 40 * kilobyte
        return rules
    }

    /// A request over one of both protocols, whose body is sent up to its last byte.
    private enum Upload {
        case http1(RawClient, length: Int)
        case http2(FrameClient)

        init(port: Int, isHTTP2: Bool, length: Int, headers: [(String, String)] = []) async throws {
            let body = [UInt8](repeating: 0x61, count: length - 1)
            if isHTTP2 {
                let client = try await FrameClient(port: port)
                try await client.sendHeaders(FrameClient.block("POST", "/arriving", headers), ends: false)
                // Within the stream's window.
                for start in stride(from: 0, to: body.count, by: 16_000) {
                    let part = Array(body[start..<min(start + 16_000, body.count)])
                    try? await client.send(FrameClient.data, 0, 1, part)
                }
                self = .http2(client)
            } else {
                let client = try await RawClient(port: port)
                let lines = headers.map { "\($0): \($1)\r\n" }.joined()
                try await client.send("POST /arriving HTTP/1.1\r\nHost: h\r\nContent-Length: \(length)\r\n\(lines)\r\n")
                try? await client.send(body)
                self = .http1(client, length: length)
            }
        }

        /// Sends the last byte.
        func finish() async throws {
            switch self {
            case .http1(let client, _): try await client.send([0x61])
            case .http2(let client): try await client.send(FrameClient.data, 1, 1, [0x61])
            }
        }

        /// Returns the response in HTTP/1's form.
        func answer() async throws -> String {
            switch self {
            case .http1(let client, _): return await client.read(until: ">")
            case .http2(let client):
                guard let headers = await client.next(FrameClient.headers) else { return "" }
                let fields = try client.decode(headers)
                let body = await client.next(FrameClient.data)?.payload ?? []
                let lines = fields.map { "\($0.name): \($0.value)\r\n" }.joined()
                let status = fields.first(name: ":status") ?? ""
                return "HTTP/1.1 \(status) \r\n" + lines + "\r\n" + String(decoding: body, as: UTF8.self)
            }
        }

        func close() async {
            switch self {
            case .http1(let client, _): await client.close()
            case .http2(let client): await client.raw.close()
            }
        }
    }

    /// Waits until the server has got so many bytes of a body.
    private func arrival(of bytes: Int, _ seen: Seen) async throws {
        try await waitUntil { seen.all.contains("\(bytes) arrived") }
    }

    private func withServer(
        isHTTP2: Bool, settings: HTTPServerSettings = .patient, rules: RequestBodyRules = rules(), seen: Seen = Seen(),
        _ body: (_ port: Int) async throws -> Void
    ) async throws {
        let files = try TestCertificates()
        let certificate =
            isHTTP2
            ? try ServerCertificate(
                certificateFile: files.path("a.pem"), keyFile: files.path("a.key"), logger: LogRecorder().logger) : nil
        // Each client closes its connection. The server does not cut off one that is held up while it still sends.
        var settings = settings
        settings.lingerTime = .noLimit
        try await HTTPServerTests.withServer(
            settings: settings, certificate: certificate, bodies: rules, seen: seen, body)
    }

    @Test("The lines of a body's chunks may have as many bytes as a body")
    func chunkLines() async throws {
        try await withServer(isHTTP2: false) { port in
            for (lines, status) in [(10, 200), (20, 413)] {
                let client = try await RawClient(port: port)
                try await client.send(
                    "POST /size HTTP/1.1\r\nHost: h\r\nCookie: a\r\nTransfer-Encoding: chunked\r\n\r\n")
                let line = "1;" + String(repeating: "x", count: 8_000) + "\r\na\r\n"
                for _ in 0..<lines { try? await client.send(line) }
                try? await client.send("0\r\n\r\n")
                #expect(await client.read(until: "\r\n").prefix(12) == "HTTP/1.1 \(status)")
                await client.close()
            }
        }
    }

    @Test("The lines of a body's chunks that come with its end, and its trailers, count too")
    func linesWithTheEnd() async throws {
        var rules = Self.rules()
        rules.longestBody = Self.kilobyte
        let long = String(repeating: "x", count: 2_000)
        try await withServer(isHTTP2: false, rules: rules) { port in
            for (body, status) in [
                ("1\r\na\r\n0\r\n\r\n", 200), ("1;\(long)\r\na\r\n0\r\n\r\n", 413),
                ("1\r\na\r\n0;\(long)\r\n\r\n", 413), ("1\r\na\r\n0\r\nT: \(long)\r\n\r\n", 413),
            ] {
                let client = try await RawClient(port: port)
                try await client.send(
                    "POST /size HTTP/1.1\r\nHost: h\r\nCookie: a\r\nTransfer-Encoding: chunked\r\n\r\n" + body)
                let answer = await client.read(until: "\r\n")
                #expect(answer.prefix(12) == "HTTP/1.1 \(status)", "\(body.prefix(10))")
                await client.close()
            }
        }
    }

    @Test("A request beyond the limit for one address gets 429", arguments: [false, true])
    func perAddress(isHTTP2: Bool) async throws {
        let seen = Seen()
        try await withServer(isHTTP2: isHTTP2, seen: seen) { port in
            let from = [("x-from", "192.0.2.1")]
            let first = try await Upload(port: port, isHTTP2: isHTTP2, length: 40_000, headers: from)
            try await arrival(of: 39_999, seen)
            let second = try await Upload(port: port, isHTTP2: isHTTP2, length: 40_000, headers: from)
            let answer = try await second.answer()
            #expect(answer.hasPrefix("HTTP/1.1 429 "))
            #expect(answer.lowercased().contains("retry-after: 5\r\n"))
            #expect(answer.contains("</arriving 429 the server holds too many bodies"))
            #expect(answer.contains("limits.bodiesPerAddress"))
            // Another address is not concerned, and the first request goes on.
            let other = try await Upload(
                port: port, isHTTP2: isHTTP2, length: 20_000, headers: [("x-from", "192.0.2.2")])
            try await other.finish()
            #expect(try await other.answer().contains("<20000 bytes>"))
            try await first.finish()
            #expect(try await first.answer().contains("<40000 bytes>"))
            for upload in [first, second, other] { await upload.close() }
        }
    }

    @Test(
        "A request beyond the limit for all gets 503, but not a known client's or a short one",
        arguments: [false, true])
    func inAll(isHTTP2: Bool) async throws {
        let seen = Seen()
        try await withServer(isHTTP2: isHTTP2, seen: seen) { port in
            let first = try await Upload(port: port, isHTTP2: isHTTP2, length: 50_000)
            try await arrival(of: 49_999, seen)
            let second = try await Upload(port: port, isHTTP2: isHTTP2, length: 50_000)
            let answer = try await second.answer()
            #expect(answer.hasPrefix("HTTP/1.1 503 "))
            #expect(answer.contains("limits.bodies)"))
            let known = try await Upload(port: port, isHTTP2: isHTTP2, length: 50_000, headers: [("cookie", "a=b")])
            let short = try await Upload(port: port, isHTTP2: isHTTP2, length: 4_000)
            for (upload, length) in [(known, 50_000), (short, 4_000), (first, 50_000)] {
                try await upload.finish()
                #expect(try await upload.answer().contains("<\(length) bytes>"))
            }
            // The whole budget is free again.
            let last = try await Upload(port: port, isHTTP2: isHTTP2, length: 60_000)
            try await last.finish()
            #expect(try await last.answer().contains("<60000 bytes>"))
            for upload in [first, second, known, short, last] { await upload.close() }
        }
    }

    @Test("HTTP/2: many short bodies on one connection count together, and are not more than the limit")
    func manyShort() async throws {
        try await withServer(isHTTP2: true, rules: Self.rules(total: 20 * Self.kilobyte)) { port in
            let client = try await FrameClient(port: port)
            let streams = Array(stride(from: 1, to: 33, by: 2))
            for stream in streams {
                try await client.sendHeaders(FrameClient.block("POST", "/arriving"), stream: stream, ends: false)
                try await client.send(FrameClient.data, 0, stream, [UInt8](repeating: 0x61, count: 3_900))
            }
            // 4 KB of the connection and 20 KB of all hold six of them.
            for _ in streams.dropFirst(6) {
                let headers = try client.decode(#require(await client.next(FrameClient.headers)))
                #expect(headers.first(name: ":status") == "503")
            }
            let other = try await Upload(port: port, isHTTP2: true, length: 4_000)
            try await other.finish()
            #expect(try await other.answer().contains("<4000 bytes>"))
            await other.close()
            for stream in streams.prefix(6) {
                try await client.send(FrameClient.data, 1, stream, [0x61])
                let headers = try client.decode(#require(await client.next(FrameClient.headers)))
                #expect(headers.first(name: ":status") == "200")
            }
            await client.raw.close()
        }
    }

    @Test("The bytes of a request whose client disconnects are released", arguments: [false, true])
    func gone(isHTTP2: Bool) async throws {
        var settings = HTTPServerSettings.patient
        // Not only then.
        settings.goAwayGracePeriod = .noLimit
        try await withServer(isHTTP2: isHTTP2, settings: settings) { port in
            for _ in 1...5 {
                let upload = try await Upload(port: port, isHTTP2: isHTTP2, length: 60_000)
                await upload.close()
                // The server sees the end a moment later; until then it refuses.
                var answer = ""
                while !answer.contains("<60000 bytes>") {
                    let next = try await Upload(port: port, isHTTP2: isHTTP2, length: 60_000)
                    try? await next.finish()
                    answer = try await next.answer()
                    await next.close()
                }
            }
        }
    }

    @Test("A body whose declared length is too long gets 413, before it is sent", arguments: [false, true])
    func tooLong(isHTTP2: Bool) async throws {
        let seen = Seen()
        try await withServer(isHTTP2: isHTTP2, seen: seen) { port in
            let length = 100 * Self.kilobyte + 1
            let upload: Upload
            if isHTTP2 {
                let client = try await FrameClient(port: port)
                let block = FrameClient.block("POST", "/size", [("content-length", String(length))])
                try await client.sendHeaders(block, ends: false)
                upload = .http2(client)
            } else {
                let client = try await RawClient(port: port)
                try await client.send(
                    "POST /size HTTP/1.1\r\nHost: h\r\nContent-Length: \(length)\r\nExpect: 100-continue\r\n\r\n")
                upload = .http1(client, length: length)
            }
            let answer = try await upload.answer()
            #expect(answer.hasPrefix("HTTP/1.1 413 "))
            #expect(answer.contains("limits.request"))
            await upload.close()
        }
        #expect(seen.all == [])
    }

    @Test("A body whose declared length is not too long may come") func expected() async throws {
        try await withServer(isHTTP2: false) { port in
            let client = try await RawClient(port: port)
            try await client.send("POST /size HTTP/1.1\r\nHost: h\r\nContent-Length: 9\r\nExpect: 100-continue\r\n\r\n")
            #expect(await client.read(until: "\r\n\r\n") == "HTTP/1.1 100 Continue\r\n\r\n")
            try await client.send("123456789")
            #expect(await client.read(until: "<9 bytes>").hasPrefix("HTTP/1.1 200 OK\r\n"))
            await client.close()
        }
    }
}
