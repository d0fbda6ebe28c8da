import Core
import Foundation
import JavaScriptEngine
import Logging
import PushModel
import Storage
import TestSupport
import Testing
import WorklightProject

@testable import AdapterRuntime

@Suite("Callbacks that are owed")
struct PendingCallbackTests {
    private static let script = """
        WL.Server.createEventSource({
            name: 'S',
            onDeviceSubscribe: function (user, device) { WL.Logger.info('deviceOn ' + device.device) },
            onUserSubscribe: function (user) { WL.Logger.info('userOn ' + user.userId) },
            onDeviceUnsubscribe: function (user, device) {
                WL.Logger.info('deviceOff ' + device.device + ' ' + device.options.n + ' ' + user.state.kept)
            },
            onUserUnsubscribe: function (user) { WL.Logger.info('userOff ' + user.userId) },
            onUserChange: function (options) {
                WL.Logger.info(options.previousUserId + ' to ' + options.userId + ' by ' + options.alias);
                return { isSuccessful: options.userId !== 'eve' };
            }
        });
        function run() {}
        """

    private static let source = EventSourceID(adapter: "A", name: "S")

    private func subscription(_ user: String = "ann", device: String = "phone") -> DeviceSubscription {
        DeviceSubscription(
            eventSource: Self.source, userID: user, deviceID: device, applicationID: "App", alias: "alias",
            platform: .android, token: DeviceToken(stored: "token-\(device)"), options: ["n": 7])
    }

    private func isNothingOwed(_ project: TestProject) throws -> Bool {
        try project.store.pendingCallbacks(limit: 1).callbacks.isEmpty
    }

