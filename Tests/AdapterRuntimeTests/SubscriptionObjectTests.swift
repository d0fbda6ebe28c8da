import Core
import Logging
import PushModel
import Storage
import TestSupport
import Testing
import WorklightProject

@Suite("User and device subscriptions in scripts")
struct SubscriptionObjectTests {
    private func project(_ body: String) async throws -> TestProject {
        let project = try await TestProject(
            """
            WL.Server.createEventSource({ name: 'S' });
            function run(userId) { var u = WL.Server.getUserNotificationSubscription('A.S', userId); \(body) }
            """)
        try await project.subscribe("ann", options: ["custom": "aaa", "alert": true])
        return project
    }

    @Test("A user without a subscription is null, never undefined")
    func absent() async throws {
        let project = try await project("return { isNull: u === null }")
        #expect(await project.call(#"["bob"]"#) == #"{"isSuccessful":true,"isNull":true}"#)
    }

    @Test("The log says which part did not match")
    func whichPart() async throws {
        let project = try await TestProject(
            "function run() { WL.Server.getUserNotificationSubscription('B.Nope', 'ann'); "
                + "WL.Server.getUserNotificationSubscription('S', undefined) } WL.Server.createEventSource({ name: 'S' })"
        )
        _ = await project.call()
        #expect(
            project.log.messages(at: .warning).first?.contains("no adapter declares the event source 'B.Nope'") == true)
        #expect(project.log.messages(at: .warning).last?.contains("the user id is undefined") == true)
    }

    @Test("A bare event source name is the adapter's own")
    func bareName() async throws {
        let project = try await project(
            "return { same: WL.Server.getUserNotificationSubscription('S', userId).userId }")
        #expect(await project.call(#"["ann"]"#) == #"{"isSuccessful":true,"same":"ann"}"#)
    }

    @Test("A number as user id finds the user of that name")
    func numericUser() async throws {
        let project = try await project("return { user: u.userId }")
        try await project.subscribe("42", device: "d42", token: "t42")
        #expect(await project.call("[42]") == #"{"isSuccessful":true,"user":"42"}"#)
    }

    @Test("A device subscription has the documented members")
    func device() async throws {
        let project = try await project("return { devices: u.getDeviceSubscriptions() }")
        #expect(
            await project.call(#"["ann"]"#)
                == #"{"isSuccessful":true,"devices":[{"alias":"alias","device":"phone","token":"token","applicationId":"App","platform":"Android","options":{"custom":"aaa","alert":true}}]}"#
        )
    }

    @Test("The state is kept by save, also over another call and for callbacks")
    func state() async throws {
        let project = try await project(
            "var n = u.state.n || 0; u.state = { n: n + 1, list: [n] }; u.save(); return { before: n }")
        _ = await project.call(#"["ann"]"#)
        #expect(await project.call(#"["ann"]"#) == #"{"isSuccessful":true,"before":1}"#)
        let stored = try project.store.userSubscription(
            eventSource: EventSourceID(adapter: "A", name: "S"), userID: "ann")
        #expect(stored?.state == ["n": 2, "list": [1]])
    }

    @Test("A state that is not saved is not kept")
    func unsavedState() async throws {
        let project = try await project(
            "u.state.n = 1; return { state: WL.Server.getUserNotificationSubscription('S', 'ann').state }")
        #expect(await project.call(#"["ann"]"#) == #"{"isSuccessful":true,"state":{}}"#)
    }

    @Test("Everything but the state is read-only")
    func readOnly() async throws {
        let project = try await project(
            "u.userId = 'eve'; u.save = 1; u.getDeviceSubscriptions = 1; var d = u.getDeviceSubscriptions()[0]; d.token = 'x';"
                + "return { user: u.userId, save: typeof u.save, token: d.token }")
        #expect(
            await project.call(#"["ann"]"#)
                == #"{"isSuccessful":true,"user":"ann","save":"function","token":"token"}"#)
    }

    @Test("A state that is not an object is refused", arguments: ["5", "'x'", "[1]"])
    func badState(value: String) async throws {
        let project = try await project("u.state = \(value); u.save()")
        #expect(await project.call(#"["ann"]"#).contains("save: 'state' must be an object"))
    }

    @Test("Saving after the last device was removed is a warning")
    func saveAfterEnd() async throws {
        let project = try await TestProject(
            "WL.Server.createEventSource({ name: 'S', onUserUnsubscribe: function (u) { u.state = { a: 1 }; u.save() } }); "
                + "function run() {}")
        try await project.subscribe("ann")
        _ = try await project.unsubscribe("ann")
        #expect(project.log.messages(at: .warning).first?.contains("user 'ann' is no longer subscribed to A.S") == true)
        #expect(project.log.messages(at: .error) == [])
    }
}
