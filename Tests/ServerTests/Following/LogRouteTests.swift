import Core
import Logging
import NIOCore
import NIOHTTP1
import ServiceLifecycleTestKit
import TestSupport
import Testing

@testable import Installation
@testable import Management

@Suite("The log over the network")
struct LogRouteTests {
    private static let script = "function run() {}"

    private static func line(_ message: String, _ level: Logger.Level = .info, adapter: String? = nil) -> LogLine {
        LogLine(time: "2026-11-21T07:12:13.123Z", level: level, adapter: adapter, message: message)
    }

    private func run(
        _ logs: LogBuffer, over version: WireProtocol = .http1, time: any TimeSource = SystemTime(),
        _ body: @Sendable (RunningServer) async throws -> Void
    ) async throws {
        let files = ["adapters/A/A.xml": adapterXML("A"), "adapters/A/A-impl.js": Self.script]
        try await RunningServer.run(files: files, over: version, time: time, logs: logs, body)
    }

    private func page(_ server: RunningServer, _ query: String) async throws -> (JSONValue, messages: [String?]) {
        let answer = try await server.manage(.GET, "logs?\(query)")
        #expect(answer.status == 200, "\(answer.body)")
        let page = try JSONValue(parsing: answer.body)
        return (page, (page["entries"]?.array ?? []).map { $0["message"]?.string })
    }

    @Test("is refused without the key")
    func key() async throws {
        try await run(LogBuffer()) { (server) async throws in
            #expect(try await server.send(.GET, "/management/v1/logs").status == 401)
            #expect(try await server.send(.GET, "/management/v1/deliveries/changes", key: "wrong").status == 401)
        }
    }

    @Test("A message with line feeds does not look like a line of the log")
    func lineFeeds() {
        let line = LogLine(
            time: "T", level: .info, adapter: "B", message: "activity 'x'\nT error   forged",
            metadata: ["a": "b\nT warning"])
        #expect(line.text() == "T info    B: activity 'x'\n    T error   forged a=b\n    T warning")
    }