    @Test("The next process runs the callbacks that the last one stored, once and in order")
    func afterDeath() async throws {
        let project = try await TestProject(Self.script)
        _ = try project.store.subscribe(subscription(), owing: UUID())
        _ = try project.store.saveState(["kept": "yes"], eventSource: Self.source, userID: "ann")
        _ = try project.store.unsubscribe(
            eventSource: Self.source, userID: "ann", deviceID: "phone", applicationID: "App", owing: UUID())
        #expect(try await project.runtime.runPendingCallbacks() == 2)
        #expect(
            project.log.messages(at: .info) == ["userOn ann", "deviceOn phone", "deviceOff phone 7 yes", "userOff ann"])
        #expect(try isNothingOwed(project))
        #expect(try await project.runtime.runPendingCallbacks() == 0)
    }

    @Test("Changes by the runtime run their callbacks and leave none pending")
    func settled() async throws {
        let project = try await TestProject(Self.script)
        try await project.subscribe("ann")
        try await project.subscribe("bob")
        _ = try await project.unsubscribe("bob")
        #expect(project.log.messages(at: .info).count == 9)
        #expect(try isNothingOwed(project))
    }

    @Test("None of several hundred pending callbacks is left out")
    func many() async throws {
        let project = try await TestProject(Self.script)
        for number in 0..<450 {
            _ = try project.store.subscribe(subscription("u\(number)", device: "d\(number)"), owing: UUID())
        }
        #expect(try await project.runtime.runPendingCallbacks() == 450)
        #expect(Set(project.log.messages(at: .info)).count == 900)
        #expect(try isNothingOwed(project))
    }

    @Test("An adapter that is not loaded gets its callbacks once it is")
    func notLoaded() async throws {
        let project = try await TestProject(Self.script)
        _ = try project.store.subscribe(subscription(), owing: UUID())
        project.runtime.remove(adapter: "A")
        #expect(try await project.runtime.runPendingCallbacks() == 0)
        // Its devices may go meanwhile.
        _ = try await project.unsubscribe("ann")
        guard case .ready(let candidate) = await project.runtime.prepare(adapter: "A") else {
            Issue.record("the adapter is not ready")
            return
        }
        project.runtime.install(candidate)
        #expect(try await project.runtime.runPendingCallbacks() == 2)
        #expect(
            project.log.messages(at: .info).suffix(4) == [
                "userOn ann", "deviceOn phone", "deviceOff phone 7 undefined", "userOff ann",
            ])
    }

    @Test("warns once of callbacks whose adapter is not loaded, and keeps them until the operator drops them")
    func orphaned() async throws {
        let time = ManualTime()
        let project = try await TestProject(Self.script, time: time)
        _ = try project.store.subscribe(subscription(), owing: UUID())
        project.runtime.remove(adapter: "A")
        for _ in 0..<2 {
            #expect(try await project.runtime.runPendingCallbacks() == 0)
            time.advance(by: .seconds(60 * 86_400))
        }
        #expect(
            project.log.messages(at: .warning) == [
                """
                1 callback of adapter 'A' cannot run: the adapter is not loaded; deploy it, or drop them with \
                'lamplighter deploy A --remove'
                """
            ])
        #expect(try await project.runtime.dropPendingCallbacks(of: "A") == 1)
        #expect(try isNothingOwed(project))
    }

    @Test("A callback that throws has run, and is not tried again")
    func throwing() async throws {
        let project = try await TestProject(
            "WL.Server.createEventSource({ name: 'S', onDeviceSubscribe: function () { null.x } }); function run() {}")
        _ = try project.store.subscribe(subscription(), owing: UUID())
        #expect(try await project.runtime.runPendingCallbacks() == 1)
        #expect(try isNothingOwed(project))
    }

    @Test("A callback that a stopping server interrupts stays pending", .defaultTimeLimit)
    func interrupted() async throws {
        var settings = RuntimeSettings.patient
        settings.calls = ExecutionLimits()
        let project = try await TestProject(
            """
            WL.Server.createEventSource({
                name: 'S', onDeviceSubscribe: function () { WL.Logger.info('began'); while (true) {} }
            });
            function run() {}
            """, settings: settings)
        async let reply = project.subscribe("ann")
        _ = try await project.log.lines.wait { lines in lines.contains { $0.message == "began" } }
        project.runtime.interrupt(reason: "the server is stopping")
        #expect(try await reply == .subscribed(.created, reply: [:]))
        #expect(try project.store.pendingCallbacks(limit: 9).callbacks.count == 1)
    }

    @Test("A user's pending callbacks run before new ones")
    func inOrder() async throws {
        let project = try await TestProject(Self.script)
        _ = try project.store.subscribe(subscription())
        _ = try project.store.unsubscribe(
            eventSource: Self.source, userID: "ann", deviceID: "phone", applicationID: "App", owing: UUID())
        try await project.subscribe("ann")
        #expect(
            project.log.messages(at: .info) == [
                "deviceOff phone 7 undefined", "userOff ann", "userOn ann", "deviceOn phone",
            ])
        #expect(try await project.runtime.runPendingCallbacks() == 0)
    }

    @Test("waits for a callback that is running before it runs a later one of the same user", .defaultTimeLimit)
    func afterRunningOne() async throws {
        try await withWaitingBackEnd(.ok("{}", type: "application/json")) { backEnd, gate in
            // In one scope for all calls they would wait for each other anyway.
            let project = try await TestProject(files: [
                "server/conf/worklight.properties": "mfp.session.independent=true",
                "adapters/A/A.xml": adapterXML("A", connectivity: backEnd.connectivity),
                "adapters/A/A-impl.js": """
                WL.Server.createEventSource({
                    name: 'S',
                    onDeviceUnsubscribe: function (user, device) {
                        WL.Server.invokeHttp({ method: 'get', path: '/wait', returnedContentType: 'json' });
                        WL.Logger.info('deviceOff ' + device.device);
                    },
                    onUserUnsubscribe: function (user) { WL.Logger.info('userOff ' + user.userId) },
                    onUserSubscribe: function (user) { WL.Logger.info('userOn ' + user.userId) },
                    onDeviceSubscribe: function (user, device) { WL.Logger.info('deviceOn ' + device.device) }
                });
                function run() {}
                """,
            ])
            _ = try project.store.subscribe(subscription())
            async let ended = project.unsubscribe("ann")
            try await gate.arrivals(1)
            async let reply = project.subscribe("ann")
            // It and the run of the owed callbacks wait for the unsubscription's callbacks.
            async let left = project.runtime.runPendingCallbacks()
            try await waitUntil { project.runtime.runningChanges.waiterCount >= 2 }
            gate.open()
            #expect(try await (ended, reply) == (true, .subscribed(.created, reply: [:])))
            _ = try await left
            #expect(
                project.log.messages(at: .info) == ["deviceOff phone", "userOff ann", "userOn ann", "deviceOn phone"])
            #expect(try isNothingOwed(project))
        }
    }

    @Test("A subscription ends because of another user, with its callbacks, once onUserChange has agreed")
    func otherUser() async throws {
        let project = try await TestProject(Self.script)
        let former = subscription()
        _ = try project.store.subscribe(former)
        #expect(try await !project.runtime.endSubscription(former, becauseOf: "eve"))
        #expect(try project.store.deviceSubscriptions(matching: SubscriptionFilter()) == [former])
        #expect(try await project.runtime.endSubscription(former, becauseOf: "bob"))
        #expect(try await !project.runtime.endSubscription(former, becauseOf: "bob"))
        #expect(
            project.log.messages(at: .info).prefix(4) == [
                "ann to eve by alias", "ann to bob by alias", "deviceOff phone 7 undefined", "userOff ann",
            ])
        #expect(try isNothingOwed(project))
    }
}
