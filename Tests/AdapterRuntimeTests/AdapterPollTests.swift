import AdapterRuntime
import Core
import JavaScriptEngine
import Logging
import PushModel
import Synchronization
import TestSupport
import Testing
import WorklightProject

@Suite("Polls")
struct AdapterPollTests {
    private let source = EventSourceID(adapter: "A", name: "S")

    private func script(_ body: String) -> String {
        "WL.Server.createEventSource({ name: 'S', poll: { interval: 1, onPoll: poll } });\nfunction poll() { \(body) }\n"
            + "function run() { return { n: typeof n === 'undefined' ? null : n } }"
    }

    @Test("A poll runs its function without arguments, and needs no subscriber")
    func runs() async throws {
        let project = try await TestProject(script("WL.Logger.info('polled ' + arguments.length)"))
        try await project.runtime.poll(source)
        #expect(project.log.messages(at: .info) == ["polled 0"])
    }

    @Test("A poll keeps its variables from run to run, apart from those of calls")
    func variables() async throws {
        let project = try await TestProject("var n = 0;\n" + script("n += 1; WL.Logger.info(n)"))
        try await project.runtime.poll(source)
        try await project.runtime.poll(source)
        #expect(project.log.messages(at: .info).filter { !$0.contains("keeps") } == ["1", "2"])
        #expect(await project.call() == #"{"isSuccessful":true,"n":0}"#)
    }

    @Test("A poll that throws reports the stack")
    func throwing() async throws {
        let project = try await TestProject(script("null.x"))
        let failure = try await #require(throws: PollError.self) { try await project.runtime.poll(source) }
        #expect(failure.description.hasPrefix("adapters/A/A-impl.js:2:"))
        #expect(failure.description.contains("at poll@adapters/A/A-impl.js:2:"))
    }

    @Test("A poll that takes too long is stopped, and the next one runs")
    func timeout() async throws {
        var settings = RuntimeSettings.patient
        settings.polls.cpuTime = .seconds(1)
        let project = try await TestProject(
            "var n = 0;\n" + script("n += 1; if (n === 2) for (;;) {} WL.Logger.warn(n)"), settings: settings)
        try await project.runtime.poll(source)
        let failure = try await #require(throws: PollError.self) { try await project.runtime.poll(source) }
        #expect(failure.description.contains("A/S.onPoll was stopped"))
        #expect(failure.description.contains("at poll@adapters/A/A-impl.js:"))
        try await project.runtime.poll(source)
        #expect(project.log.messages(at: .warning) == ["1", "3"])
    }

    @Test("A poll that notifies commits before it ends")
    func notifies() async throws {
        let project = try await TestProject(
            script(
                "var u = WL.Server.getUserNotificationSubscription('S', 'ann'); "
                    + "if (u) WL.Server.notifyAllDevices(u, { GCM: { alert: 'x' } })"))
        try await project.runtime.poll(source)
        #expect(try project.outbox() == [])
        try await project.subscribe("ann")
        try await project.runtime.poll(source)
        #expect(try project.outbox() == ["ann@phone"])
    }

    @Test("A long poll delays neither calls nor another poll of the same adapter", .defaultTimeLimit)
    func slowPoll() async throws {
        var settings = RuntimeSettings.patient
        settings.polls = ExecutionLimits()
        let project = try await TestProject(
            """
            WL.Server.createEventSource({ name: 'Slow', poll: { interval: 1, onPoll: function () {
                WL.Logger.info('began');
                for (;;) {}
            } } });
            WL.Server.createEventSource({ name: 'Quick', poll: { interval: 1, onPoll: function () {} } });
            function run() {}
            """, settings: settings)
        let slowHasEnded = PollFlag()
        let slow = Task {
            defer { slowHasEnded.set() }
            try await project.runtime.poll(EventSourceID(adapter: "A", name: "Slow"))
        }
        // Before that it may still be loading the script, which an interruption ends in another way.
        _ = try await project.log.lines.wait { lines in lines.contains { $0.message == "began" } }
        try await project.runtime.poll(EventSourceID(adapter: "A", name: "Quick"))
        #expect(await project.call() == #"{"isSuccessful":true}"#)
        #expect(!slowHasEnded.isSet)
        project.runtime.interrupt(reason: "the test is over")
        await #expect(throws: PollError.self) { try await slow.value }
    }

    @Test("An event source that no adapter declares cannot be polled")
    func unknown() async throws {
        let project = try await TestProject(script(""))
        await #expect(throws: UnknownNameError.self) {
            try await project.runtime.poll(EventSourceID(adapter: "B", name: "S"))
        }
    }
}

/// Something that has happened, or not yet.
private final class PollFlag: Sendable {
    private let state = Mutex(false)

    var isSet: Bool { state.withLock { $0 } }

    func set() { state.withLock { $0 = true } }
}
