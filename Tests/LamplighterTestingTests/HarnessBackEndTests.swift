import Core
import Dispatch
import Foundation
import LamplighterTesting
import TestSupport
import Testing

@Suite("Back ends of an adapter under test")
struct HarnessBackEndTests {
    private static let script = """
        function get(path) { return WL.Server.invokeHttp({ method: "get", path: path, parameters: { q: "a b" } }); }
        function post(body) {
            return WL.Server.invokeHttp({ method: "post", path: "/orders",
                body: { contentType: "application/json", content: JSON.stringify(body) } });
        }
        """

    @Test("A stub's response is converted as the back end's would be")
    func conversion() async throws {
        let harness = try await AdapterHarness(adapter: "A", script: Self.script)
        let shop = harness.backEnd()
        shop.get("/json", .json(["price": 12.5]))
        shop.get("/xml", .xml("<item><price>3</price></item>"))
        shop.get("/text", .text("out of stock", status: 404))
        #expect(try await harness.call("get", "json")["price"] == 12.5)
        #expect(try await harness.call("get", "/xml")["item"]?["price"] == "3")
        let missing = try await harness.call("get", "/text")
        #expect(missing["text"] == "out of stock")
        #expect(missing["statusCode"] == 404)
    }

    @Test("The test sees the back end's requests")
    func requests() async throws {
        let harness = try await AdapterHarness(adapter: "A", script: Self.script)
        harness.backEnd().on("*", "*", .json([:]))
        try await harness.call("get", "/a%20b")
        try await harness.call("post", ["item": 1])
        let requests = harness.backEnd().requests
        #expect(requests.map(\.method) == ["GET", "POST"])
        #expect(requests.map(\.path) == ["/a b", "/orders"])
        #expect(requests[0].query.map { "\($0.name)=\($0.value)" } == ["q=a b"])
        #expect(requests[1].json == ["item": 1])
        #expect(requests[1].header("content-type") == "application/json")
    }

    @Test("A stub can read the request, and can respond differently each time")
    func answering() async throws {
        let harness = try await AdapterHarness(adapter: "A", script: Self.script)
        harness.backEnd().post("/orders") { .json(["echo": $0.json ?? .null]) }
        harness.backEnd().get("/next", .json(["n": 1]), .json(["n": 2]))
        #expect(try await harness.call("post", [1, 2])["echo"] == [1, 2])
        var numbers: [JSONValue?] = []
        for _ in 0..<3 { numbers.append(try await harness.call("get", "/next")["n"]) }
        #expect(numbers == [1, 2, 2])
    }

    @Test("A request without a stub fails the call and names the existing stubs")
    func unanswered() async throws {
        let harness = try await AdapterHarness(adapter: "A", script: Self.script)
        harness.backEnd().get("/prices", .json([:]))
        let failure = try await #require(throws: CallError.self) { try await harness.call("get", "/price") }
        #expect(failure.description.contains("no stub for GET /price at the back end of A; there are: GET /prices"))
        #expect(try await harness.reply("get", "/price")["isSuccessful"] == false)
    }

    @Test("A call reports its own requests without a stub, and no other call's")
    func simultaneousCalls() async throws {
        let harness = try await AdapterHarness(
            adapter: "A",
            script: """
                function get(path) { return WL.Server.invokeHttp({ method: "get", path: path }); }
                function getBoth(first, second) { get(first); return get(second); }
                """)
        let (isRefused, isOver) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        harness.backEnd().get("/good") { _ in
            isRefused.wait()
            return .json([:])
        }
        harness.backEnd().get("/later") { _ in
            isRefused.signal()
            isOver.wait()
            return .json([:])
        }
        let bad = Task { try await harness.user("bob").call("getBoth", "/missing", "/later") }
        let good = await Task { try await harness.user("ann").call("get", "/good") }.result
        isOver.signal()
        #expect(throws: Never.self) { try good.get() }
        let failure = try await #require(throws: CallError.self) { try await bad.value }
        #expect(failure.reason.contains("/missing"))
    }

