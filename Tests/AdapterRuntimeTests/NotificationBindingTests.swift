import Core
import Foundation
import Logging
import PushModel
import Storage
import TestSupport
import Testing
import WorklightProject

@Suite("Notifications in scripts")
struct NotificationBindingTests {
    private func project(_ body: String) async throws -> TestProject {
        let project = try await TestProject(
            """
            WL.Server.createEventSource({ name: 'S' });
            function run(userId) {
                var u = WL.Server.getUserNotificationSubscription('A.S', userId || 'ann');
                \(body)
            }
            """)
        try await project.subscribe("ann", device: "phone", token: "token1")
        try await project.subscribe("ann", device: "tablet", token: "token2")
        try await project.subscribe("bob", device: "watch", token: "token3")
        return project
    }

    @Test("createDefaultNotification returns exactly the documented blocks, and WNS")
    func defaultNotification() async throws {
        let project = try await project(
            "var n = WL.Server.createDefaultNotification('hello', 3, { custom: 'data' }); return n")
        #expect(
            await project.call()
                == #"{"isSuccessful":true,"APNS":{"badge":3,"alert":"hello","payload":{"custom":"data"},"sound":"","actionKey":null},"#
                + #""GCM":{"alert":"hello","payload":{"custom":"data"}},"SMS":{"text":"hello"},"#
                + #""MPNS":{"raw":{"payload":{"custom":"data"}},"toast":null,"tile":{"title":"hello","count":3}},"#
                + #""WNS":{"raw":{"payload":{"custom":"data"}},"toast":{"visual":{"binding":{"template":"ToastText01","text":[{"content":"hello"}]}}},"badge":{"value":3}}}"#
        )
    }

    @Test("Adapters may change every part of a default notification, unknown keys included")
    func mutable() async throws {
        let project = try await project(
            """
            var n = WL.Server.createDefaultNotification('hello');
            n.MPNS.toast = {}; n.MPNS.toast.text1 = 'a'; n.GCM.badge = 1; n.GCM.sound = 'x'; n.APNS.sound = 'y';
            return { wait: WL.Server.notifyAllDevices(u, n) };
            """)
        #expect(await project.call() == #"{"isSuccessful":true,"wait":0}"#)
        let options = try #require(try project.store.outbox.deliveries(state: nil, limit: 1).first).options
        #expect(options["GCM"]?.text == #"{"alert":"hello","badge":1,"sound":"x"}"#)
    }

    @Test("notifyAllDevices reaches every device of the user and no other user's, and returns 0")
    func allDevices() async throws {
        let project = try await project("return { wait: WL.Server.notifyAllDevices(u, { GCM: { alert: 'x' } }) }")
        #expect(await project.call() == #"{"isSuccessful":true,"wait":0}"#)
        #expect(Set(try project.outbox()) == ["ann@phone", "ann@tablet"])
        #expect(Set(try project.store.outbox.deliveries(state: nil, limit: 9).map(\.notificationID)).count == 1)
    }

    @Test("notifyDevice takes a device's id or its token", arguments: ["tablet", "token2"])
    func oneDevice(device: String) async throws {
        let project = try await project(
            "return { wait: WL.Server.notifyDevice(u, '\(device)', { GCM: { alert: 'x' } }) }")
        #expect(await project.call() == #"{"isSuccessful":true,"wait":0}"#)
        #expect(try project.outbox() == ["ann@tablet"])
    }

    @Test("notifyDevice for an unknown device is an error in the log, and returns")
    func unknownDevice() async throws {
        let project = try await project("return { wait: WL.Server.notifyDevice(u, 'watch', { GCM: { alert: 'x' } }) }")
        #expect(await project.call() == #"{"isSuccessful":true,"wait":0}"#)
        #expect(
            project.log.messages(at: .error) == [
                "adapters/A/A-impl.js:4: notifyDevice: user 'ann' has no device 'watch' subscribed to A.S"
            ])
        #expect(try project.outbox() == [])
    }

    @Test(
        "A device subscription can be notified by both names",
        arguments: ["notifyDeviceSubscription", "submitNotification"])
    func deviceSubscription(function: String) async throws {
        let project = try await project(
            "return { wait: WL.Server.\(function)(u.getDeviceSubscriptions()[0], { GCM: { alert: 'x' } }) }")
        #expect(await project.call() == #"{"isSuccessful":true,"wait":0}"#)
        #expect(try project.outbox() == ["ann@phone"])
    }

    @Test("The flat form is taken, with one warning")
    func flat() async throws {
        let project = try await project(
            "for (var i = 0; i < 3; i++) WL.Server.notifyAllDevices(u, { badge: 1, sound: 's', alert: 'x', "
                + "activateButtonLabel: 'Go', payload: { foo: 'bar' } })")
        #expect(await project.call() == #"{"isSuccessful":true}"#)
        #expect(try project.outbox().count == 6)
        #expect(project.log.messages(at: .warning).count == 1)
    }

    @Test(
        "An invalid subscription or notification is an error that names the value passed",
        arguments: [
            (
                "WL.Server.notifyAllDevices(null, {})",
                "expected a user subscription, got null; getUserNotificationSubscription returns null"
            ),
            ("WL.Server.notifyAllDevices({ userId: 'ann' }, {})", "expected a user subscription, got an object"),
            ("WL.Server.notifyDeviceSubscription(u, {})", "expected a device subscription, got an object"),
            (
                "WL.Server.notifyAllDevices(u)",
                "expected the notification's options, an object, got undefined"
            ),
            (
                "WL.Server.notifyAllDevices(u, 'hello')",
                "expected the notification's options, an object, got the string 'hello'"
            ),
            (
                "WL.Server.notifyAllDevices(u, { APNS: { badge: [] } })",
                "APNS.badge: expected a whole number, got an array"
            ),
            (
                "WL.Server.notifyAllDevices(u, { GCM: { payload: 'x' } })",
                "GCM.payload: expected an object, got the string"
            ),
        ])
    func badArguments(call: String, reason: String) async throws {
        let project = try await project(call)
        let answer = await project.call()
        #expect(answer.contains(#"{"isSuccessful":false"#))
        #expect(answer.contains(reason))
        #expect(answer.contains("(adapters/A/A-impl.js#4)"))
        #expect(try project.outbox() == [])
    }

    @Test("A block that cannot be read is a warning in the result and in the log, and the other platforms get theirs")
    func badBlock() async throws {
        let project = try await project(
            "for (var i = 0; i < 2; i++) var wait = WL.Server.notifyAllDevices(u, { GCM: { alert: 'x' }, APNS: { badge: [] } });"
                + "return { wait: wait }")
        let warning =
            "notifyAllDevices: APNS.badge: expected a whole number, got an array; Apple devices get nothing of this "
            + "notification"
        #expect(await project.call() == #"{"isSuccessful":true,"wait":0,"warnings":["\#(warning)"]}"#)
        #expect(project.log.messages(at: .warning) == ["adapters/A/A-impl.js:4: \(warning)"])
        #expect(try project.outbox().count == 4)
    }

    @Test("A warning is added to the script's own, once in every procedure it passes through")
    func nestedWarning() async throws {
        let project = try await TestProject(
            """
            WL.Server.createEventSource({ name: 'S' });
            function run() {
                var result = WL.Server.invokeProcedure({ adapter: 'A', procedure: 'inner', parameters: [] });
                return { warnings: result.warnings.concat('own') };
            }
            function inner() {
                var u = WL.Server.getUserNotificationSubscription('A.S', 'ann');
                WL.Server.notifyAllDevices(u, { GCM: { alert: 'x' }, WNS: { badge: { value: 'star' } } });
            }
            """, procedures: ["run", "inner"])
        try await project.subscribe("ann")
        let answer = try JSONValue(parsing: await project.call())
        let warnings = (answer["warnings"]?.array ?? []).map { $0.string ?? "" }
        #expect(warnings.count == 2 && warnings.last == "own")
        let expected = "notifyAllDevices: WNS.badge.value: expected a whole number from 0 or one of"
        #expect(warnings.first?.hasPrefix(expected) == true)
    }

    @Test("A device that has unsubscribed meanwhile is not notified")
    func ended() async throws {
        let project = try await TestProject(
            """
            WL.Server.createEventSource({ name: 'S' });
            var device;
            function run(step) {
                if (step === 1) { device = WL.Server.getUserNotificationSubscription('S', 'ann').getDeviceSubscriptions()[0]; }
                else { WL.Server.notifyDeviceSubscription(device, { GCM: { alert: 'x' } }); }
            }
            """)
        try await project.subscribe("ann")
        _ = await project.call("[1]", as: .session("one"))
        _ = try await project.unsubscribe("ann")
        #expect(await project.call("[2]", as: .session("one")) == #"{"isSuccessful":true}"#)
        #expect(try project.outbox() == [])
        #expect(project.log.messages(at: .warning).first?.contains("is no longer subscribed") == true)
    }

    @Test("timeToLive decides when a delivery expires")
    func timeToLive() async throws {
        let project = try await project("WL.Server.notifyDevice(u, 'phone', { GCM: { alert: 'x', timeToLive: 60 } })")
        _ = await project.call()
        let delivery = try #require(try project.store.outbox.deliveries(state: nil, limit: 1).first)
        #expect(abs(delivery.expiresAt.timeIntervalSince(delivery.createdAt) - 60) < 0.01)
    }
}