    @Test("The newest lines come, or those after a number, with all their fields")
    func lines() async throws {
        let logs = LogBuffer()
        for number in 1...5 { logs.append(Self.line("\(number)")) }
        logs.append(
            LogLine(time: "T", level: .error, adapter: "B", message: "wrong\n  at b.js:1", metadata: ["user": "ann"]))
        try await run(logs) { (server) async throws in
            let (newest, messages) = try await page(server, "limit=2")
            #expect(messages == ["5", "wrong\n  at b.js:1"])
            #expect(newest["last"] == 6)
            #expect(
                newest["entries"]?.array?.last?.text
                    == #"{"number":6,"time":"T","level":"error","adapter":"B","message":"wrong\n  at b.js:1","metadata":{"user":"ann"}}"#
            )
            let (next, some) = try await page(server, "after=1&limit=3")
            #expect(some == ["2", "3", "4"])
            #expect(next["last"] == 4)
        }
    }

    @Test("Page after page comes over either protocol", arguments: [WireProtocol.http1, .http2])
    func protocols(version: WireProtocol) async throws {
        let logs = LogBuffer()
        for number in 1...3 { logs.append(Self.line("\(number)")) }
        try await run(logs, over: version) { (server) async throws in
            for after in 0...2 {
                #expect(try await page(server, "after=\(after)&limit=1").messages == ["\(after + 1)"])
            }
        }
    }

    @Test("Lines are chosen by their level and their adapter")
    func filter() async throws {
        let logs = LogBuffer()
        logs.append(Self.line("one", .debug, adapter: "A"))
        logs.append(Self.line("two", .warning, adapter: "A"))
        logs.append(Self.line("three", .error, adapter: "B"))
        logs.append(Self.line("four", .critical))
        try await run(logs) { (server) async throws in
            #expect(try await page(server, "level=warning").messages == ["two", "three", "four"])
            #expect(try await page(server, "adapter=A").messages == ["one", "two"])
            #expect(try await page(server, "adapter=A&level=error&after=0").messages == [])
        }
    }

    @Test("The response has the number of lines that were dropped before the request")
    func lost() async throws {
        let logs = LogBuffer(kept: 3)
        for number in 1...100 { logs.append(Self.line("\(number)")) }
        try await run(logs) { (server) async throws in
            let (page, messages) = try await page(server, "after=10")
            #expect(messages == ["98", "99", "100"])
            #expect(page["lost"] == 87)
        }
    }

    @Test("The book keeps no more bytes than it may, and cuts a line that is too long")
    func bytes() async throws {
        let logs = LogBuffer(bytes: 200_000)
        for _ in 1...10 { logs.append(Self.line(String(repeating: "é", count: 50_000))) }
        try await run(logs) { (server) async throws in
            let (page, messages) = try await page(server, "after=0")
            #expect(messages.count == 3)
            #expect(messages.first??.hasSuffix("… (100000 bytes)") == true)
            #expect(page["lost"] == 7)
        }
    }

    @Test("dropped lines take no memory, whether their message or their metadata is long")
    func memory() {
        let logs = LogBuffer(bytes: 300_000)
        let long = String(repeating: "é", count: 50_000)
        for _ in 1...100 {
            logs.append(Self.line(long))
            logs.append(LogLine(time: "T", level: .info, message: "short", metadata: ["stack": long]))
        }
        // The slots of the 196 that went are not free yet.
        #expect(logs.bytesHeld < 300_000 + 200 * 160)
        let newest = logs.page(after: nil, matching: .init(), limit: 1).entries.first
        #expect(newest?.metadata["stack"]?.hasSuffix("… (100000 bytes)") == true)
        #expect(logs.page(after: 0, matching: .init(), limit: 100).entries.count == 4)
    }

    @Test("A number that is far too large finds no line")
    func farAfter() {
        let logs = LogBuffer()
        logs.append(Self.line("one"))
        #expect(logs.page(after: 1 << 53, matching: .init(), limit: 100).entries == [])
    }

    @Test("Changes of deliveries are refused after a number that is none")
    func changesAfter() async throws {
        try await run(LogBuffer()) { (server) async throws in
            let answer = try await server.manage(.GET, "deliveries/changes?after=9223372036854775807")
            #expect(answer.status == 400 && answer.body.contains(#""field":"after""#))
        }
    }

    @Test("A number of another run of the server is ignored: all lines are returned")
    func otherRun() async throws {
        let logs = LogBuffer()
        logs.append(Self.line("first"))
        try await run(logs) { (server) async throws in
            let (page, messages) = try await page(server, "run=other&after=500")
            #expect(messages == ["first"])
            #expect(page["run"]?.string == logs.run)
            #expect(try await self.page(server, "run=\(logs.run)&after=1").messages == [])
        }
    }

    @Test(
        "A bad query is refused with the field and the reason",
        arguments: [
            ("after=x", "after", "expected an integer from 0 to 9007199254740991, found \"x\""),
            ("after=9223372036854775807", "after", "expected an integer from 0 to"),
            ("after=9007199254740993", "after", "expected an integer from 0 to"),
            ("limit=0", "limit", "expected an integer from 1 to 1000, found 0"),
            ("wait=600", "wait", "expected a number from 0 to 55, found 600"),
            ("level=loud", "level", "expected one of trace, debug"), ("nothing=1", "nothing", "unknown parameter"),
        ])
    func badQuery(query: String, field: String, reason: String) async throws {
        try await run(LogBuffer()) { (server) async throws in
            let answer = try await server.manage(.GET, "logs?\(query)")
            #expect(answer.status == 400)
            let problem = try JSONValue(parsing: answer.body)
            #expect(problem["field"]?.string == field && problem["detail"]?.string?.contains(reason) == true)
        }
    }

    @Test("A response waits until a matching line is logged", .defaultTimeLimit)
    func waiting() async throws {
        let (logs, time) = (LogBuffer(), ManualTime())
        try await run(logs, time: time) { (server) async throws in
            async let answer = page(server, "after=0&wait=25&level=error")
            try await time.waitForSleeper(.seconds(25))
            logs.append(Self.line("of no interest"))
            logs.append(Self.line("wrong", .error))
            let (page, messages) = try await answer
            #expect(messages == ["wrong"])
            #expect(page["last"] == 2)
        }
    }

    @Test("waits no longer than the request says", .defaultTimeLimit)
    func waitIsOver() async throws {
        let (logs, time) = (LogBuffer(), ManualTime())
        try await run(logs, time: time) { (server) async throws in
            async let answer = page(server, "after=0&wait=25")
            try await time.waitForSleeper(.seconds(25))
            time.advance(by: .seconds(25))
            #expect(try await answer.messages == [])
        }
    }

    @Test("A stopping server responds to waiting requests, says so, and stops", .defaultTimeLimit)
    func stopping() async throws {
        // By this clock nobody's time is ever over.
        let time = ManualTime()
        try await testGracefulShutdown { trigger in
            try await run(LogBuffer(), time: time) { (server) async throws in
                async let answer = page(server, "after=0&wait=55")
                async let change = server.manage(.GET, "deliveries/changes?after=0&wait=54")
                for seconds in [55, 54] { try await time.waitForSleeper(.seconds(seconds)) }
                trigger.triggerGracefulShutdown()
                #expect(try await answer.0["stopping"] == true)
                #expect(try await JSONValue(parsing: change.body)["stopping"] == true)
                // The HTTP client would try to connect for two minutes.
                while let client = try? await RawClient(port: server.port) { await client.close() }
            }
        }
    }

    @Test("waits for no client that has disconnected", .defaultTimeLimit)
    func clientGone() async throws {
        let time = ManualTime()
        try await run(LogBuffer(), time: time) { (server) async throws in
            let client = try await RawClient(port: server.port)
            try await client.send(
                """
                GET /management/v1/logs?after=0&wait=55 HTTP/1.1\r\nHost: localhost\r\n\
                Authorization: Bearer \(server.note.managementKey)\r\n\r\n
                """)
            try await time.waitForSleeper(.seconds(55))
            try await client.channel.close()
            try await time.waitForNoSleeper(.seconds(55))
        }
    }
}
