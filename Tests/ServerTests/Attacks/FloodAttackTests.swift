import Authentication
import Core
import HTTPServer
import Logging
import NIOCore
import NIOHTTP1
import TestSupport
import Testing

@testable import Installation

@Suite("Attacks by sheer amount", .serialized, .defaultTimeLimit)
struct FloodAttackTests {
    /// Checks that the server still responds. A client that is delayed for longer than a test's limit on headers asks again.
    private func check(_ server: RunningServer) async throws {
        var answer: String
        repeat {
            try Task.checkCancellation()
            answer = try await server.sendRaw("GET", "/apps/services/reach")
        } while answer.isEmpty || answer.hasPrefix("HTTP/1.1 408")
        #expect(answer.hasSuffix("OK"))
    }

    @Test(
        "A thousand cookies: the right one counts when it is among the first",
        arguments: WireProtocol.allCases)
    func cookies(version: WireProtocol) async throws {
        try await RunningServer.attacked(over: version) { (server) async throws in
            let client = WireClient(server)
            try await client.call("keep", #"["mine"]"#)
            let many = (0..<1000).map { "c\($0)=\($0)" }.joined(separator: "; ")
            let own = "JSESSIONID=\(client.session ?? "")"
            for cookies in ["\(many); \(own)", "\(own); \(many)"] {
                let answer = try await server.sendRaw(
                    "POST", client.root + "query?adapter=A&procedure=kept",
                    headers: ["Cookie: \(cookies)", "WL-Instance-Id: \(client.instanceID ?? "")"])
                #expect(answer.contains(#""value":"mine""#))
            }
            let sessions = (0..<1000).map { "JSESSIONID=\($0)" }.joined(separator: "; ")
            let answer = try await server.sendRaw("POST", client.root + "init", headers: ["Cookie: \(sessions)"])
            #expect(answer.hasPrefix("HTTP/1.1 401"))
        }
    }

    @Test("Headers beyond 64 KB, or beyond two hundred, are refused")
    func headers() async throws {
        try await RunningServer.attacked { (server) async throws in
            let long = try await server.sendRaw(
                "GET", "/apps/services/reach", headers: ["X-Long: " + String(repeating: "x", count: 70_000)])
            #expect(long.hasPrefix("HTTP/1.1 431"))
            let many = try await server.sendRaw("GET", "/apps/services/reach", headers: (0..<500).map { "X-\($0): x" })
            #expect(many.hasPrefix("HTTP/1.1 431"))
            try await check(server)
        }
    }

    @Test("A header that comes a byte at a time is not waited for")
    func slowHeader() async throws {
        try await RunningServer.attacked(change: { $0.transport.headerTime = .seconds(2) }) {
            (server) async throws in
            let answer = try await RawClient(port: server.port).exchange("GET / HTTP/1.1\r\nX: ")
            // If this machine is so slow that nothing has come by then, the connection is closed without a response.
            #expect(answer.isEmpty || answer.hasPrefix("HTTP/1.1 408"))
            try await check(server)
        }
    }

    @Test("A body that does not come is not waited for")
    func slowBody() async throws {
        try await RunningServer.attacked(change: { $0.transport.bodyIdleTime = .milliseconds(300) }) {
            (server) async throws in
            let answer = try await RawClient(port: server.port).exchange(
                "POST /invoke HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\nadapter=")
            #expect(!answer.hasPrefix("HTTP/1.1 2"))
            try await check(server)
        }
    }

    @Test("Many slow connections block no other client")
    func manySlow() async throws {
        try await RunningServer.attacked(change: { $0.transport.headerTime = .seconds(3) }) {
            (server) async throws in
            try await withThrowingTaskGroup(of: String.self) { group in
                for _ in 0..<200 {
                    group.addTask { try await RawClient(port: server.port).exchange("POST /invoke HT") }
                }
                try await check(server)
                for try await answer in group { #expect(!answer.hasPrefix("HTTP/1.1 2")) }
            }
        }
    }

    @Test(
        "A body of 100 MB is refused, and the server stops reading long before its end",
        arguments: ["Content-Length: 104857600", "Transfer-Encoding: chunked"])
    func longBody(framing: String) async throws {
        try await RunningServer.attacked(change: { $0.longestRequest = 1 << 20 }) { (server) async throws in
            let size = 1 << 16
            var flood = ByteBuffer()
            if framing.hasPrefix("T") { flood.writeString("10000\r\n") }
            flood.writeRepeatingByte(UInt8(ascii: "x"), count: size)
            if framing.hasPrefix("T") { flood.writeString("\r\n") }
            for target in ["/invoke", "/apps/services/loguploader", "/apps/services/api/App/desktopbrowser/init"] {
                let client = try await RawClient(port: server.port, staysHalfOpen: false)
                try? await client.send("POST \(target) HTTP/1.1\r\nHost: localhost\r\n\(framing)\r\n\r\n")
                let writer = Task { [channel = client.channel, flood] in
                    var sent = 0
                    while sent < 100 << 20, (try? await channel.writeAndFlush(flood).get()) != nil { sent += size }
                    return sent
                }
                let answer = await client.readToEnd()
                await client.close()
                let flooded = await writer.value
                #expect(answer.hasPrefix("HTTP/1.1 413"))
                // The system's own buffers add to the bytes that the server has read.
                #expect(flooded < 30 << 20)
            }
            try await check(server)
        }
    }

    @Test("A body of 100 MB over HTTP/2 is refused too, before most of it is sent")
    func longBodyOverHTTP2() async throws {
        try await RunningServer.attacked(over: .http2, change: { $0.longestRequest = 1 << 20 }) {
            (server) async throws in
            let body = [UInt8](repeating: UInt8(ascii: "x"), count: 100 << 20)
            for target in ["/invoke", "/apps/services/loguploader", "/apps/services/api/App/desktopbrowser/init"] {
                let client = try await FrameClient(port: server.port)
                let answer = try #require(try await client.exchange("POST", target, body: body))
                #expect(answer.status == "413")
                #expect(answer.sent < 4 << 20)
                await client.raw.close()
            }
            try await check(server)
        }
    }

    private static let levels = TestExtent.size(1500, full: 100_000)
    private static let deep = String(repeating: "[", count: levels) + String(repeating: "]", count: levels)
    private static let deepObject =
        String(repeating: #"{"a":"#, count: levels) + "1" + String(repeating: "}", count: levels)

    @Test("JSON of many thousand levels, wherever JSON is read", arguments: WireProtocol.cases(["[", "{"]))
    func deepJSON(kind: String, version: WireProtocol) async throws {
        let json = kind == "[" ? Self.deep : Self.deepObject
        try await RunningServer.attacked(over: version) { (server) async throws in
            let client = WireClient(server, device: "phone-1")
            try await client.act("init")
            try await client.act("notifications", [("updateToken", "token-1")])
            let call = [("adapter", "A"), ("procedure", "echo")]
            for fields in [[("parameters", json)], [("parameters", "[\(json)]")], [("__wl_deviceCtxDelta", json)]] {
                _ = try await client.act("query", call + fields)
                _ = try await client.send("/invoke", call + fields)
                _ = try await WireClient(server).sendOnce(.POST, "/invoke", call + fields)
            }
            _ = try await WireClient(server).sendOnce(.POST, "/dev/invoke", call + [("parameters", json)])
            _ = try await WireClient(server).sendOnce(.POST, "/adapters/A/echo", [("params", json)])
            try await client.act(
                "notifications", [("subscribe", json), ("adapter", "A"), ("eventSource", "Open")])
            try await client.act("setup", [("userprefs", json)])
            try await client.act("setup", [("userprefs", #"{"a":\#(json)}"#)])
            try await client.act("composite", [("requests", json)])
            try await client.act("events", [("events", json)])
            try await client.act("events", [("events", "[\(json)]")])
            try await client.sendOnce(.POST, "/apps/services/loguploader", [("__logdata", json)])
            try await client.sendOnce(.POST, "/apps/services/loguploader", [("__logdata", #"{"msg":\#(json)},"#)])
            try await client.sendOnce(.POST, "/authorization/v1/clients/instance", [("CSR", "\(json).\(json).x")])
            _ = try await server.sendRaw("POST", "/apps/services/loguploader", body: #"{"__logdata":\#(json)}"#)
            let body = try await server.sendRaw(
                "POST", client.root + "authenticate", headers: ["Authorization: wl-authorization-in-body"],
                body: #"{"wl_deviceNoProvisioningRealm":\#(json)}"#)
            #expect(body.hasPrefix("HTTP/1.1 403"))
            let header =
                #"{"wl_deviceNoProvisioningRealm":{"a":"# + String(json.prefix(15_000))
            let answer = try await server.sendRaw("POST", client.root + "init", headers: ["Authorization: \(header)"])
            #expect(answer.hasPrefix("HTTP/1.1 403"))
            try await check(server)
            #expect(try await client.call("echo", "[1]")["got"] == [1])
        }
    }

    @Test(
        "Challenge responses in a body are refused unread beyond 64 KB", arguments: [(60_000, 401), (70_000, 403)])
    func longAnswers(length: Int, status: Int) async throws {
        try await RunningServer.attacked { (server) async throws in
            let client = WireClient(server)
            let answers = #"{"wl_remoteDisableRealm":"\#(String(repeating: "x", count: length))"}"#
            let answer = try await server.sendRaw(
                "POST", client.root + "authenticate", headers: ["Authorization: wl-authorization-in-body"],
                body: answers)
            #expect(answer.hasPrefix("HTTP/1.1 \(status)"), "\(answer)")
            #expect(answer.contains("the challenge response is longer than 65536 bytes") == (status == 403))
        }
    }

    @Test("A token with deep JSON in it is refused")
    func deepToken() async throws {
        try await RunningServer.attacked { (server) async throws in
            let client = TokenClient(server)
            let deep = String(repeating: "[", count: 2_500) + String(repeating: "]", count: 2_500)
            #expect(try await client.register(try client.sign(#"{"deviceId":\#(deep)}"#)).status == 400)
            try await check(server)
        }
    }

    @Test("A small upload that unpacks to a lot is ignored, with a log line", arguments: WireProtocol.any)
    func gzipBomb(version: WireProtocol) async throws {
        let log = LogRecorder()
        try await RunningServer.attacked(over: version, log: log, change: { $0.longestRequest = 4 << 20 }) {
            (server) async throws in
            let bomb = GzipBomb.blanks
            #expect((1..<2 << 20).contains(bomb.readableBytes))
            let answer = try await server.upload(
                bomb, to: "/apps/services/loguploader", headers: [("Content-Encoding", "gzip")])
            #expect(answer.hasPrefix("HTTP/1.1 201"))
            #expect(log.messages(at: .notice).contains { $0.contains("larger than the limit of 4194304 bytes") })
            try await check(server)
        }
    }

    @Test("A thousand forms' fields of one name, and a million ampersands", arguments: WireProtocol.any)
    func fields(version: WireProtocol) async throws {
        try await RunningServer.attacked(over: version, change: { $0.isDevelopmentOpen = true }) {
            (server) async throws in
            let client = WireClient(server)
            try await client.act("init")
            let form =
                String(repeating: "&", count: 1_000_000) + String(repeating: "adapter=A&procedure=echo&", count: 2000)
            let answer = try await server.sendRaw(
                "POST", "/invoke",
                headers: ["Content-Type: application/x-www-form-urlencoded"], body: form)
            #expect(answer.contains(#""got":[]"#))
        }
    }
}
