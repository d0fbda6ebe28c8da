import AdapterRuntime
import JavaScriptEngine
import Logging
import PushModel
import Storage
import TestSupport
import Testing
import WorklightProject

@Suite("Loading")
struct LoadingTests {
    private func problem(_ script: String) async throws -> ProjectError {
        let project = try await TestProject(files: [
            "adapters/A/A.xml": adapterXML("A"), "adapters/A/A-impl.js": script,
            "adapters/B/B.xml": adapterXML("B"),
            "adapters/B/B-impl.js": "function run() { return { ok: 1 } }",
        ])
        // B works in spite of any error in A.
        let other = await project.runtime.invoke(adapter: "B", procedure: "run", parameters: "[]")
        #expect(other.json == #"{"isSuccessful":true,"ok":1}"#)
        #expect(project.runtime.adapterNames == ["B"])
        return try #require(project.problems.first)
    }

    @Test("A syntax error is reported with file, line and column")
    func syntaxError() async throws {
        let problem = try await problem("function run() {\n  return 1 +;\n}")
        #expect(
            problem.description
                == #"adapters/A/A-impl.js:2:13: error: SyntaxError: ";" is not expected here: expected a value"#)
    }

    @Test("A throw at the top level is reported with file, line, column and stack")
    func thrown() async throws {
        let problem = try await problem("var a = 1;\nmissing.call();")
        #expect(
            problem.description.hasPrefix(
                "adapters/A/A-impl.js:2:8: error: thrown while loading: ReferenceError: Can't find variable: missing"))
        #expect(problem.message.contains("at (top level)@adapters/A/A-impl.js:2"))
    }

    @Test("A top level that never ends is stopped")
    func endless() async throws {
        var settings = RuntimeSettings.patient
        settings.loading.cpuTime = .milliseconds(50)
        let project = try await TestProject("for (;;) {}", settings: settings)
        #expect(project.problems.first?.message.contains("A/(loading) was stopped") == true)
    }

    @Test(
        "An invalid event source is reported with its line and the expected value",
        arguments: [
            ("{}", "'name' must be a string that is not empty"),
            ("{ name: '' }", "'name' must be a string that is not empty"),
            ("'S'", "expected an object with 'name' and more, got the string 'S'"),
            ("{ name: 'S', poll: { interval: 0, onPoll: 'f' } }", "'poll.interval' is 0 s; expected a positive"),
            ("{ name: 'S', poll: { interval: -3, onPoll: 'f' } }", "'poll.interval' is -3 s; expected a positive"),
            (
                "{ name: 'S', poll: { interval: 'soon', onPoll: 'f' } }",
                "must be a number of seconds, got the string 'soon'"
            ),
            ("{ name: 'S', poll: { interval: '3', onPoll: 'f' } }", "must be a number of seconds, got the string '3'"),
            ("{ name: 'S', poll: { interval: NaN, onPoll: 'f' } }", "must be a number of seconds"),
            ("{ name: 'S', poll: { onPoll: 'f' } }", "must be a number of seconds, got undefined"),
            ("{ name: 'S', poll: { interval: 3 } }", "'poll.onPoll' must be a function or a function's name"),
            ("{ name: 'S', poll: 3 }", "'poll' must be an object with 'interval' and 'onPoll', got the number 3"),
            ("{ name: 'S', onDeviceSubscribe: 5 }", "'onDeviceSubscribe' must be a function or a function's name"),
        ])
    func badEventSource(options: String, reason: String) async throws {
        let problem = try await problem("\nWL.Server.createEventSource(\(options));")
        #expect(problem.line == 2)
        #expect(problem.message.contains(reason))
    }

    @Test("An event source declared twice is reported with the second's line")
    func duplicate() async throws {
        let problem = try await problem(
            "WL.Server.createEventSource({ name: 'S' });\nWL.Server.createEventSource({ name: 'S' });")
        #expect(problem.line == 2)
        #expect(problem.message.contains("the event source 'S' is declared twice"))
    }

    @Test("Fractions of a second and computed intervals are taken")
    func intervals() async throws {
        let project = try await TestProject(
            """
            var day = 24 * 60 * 60;
            WL.Server.createEventSource({ name: 'Day', poll: { interval: day, onPoll: run } });
            WL.Server.createEventSource({ name: 'Quick', poll: { interval: 0.25, onPoll: 'run' } });
            WL.Server.createEventSource({ name: 'Still', securityTest: 'T' });
            function run() {}
            """)
        #expect(project.problems == [])
        #expect(project.runtime.eventSources.map(\.id.description) == ["A.Day", "A.Quick", "A.Still"])
        #expect(project.runtime.eventSources.map(\.pollInterval) == [86_400, 0.25, nil])
        #expect(project.runtime.eventSources[2].securityTest == "T")
    }

    @Test("A callback that is named and not defined is warned about once, and the adapter loads")
    func undefinedCallback() async throws {
        let project = try await TestProject(
            "WL.Server.createEventSource({ name: 'S', onDeviceSubscribe: 'missing' }); function run() {}")
        #expect(project.problems.count == 1)
        #expect(
            project.problems.first?.description.contains(
                "warning: event source 'S': onDeviceSubscribe names 'missing', but there is no such function") == true)
        try await project.subscribe("ann")
        #expect(try project.store.deviceSubscriptions(matching: .init()).count == 1)
    }

    @Test("An option that does not exist is warned about")
    func unknownOption() async throws {
        let project = try await TestProject(
            "WL.Server.createEventSource({ name: 'S', onDevicSubscribe: 'run' }); function run() {}")
        #expect(
            project.log.messages(at: .warning) == [
                "adapters/A/A-impl.js:1: createEventSource 'S': the option 'onDevicSubscribe' is not known and does nothing; "
                    + "is 'onDeviceSubscribe' meant?"
            ])
    }

    @Test("createEventSource inside a function is refused when it is called")
    func lateEventSource() async throws {
        let project = try await TestProject("function run() { WL.Server.createEventSource({ name: 'S' }) }")
        #expect(await project.call().contains("call it at the top level of the script"))
    }

    @Test("Java at the top level stops no load, and fails with its name in a later call")
    func java() async throws {
        let project = try await TestProject(
            """
            java.lang.System.out.println("loading");
            var helper = new com.example.Helper("x").prepare();
            var list = java.util.Arrays;
            function run(what) {
                if (what === "print") return { text: com.worklight.common.js.util.JSObjectConverter.toFormattedString({ a: 1 }) };
                if (what === "other") return { text: com.worklight.server.integration.api.JSObjectConverter.toFormattedString([]) };
                if (what === "class") return java.lang.String.valueOf(5);
                return new java.util.HashMap();
            }
            """)
        #expect(project.problems == [])
        #expect(project.log.messages(at: .info) == ["loading"])
        #expect(project.log.messages(at: .warning).contains { $0.contains("new com.example.Helper is not available") })
        #expect(await project.call(#"["print"]"#) == #"{"isSuccessful":true,"text":"{\n    \"a\": 1\n}"}"#)
        #expect(await project.call(#"["other"]"#) == #"{"isSuccessful":true,"text":"[]"}"#)
        #expect(await project.call(#"["class"]"#).contains("java.lang.String.valueOf is not available"))
        #expect(
            await project.call(#"["map"]"#).contains(
                "new java.util.HashMap is not available: Lamplighter has no Java; write an object, {}, or new Map()"))
    }

    @Test("A call of an adapter that failed to load returns the reason")
    func refused() async throws {
        let project = try await TestProject("function run() {\n return }}")
        #expect(
            await project.call().contains(
                "the adapter 'A' exists, but could not be loaded: adapters/A/A-impl.js:2:10: SyntaxError"))
    }

    @Test("async functions are refused with their location")
    func async() async throws {
        let problem = try await problem("var a;\nasync function run() {}")
        #expect(problem.description.hasPrefix("adapters/A/A-impl.js:2:1: error: async functions are not available"))
    }
}
