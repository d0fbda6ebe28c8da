import AdapterRuntime
import Core
import Foundation
import Logging
import PushModel
import Storage
import TestSupport
import Testing
import WorklightProject

@Suite("Subscribing")
struct SubscribingTests {
    /// Returns a script that logs every callback with its arguments; `onUserChange` returns the value of the variable.
    private static func script(onUserChange: String? = nil) -> String {
        """
        WL.Server.createEventSource({
            name: 'S', onDeviceSubscribe: 'deviceOn', onDeviceUnsubscribe: 'deviceOff',
            onUserSubscribe: function (user) { WL.Logger.info('userOn ' + user.userId) },
            onUserUnsubscribe: 'userOff'\(onUserChange == nil ? "" : ", onUserChange: 'change'")
        });
        WL.Server.createEventSource({ name: 'Other', onDeviceUnsubscribe: 'deviceOff' });
        function deviceOn(user, device) { WL.Logger.info('deviceOn ' + user.userId + ' ' + device.device) }
        function deviceOff(user, device) { WL.Logger.info('deviceOff ' + user.userId + ' ' + device.device) }
        function userOff(user) { WL.Logger.info('userOff ' + user.userId) }
        function change(options) { WL.Logger.info(options); \(onUserChange ?? "") }
        function run() {}
        """
    }

    @Test("The first device runs onUserSubscribe, then onDeviceSubscribe; the second only the latter")
    func order() async throws {
        let project = try await TestProject(Self.script())
        try await project.subscribe("ann", device: "phone")
        try await project.subscribe("ann", device: "tablet", token: "token2")
        #expect(project.log.messages(at: .info) == ["userOn ann", "deviceOn ann phone", "deviceOn ann tablet"])
    }

