import AdapterChecks
import TestSupport
import Testing
import WorklightProject

@Suite("Event sources")
struct EventSourceTests {
    @Test("An event source that a procedure declares is found")
    func late() async throws {
        let checked = try await Checked("function run() {\n  WL.Server.createEventSource({ name: 'E' });\n}")
        #expect(checked.places == ["2:3 event-source-in-function"])
    }

    @Test(
        "An event source that what a procedure or a poll calls declares is found",
        arguments: [
            ("function run() { make(); } function make() { WL.Server.createEventSource({ name: 'E' }); }", "run()"),
            (
                "var run = () => Service.make(); var Service = { make() { WL.Server.createEventSource({ name: 'E' }); } };",
                "run()"
            ),
            (
                "WL.Server.createEventSource({ name: 'P', poll: { interval: 5, onPoll: tick } }); function run() {} "
                    + "function tick() { make(); } function make() { WL.Server.createEventSource({ name: 'E' }); }",
                "tick()"
            ),
        ])
    func helper(source: String, caller: String) async throws {
        let problem = try await Checked(source).only(.eventSourceInFunction)
        #expect(
            problem.message.contains("is called in make(), which \(caller) calls when the script has long been loaded"))
    }

    @Test(
        "An event source in a function that may run at loading is not reported",
        arguments: [
            "(function () { WL.Server.createEventSource({ name: 'E' }); })(); function run() {}",
            "function run() { WL.Server.createEventSource({ name: 'E' }); } run();",
            "function make() { WL.Server.createEventSource({ name: 'E' }); } make(); function run() {}",
            "make(); function run() { make(); } function make() { WL.Server.createEventSource({ name: 'E' }); }",
            "['E'].forEach(make); function run() { make(); } function make(n) { WL.Server.createEventSource({ name: n }); }",
            "var S = (function () { return { make: function () { WL.Server.createEventSource({ name: 'E' }); } }; })(); S.make(); function run() { S.make(); }",
            "['E', 'F'].forEach(function (n) { WL.Server.createEventSource({ name: n }); }); function run() {}",
        ])
    func atLoading(source: String) async throws {
        #expect(try await Checked(source).places == [])
    }

    @Test("An event source that is declared twice is found")
    func duplicate() async throws {
        let checked = try await Checked(
            "WL.Server.createEventSource({ name: 'E' });\nWL.Server.createEventSource({ name: 'E' });\nfunction run() {}"
        )
        #expect(checked.places == ["2:1 duplicate-event-source"])
    }

    @Test(
        "Event sources of one name of which one at most is declared are fine",
        arguments: [
            "if (WL.Server.configuration.a) WL.Server.createEventSource({ name: 'E' }); else WL.Server.createEventSource({ name: 'E' });",
            "WL.Server.configuration.a ? WL.Server.createEventSource({ name: 'E' }) : WL.Server.createEventSource({ name: 'E' });",
            "try { WL.Server.createEventSource({ name: 'E' }); } catch (e) { WL.Server.createEventSource({ name: 'E' }); }",
            "WL.Server.createEventSource({ name: 'E' }); WL.Server.createEventSource({ name: 'F' });",
        ])
    func either(source: String) async throws {
        #expect(try await Checked(source + " function run() {}").places == [])
    }

    @Test("An interval that no whole number holds is reported, too")
    func absurdInterval() async throws {
        let checked = try await Checked(
            "WL.Server.createEventSource({ name: 'E', poll: { interval: 100000000000000000000, onPoll: run } });\nfunction run() {}"
        )
        #expect(checked.places == ["1:1 poll-interval"])
        #expect(try checked.only(.pollInterval).message.contains("and 100000000000000000000 of them are"))
    }

    @Test(
        "An interval in milliseconds is found, and long ones in seconds are not",
        arguments: [
            ("300000", ["1:1 poll-interval"]), ("86400000", ["1:1 poll-interval"]), ("60000", ["1:1 poll-interval"]),
            ("5000", ["1:1 poll-interval"]), ("4000", []), ("5400", []), ("18000", []), ("86400", []), ("604800", []),
            ("2592000", []), ("24 * 60 * 60", []),
        ])
    func interval(interval: String, places: [String]) async throws {
        let checked = try await Checked(
            "WL.Server.createEventSource({ name: 'E', poll: { interval: \(interval), onPoll: run } });\nfunction run() {}"
        )
        #expect(checked.places == places)
    }

    @Test("An interval in milliseconds is reported in hours or days, with the replacement")
    func intervalMessage() async throws {
        let script =
            "WL.Server.createEventSource({ name: 'E', poll: { interval: 60000, onPoll: run } }); function run() {}"
        #expect(
            try await Checked(script).only(.pollInterval).message
                == "poll.interval is in seconds, and 60000 of them are 16.7 hours; if milliseconds were meant, write 60"
        )
    }

    @Test(
        "An undeclared event source is found at its use",
        arguments: [
            (
                "'A.F'",
                "adapters/A/A-impl.js declares no event source 'F', so there is never a subscription; there are: E"
            ),
            ("'F'", "declares no event source 'F'"), ("'Other.E'", "is of the adapter 'Other', which does not exist"),
        ])
    func unknown(name: String, message: String) async throws {
        let checked = try await Checked(
            """
            WL.Server.createEventSource({ name: 'E' });
            function run(user) { return WL.Server.getUserNotificationSubscription(\(name), user); }
            """)
        #expect(checked.places == ["2:29 unknown-event-source"])
        #expect(try checked.only(.unknownEventSource).message.contains(message))
    }

    @Test(
        "An event source that may be declared is not reported",
        arguments: [
            "WL.Server.createEventSource({ name: 'E' }); function run(u) { WL.Server.getUserNotificationSubscription('A.E', u); }",
            "WL.Server.createEventSource({ name: 'E' }); function run(u) { WL.Server.getUserNotificationSubscription('E', u); }",
            "var n = pick(); function pick() {} WL.Server.createEventSource({ name: n }); function run(u) { WL.Server.getUserNotificationSubscription('A.F', u); }",
            "function run(u) { WL.Server.getUserNotificationSubscription('Broken.F', u); }",
            "function run(u, s) { WL.Server.getUserNotificationSubscription('A.' + s, u); }",
        ])
    func maybe(source: String) async throws {
        let checked = try await Checked(source, files: ["adapters/Broken/notes.txt": ""])
        #expect(checked.places == [])
    }
}
