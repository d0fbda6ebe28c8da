import Core
import Logging
import PushModel
import TestSupport
import Testing
import WorklightProject

@testable import AdapterRuntime

@Suite("Event sources of an adapter that is redeployed", .defaultTimeLimit)
struct DeployedEventSourceTests {
    private let source = EventSourceID(adapter: "A", name: "S")

    private static func script(_ version: Int, source: String = "S") -> String {
        """
        WL.Server.createEventSource({
            name: '\(source)', onUserSubscribe: subscribed, poll: { interval: 1, onPoll: poll }
        });
        var polls = 0;
        function subscribed() { WL.Logger.info('subscribed in \(version)') }
        function poll() {
            polls += 1;
            WL.Server.invokeHttp({ method: 'get', path: '/wait' });
            WL.Logger.info('poll ' + polls + ' in \(version)');
        }
        function run() {
            var u = WL.Server.getUserNotificationSubscription('S', 'ann');
            if (u) WL.Server.notifyAllDevices(u, { GCM: { alert: 'x' } });
            return { version: \(version), subscribed: u !== null };
        }
        """
    }

    @Test("Subscribers stay subscribed, and callbacks run in the new version")
    func subscriptions() async throws {
        let project = try await TestProject(Self.script(1))
        try await project.subscribe("ann")
        try await project.deploy(script: Self.script(2))
        #expect(await project.call() == #"{"isSuccessful":true,"version":2,"subscribed":true}"#)
        #expect(try project.outbox() == ["ann@phone"])
        try await project.subscribe("bob", device: "tablet")
        #expect(project.log.messages(at: .info) == ["subscribed in 1", "subscribed in 2"])
    }

    @Test("Subscriptions outlive an adapter that is taken away and comes back")
    func takenAway() async throws {
        let project = try await TestProject(Self.script(1))
        try await project.subscribe("ann")
        project.runtime.remove(adapter: "A")
        #expect(project.runtime.eventSources == [])
        await #expect(throws: UnknownNameError.self) { try await project.subscribe("bob") }
        #expect(await project.deploy() == .deployed)
        #expect(await project.call() == #"{"isSuccessful":true,"version":1,"subscribed":true}"#)
    }

    @Test("A poll that runs ends in the old version, the next runs in the new one")
    func poll() async throws {
        try await withWaitingBackEnd { backEnd, gate in
            let project = try await TestProject(Self.script(1), connectivity: backEnd.connectivity)
            async let running: Void = project.runtime.poll(source)
            try await gate.arrivals(1)
            try await project.deploy(script: Self.script(2))
            gate.open()
            try await running
            try await project.runtime.poll(source)
            try await project.runtime.poll(source)
            #expect(
                project.log.messages(at: .info).filter { $0.hasPrefix("poll") } == [
                    "poll 1 in 1", "poll 1 in 2", "poll 2 in 2",
                ])
        }
    }

    @Test("A queued poll whose event source is removed is not a failure, and runs nothing")
    func vanished() async throws {
        try await withWaitingBackEnd { backEnd, gate in
            let project = try await TestProject(Self.script(1), connectivity: backEnd.connectivity)
            async let running: Void = project.runtime.poll(source)
            try await gate.arrivals(1)
            let begun = AwaitableValue(false)
            let waiting = Task {
                begun.update { $0 = true }
                try await project.runtime.poll(source)
            }
            try await begun.wait { $0 }
            try await project.deploy(script: Self.script(2, source: "Other"))
            gate.open()
            try await running
            // The poll runs nothing of the new version, whether it came to the machine before the deployment or after.
            try? await waiting.value
            #expect(!project.log.messages(at: .info).contains { $0.hasSuffix("in 2") })
            #expect(project.runtime.eventSources.map(\.id.name) == ["Other"])
        }
    }

    @Test("an adapter that is removed and deployed during a poll keeps the scopes of its new version")
    func takenAwayUnderPoll() async throws {
        try await withWaitingBackEnd { backEnd, gate in
            let names = (0..<5).map { "Q\($0)" }
            let script =
                Self.script(1) + "\nvar counts = {};\n"
                + names.map {
                    """
                    WL.Server.createEventSource({ name: '\($0)', poll: { interval: 1, onPoll: count\($0) } });
                    function count\($0)() { counts.\($0) = (counts.\($0) || 0) + 1; WL.Logger.warn('\($0) ' + counts.\($0)); }
                    """
                }.joined(separator: "\n")
            let project = try await TestProject(script, connectivity: backEnd.connectivity)
            async let running: Void = project.runtime.poll(source)
            try await gate.arrivals(1)
            project.runtime.remove(adapter: "A")
            #expect(await project.deploy() == .deployed)
            for name in names { try await project.runtime.poll(EventSourceID(adapter: "A", name: name)) }
            gate.open()
            try await running
            await project.runtime.discardReplaced()
            #expect(project.runtime.scopes.owners == names.count)
            for name in names { try await project.runtime.poll(EventSourceID(adapter: "A", name: name)) }
            #expect(
                project.log.messages(at: .warning).filter { $0.hasPrefix("Q") }
                    == names.map { "\($0) 1" } + names.map { "\($0) 2" })
        }
    }

    @Test("A subscriber who passed the old version's security test is checked again by the new one's")
    func permits() async throws {
        let script = "WL.Server.createEventSource({ name: 'S', securityTest: 'T' }); function run() { return {} }"
        let project = try await TestProject(script)
        let subscription = DeviceSubscription(
            eventSource: source, userID: "ann", deviceID: "phone", applicationID: "App", alias: "", platform: .android,
            token: try DeviceToken("token", platform: .android), options: [:])
        _ = try await project.runtime.subscribe(subscription, permit: .passed(securityTest: "T"))
        await #expect(throws: StalePermitError.self) {
            try await project.runtime.subscribe(subscription, permit: .passed(securityTest: nil))
        }
        await #expect(throws: StalePermitError.self) {
            try await project.runtime.invoke(
                adapter: "A", procedure: "run", parameters: "[]", caller: Caller(), permit: .passed(securityTest: "T"))
        }
    }
}