    @Test("The last device runs onDeviceUnsubscribe, then onUserUnsubscribe")
    func unsubscribe() async throws {
        let project = try await TestProject(Self.script())
        try await project.subscribe("ann", device: "phone")
        try await project.subscribe("ann", device: "tablet", token: "token2")
        #expect(try await project.unsubscribe("ann", device: "phone"))
        #expect(try await project.unsubscribe("ann", device: "tablet"))
        #expect(
            project.log.messages(at: .info).suffix(3) == ["deviceOff ann phone", "deviceOff ann tablet", "userOff ann"])
    }

    @Test("Subscribing twice is the same as once")
    func idempotent() async throws {
        let project = try await TestProject(Self.script())
        #expect(try await project.subscribe("ann") == .subscribed(.created, reply: [:]))
        #expect(try await project.subscribe("ann") == .subscribed(.unchanged, reply: [:]))
        #expect(project.log.messages(at: .info) == ["userOn ann", "deviceOn ann phone"])
        #expect(try project.store.deviceSubscriptions(matching: .init()).count == 1)
    }

    @Test("Another alias or other options run onDeviceSubscribe again")
    func changed() async throws {
        let project = try await TestProject(Self.script())
        try await project.subscribe("ann")
        #expect(try await project.subscribe("ann", alias: "new") == .subscribed(.updated, reply: [:]))
        #expect(project.log.messages(at: .info) == ["userOn ann", "deviceOn ann phone", "deviceOn ann phone"])
    }

    @Test("Ending a missing subscription says so and runs no callback")
    func nothingToEnd() async throws {
        let project = try await TestProject(Self.script())
        #expect(try await project.unsubscribe("ann") == false)
        #expect(project.log.messages(at: .info) == [])
    }

    @Test("An unknown event source is an error that lists the known ones")
    func unknownSource() async throws {
        let project = try await TestProject(Self.script())
        let error = try await #require(throws: UnknownNameError.self) {
            try await project.subscribe("ann", source: "Nope")
        }
        #expect(error.description == "there is no event source 'A.Nope'; there are: A.Other, A.S")
    }

    @Test("A device goes to the new user without onUserChange, and the old user's callbacks run")
    func transfer() async throws {
        let project = try await TestProject(Self.script())
        try await project.subscribe("ann")
        try await project.subscribe("bob")
        #expect(
            project.log.messages(at: .info).suffix(4) == [
                "deviceOff ann phone", "userOff ann", "userOn bob", "deviceOn bob phone",
            ])
        #expect(try project.store.deviceSubscriptions(matching: .init()).map(\.userID) == ["bob"])
    }

    @Test("onUserChange receives both users, the device and the options")
    func changeArguments() async throws {
        let project = try await TestProject(Self.script(onUserChange: "return { isSuccessful: true }"))
        try await project.subscribe("ann")
        try await project.subscribe("bob", options: ["custom": 1])
        #expect(
            project.log.messages(at: .info)[2]
                == #"{"userId":"bob","previousUserId":"ann","device":"phone","applicationId":"App","platform":"Android","alias":"alias","options":{"custom":1}}"#
        )
    }

    @Test("onUserChange lets the new user in, and its other keys reach the client")
    func changeAllowed() async throws {
        let project = try await TestProject(Self.script(onUserChange: "return { isSuccessful: true, hint: 'hi' }"))
        try await project.subscribe("ann")
        #expect(try await project.subscribe("bob") == .subscribed(.created, reply: ["hint": "hi"]))
        #expect(try project.store.deviceSubscriptions(matching: .init()).map(\.userID) == ["bob"])
    }

    @Test(
        "onUserChange keeps the new user out unless it says isSuccessful: true",
        arguments: [
            "return { isSuccessful: false, hint: 'no' }", "return { hint: 'no' }",
            "return { isSuccessful: 'true', hint: 'no' }",
        ])
    func changeRefused(body: String) async throws {
        let project = try await TestProject(Self.script(onUserChange: body))
        try await project.subscribe("ann")
        #expect(try await project.subscribe("bob") == .refused(reply: ["hint": "no"], errors: []))
        #expect(try project.store.deviceSubscriptions(matching: .init()).map(\.userID) == ["ann"])
        #expect(project.log.messages(at: .info).count == 3)
    }

    @Test(
        "onUserChange that returns nothing, or throws, keeps the new user out", arguments: ["", "throw new Error('x')"])
    func changeFails(body: String) async throws {
        let project = try await TestProject(Self.script(onUserChange: body))
        try await project.subscribe("ann")
        guard case .refused = try await project.subscribe("bob") else {
            Issue.record("bob was let in")
            return
        }
        #expect(try project.store.deviceSubscriptions(matching: .init()).map(\.userID) == ["ann"])
    }

    @Test("onUserChange does not run for the same user")
    func sameUser() async throws {
        let project = try await TestProject(Self.script(onUserChange: "return { isSuccessful: false }"))
        try await project.subscribe("ann")
        #expect(try await project.subscribe("ann", alias: "new") == .subscribed(.updated, reply: [:]))
    }

    @Test("A callback that throws is logged with its stack, and the subscription remains")
    func throwingCallback() async throws {
        let project = try await TestProject(
            "WL.Server.createEventSource({ name: 'S', onDeviceSubscribe: function () { null.x } }); function run() {}")
        #expect(try await project.subscribe("ann") == .subscribed(.created, reply: [:]))
        let line = try #require(project.log.messages(at: .error).first)
        #expect(line.hasPrefix("A/S.onDeviceSubscribe failed: adapters/A/A-impl.js:1:"))
        #expect(try project.store.deviceSubscriptions(matching: .init()).count == 1)
    }

    @Test("Subscriptions survive a restart")
    func restart() async throws {
        let files = [
            "adapters/A/A.xml": adapterXML("A"),
            "adapters/A/A-impl.js": Self.script()
                + "function run(u) { return { found: WL.Server.getUserNotificationSubscription('S', u) !== null } }",
        ]
        let first = try await TestProject(files: files)
        try await first.subscribe("ann")
        let again = AdapterRuntime(project: Project(reading: first.folder.url), services: first.services)
        _ = await again.load()
        let result = await again.invoke(adapter: "A", procedure: "run", parameters: #"["ann"]"#)
        #expect(result.json == #"{"isSuccessful":true,"found":true}"#)
    }
}
