import Core
import LamplighterTesting
import Testing

@Suite("Calling an adapter under test")
struct CallingTests {
    @Test("A function of a script in a string can be called by its name")
    func calls() async throws {
        let harness = try await AdapterHarness(
            adapter: "Greeter", script: "function greet(name) { return { text: 'Hello ' + name }; }")
        #expect(try await harness.call("greet", "Ann") == ["isSuccessful": true, "text": "Hello Ann"])
    }

    @Test("A result that is not an object comes back unchanged")
    func bareResults() async throws {
        let harness = try await AdapterHarness(
            adapter: "A",
            script: "function one() { return 1; } function list() { return [1, 2]; } function none() {}")
        #expect(try await harness.call("one") == 1)
        #expect(try await harness.call("A/list") == [1, 2])
        #expect(try await harness.call("none") == .null)
        #expect(try await harness.reply("one") == ["isSuccessful": true, "result": 1])
    }

    @Test("An error in a script fails the call, with the stack")
    func failure() async throws {
        let harness = try await AdapterHarness(
            adapter: "A", script: "function inner() {\n    null.x;\n}\nfunction run() { inner(); }")
        let failure = try await #require(throws: CallError.self) { try await harness.call("run") }
        #expect(
            failure.description.contains("A/run failed: adapters/A/A-impl.js:2:9: TypeError: null is not an object"))
        #expect(failure.errorName == "TypeError")
        #expect(failure.description.contains("at inner@adapters/A/A-impl.js:2:"))
        #expect(failure.description.contains("at run@adapters/A/A-impl.js:4:"))
        #expect(try await harness.reply("run")["isSuccessful"] == false)
    }

    @Test("A procedure that does not exist fails the call and names those there are")
    func unknown() async throws {
        let harness = try await AdapterHarness(adapter: "A", script: "function run() {}", procedures: ["run"])
        let failure = try await #require(throws: CallError.self) { try await harness.call("walk") }
        #expect(failure.description.contains("there is no procedure 'walk'"))
        #expect(failure.description.contains("there are: run"))
    }

    @Test("A script that does not parse is refused with its position")
    func broken() async throws {
        let error = try await #require(throws: HarnessLoadingError.self) {
            _ = try await AdapterHarness(adapter: "A", script: "function run() {\n  return (;\n}", procedures: ["run"])
        }
        #expect(error.description.contains("adapters/A/A-impl.js:2"))
    }

    @Test("Each user has separate variables, and each call without a session starts with new ones")
    func sessions() async throws {
        let harness = try await AdapterHarness(
            adapter: "A", script: "var last = 'nobody'; function set(x) { var old = last; last = x; return old; }")
        let (ann, bob) = (harness.user("ann"), harness.user("bob"))
        #expect(try await ann.call("set", "a") == "nobody")
        #expect(try await bob.call("set", "b") == "nobody")
        #expect(try await ann.call("set", "c") == "a")
        #expect(try await harness.user("ann").call("set", "d") == "c")
        #expect(try await harness.call("set", "e") == "nobody")
        #expect(try await harness.call("set", "f") == "nobody")
        #expect(try await harness.evaluate("last") == "nobody")
        await ann.end()
        #expect(try await ann.call("set", "f") == "nobody")
    }

    @Test("A user is logged in, a new client is not until the adapter does it")
    func identities() async throws {
        let harness = try await AdapterHarness(
            adapter: "A",
            script: """
                function who() { var user = WL.Server.getActiveUser(); return user ? user.userId : null; }
                function logIn(name) { WL.Server.setActiveUser("user", { userId: name }); }
                """)
        #expect(try await harness.user("ann").call("who") == "ann")
        let client = harness.client()
        #expect(try await client.call("who") == .null)
        try await client.call("logIn", "bob")
        #expect(try await client.call("who") == "bob")
        #expect(client.identity(in: "user")?["userId"] == "bob")
    }

    @Test("Lines that adapters log can be read")
    func log() async throws {
        let harness = try await AdapterHarness(
            adapter: "A", script: "function run() { WL.Logger.warn('careful'); WL.Logger.debug('fine'); }")
        try await harness.call("run")
        let lines = harness.log.filter { $0.adapter == "A" }.map(\.description)
        #expect(lines == ["warning A: careful", "debug A: fine"])
    }

    @Test("A hundred simultaneous harnesses are isolated")
    func parallel() async throws {
        let results = try await withThrowingTaskGroup(of: JSONValue.self) { group in
            for number in 0..<100 {
                group.addTask {
                    let harness = try await AdapterHarness(
                        adapter: "A", script: "var sum = 0; function add(x) { return sum += x; }")
                    let ann = harness.user("ann")
                    try await ann.call("add", 1)
                    return try await ann.call("add", .number(Double(number)))
                }
            }
            var results: Set<JSONValue> = []
            for try await result in group { results.insert(result) }
            return results
        }
        #expect(results == Set((0..<100).map { .number(Double($0 + 1)) }))
    }
}