    @Test("A subscription reports its own callbacks that throw, and no other's")
    func simultaneousCallbacks() async throws {
        let harness = try await AdapterHarness(
            adapter: "A",
            script: """
                WL.Server.createEventSource({ name: "S", onUserSubscribe: function (user) {
                    if (user.userId.indexOf("bob") === 0) throw new Error("no bobs");
                } });
                """)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<20 {
                group.addTask { try await harness.user("ann\(number)").device("phone").subscribe(to: "S") }
                group.addTask {
                    await #expect(throws: CallbackError.self) {
                        try await harness.user("bob\(number)").device("phone").subscribe(to: "S")
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    @Test("A stub's error is reported by a reply, and by polls whose failures are tolerated")
    func failingStub() async throws {
        let harness = try await AdapterHarness(
            adapter: "A",
            script: """
                WL.Server.createEventSource({ name: "S", poll: { interval: 5, onPoll: look } });
                function look() { return WL.Server.invokeHttp({ method: "get", path: "/x" }).missing.y; }
                """)
        #expect(try await harness.reply("look")["isSuccessful"] == false)
        #expect(try await harness.advance(by: .seconds(6), toleratingFailures: true).isEmpty == false)
        struct Unexpected: Error {}
        harness.backEnd().get("/x") { _ in throw Unexpected() }
        let reply = try await #require(throws: UnansweredRequestsError.self) { try await harness.reply("look") }
        #expect(reply.description.contains("the stub of GET /x failed: Unexpected()"))
        await #expect(throws: UnansweredRequestsError.self) {
            try await harness.advance(by: .seconds(6), toleratingFailures: true)
        }
        let call = try await #require(throws: CallError.self) { try await harness.call("look") }
        #expect(call.reason.contains("TypeError") && call.reason.contains("the stub of GET /x failed"))
    }

    @Test("a stub can be silent or refuse the connection, and the script gets the usual error")
    func failures() async throws {
        let harness = try await AdapterHarness(adapter: "A", script: Self.script)
        harness.backEnd().get("/slow", .silence)
        harness.backEnd().get("/gone", .refusedConnection)
        let slow = try await harness.call("get", "/slow")
        #expect(slow["isSuccessful"] == false)
        #expect(slow["errors"]?.array?.first?.string?.contains("socket timeout") == true)
        let gone = try await harness.call("get", "/gone")
        #expect(gone["errors"]?.array?.first?.string?.contains("Connection refused") == true)
    }

    @Test("Cookies and redirects go through the stub as they would over the network")
    func redirects() async throws {
        let harness = try await AdapterHarness(adapter: "A", script: Self.script)
        harness.backEnd().get(
            "/old", .status(302, headers: ["Location": "/new", "Set-Cookie": "seen=1; Path=/"]))
        harness.backEnd().get("/new") { .json(["cookie": .string($0.header("Cookie") ?? "none")]) }
        #expect(try await harness.call("get", "/old")["cookie"] == "seen=1")
    }

    @Test("A real server can respond instead of the stub", .defaultTimeLimit)
    func forwarding() async throws {
        let server = try LoopbackProvider()
        server.answer("/prices", with: .ok(#"{"price":12}"#, type: "application/json"))
        let harness = try await AdapterHarness(
            adapter: "A", script: "function run() { return WL.Server.invokeHttp({ method: 'get', path: '/prices' }); }")
        harness.backEnd().forward(to: try #require(URL(string: server.issuer)))
        #expect(try await harness.call("run")["price"] == 12)
        #expect(server.requests.count == 1)
        #expect(harness.backEnd().requests.map(\.path) == ["/prices"])
    }

    @Test("A database in memory runs SQL")
    func database() async throws {
        let harness = try await AdapterHarness(
            adapter: "A",
            script: """
                var find = WL.Server.createSQLStatement("select name, price from items where price > ? order by name");
                var add = WL.Server.createSQLStatement("insert into items values (?, ?)");
                function dear(limit) {
                    return WL.Server.invokeSQLStatement({ preparedStatement: find, parameters: [limit] }).resultSet;
                }
                function put(name, price) {
                    return WL.Server.invokeSQLStatement({ preparedStatement: add, parameters: [name, price] });
                }
                """, connection: .sql)
        let database = try harness.database()
        try database.execute("create table items (name text, price real)")
        try database.execute("insert into items values (?, ?)", ["ACME", 12.5])
        try await harness.call("put", "Bolt", 2)
        #expect(try await harness.call("dear", 10) == [["name": "ACME", "price": 12.5]])
        #expect(try database.query("select count(*) as n from items") == [["n": 2]])
    }

    @Test(
        "The database in memory returns exact numbers as strings where the server does",
        arguments: [(RuntimeSettings.AdapterSelection.none, 7 as JSONValue), (.all, "7"), (.named(["A"]), "7")])
    func exactNumbers(selection: RuntimeSettings.AdapterSelection, expected: JSONValue) async throws {
        var options = AdapterHarness.Options()
        options.runtime.exactNumbers = selection
        let harness = try await AdapterHarness(
            adapter: "A",
            script: """
                var find = WL.Server.createSQLStatement("select id from items");
                function all() { return WL.Server.invokeSQLStatement({ preparedStatement: find, parameters: [] }).resultSet; }
                """, connection: .sql, options: options)
        let database = try harness.database()
        try database.execute("create table items (id bigint)")
        try database.execute("insert into items values (7)")
        #expect(try await harness.call("all") == [["id": expected]])
    }

    @Test("A poll whose request has no stub fails the test")
    func unansweredPoll() async throws {
        let harness = try await AdapterHarness(
            adapter: "A",
            script: """
                WL.Server.createEventSource({ name: "S", poll: { interval: 5, onPoll: look } });
                function look() { WL.Server.invokeHttp({ method: "get", path: "/news" }); }
                """)
        let error = try await #require(throws: UnansweredRequestsError.self) {
            try await harness.advance(by: .seconds(6))
        }
        #expect(error.description.contains("GET /news"))
    }
}
