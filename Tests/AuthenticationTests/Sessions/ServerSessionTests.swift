import AdapterRuntime
import Core
import PushModel
import Testing

@testable import Authentication

@Suite("A session")
struct ServerSessionTests {
    private let session = ServerSession(id: "0000a", persistentID: "p")
    private static let ann: JSONValue = ["userId": "ann"]
    private static let bob: JSONValue = ["userId": "bob"]

    private func answer(_ id: String, token: String? = nil) throws -> DeviceAnswer {
        try DeviceAnswer([
            "ID": ["token": .string(token ?? session.deviceToken), "device": ["id": .string(id)]]
        ])
    }

    @Test(
        "The instance id is returned only to a client that knows it; others get a random one",
        arguments: [nil, "", "wrong"])
    func knownInstance(given: String?) {
        #expect(session.instanceID(knownTo: session.instanceID) == session.instanceID)
        let told = session.instanceID(knownTo: given)
        #expect(told != session.instanceID && told.count == session.instanceID.count)
        #expect(session.instanceID(knownTo: given) != told)
    }

    @Test(
        "A token counts as the client's if the client has sent it and no other was named",
        arguments: [
            ([("t1", true)], "t1"), ([("t1", false), ("t1", true)], "t1"), ([("t1", false)], nil),
            ([("t1", true), ("t2", true)], nil), ([("t1", true), ("t2", false)], nil),
        ] as [([(String, Bool)], String?)])
    func sentTokens(named: [(String, Bool)], expected: String?) {
        for (token, isFromClient) in named {
            session.note(pushToken: DeviceToken(stored: token), of: "App", isFromClient: isFromClient)
        }
        #expect(session.renewInstallation().former.sentTokens["App"]?.value == expected)
        #expect(session.renewInstallation().former.sentTokens.isEmpty)
    }

    @Test("Only the exact instance id proves that a request is not forged")
    func instance() {
        for wrong in [nil, "", "x", session.instanceID.uppercased(), session.instanceID + "x", session.id] {
            #expect(!session.proves(instanceID: wrong))
        }
        #expect(session.takeUnreported().isEmpty)
        #expect(session.standing == .stranger)
        #expect(session.proves(instanceID: session.instanceID))
        #expect(session.standing == .client)
    }

    @Test("Passed tests are reported once")
    func unreported() throws {
        for _ in 0..<2 { #expect(session.proves(instanceID: session.instanceID)) }
        try session.accept(try answer("phone"))
        #expect(session.takeUnreported() == [.antiXSRF, .remoteDisable, .deviceNoProvisioning])
        try session.accept(try answer("phone"))
        #expect(session.proves(instanceID: session.instanceID))
        #expect(session.takeUnreported().isEmpty)
    }

    @Test("A device is taken with the session's token, and then no other")
    func device() throws {
        #expect(throws: ChallengeError(realm: .deviceNoProvisioning, reason: "bad token")) {
            try session.accept(try answer("phone", token: "wrong"))
        }
        #expect(session.device == nil)
        try session.accept(try answer("phone"))
        try session.accept(try answer("phone"))
        let error = #expect(throws: ChallengeError.self) { try session.accept(try answer("other")) }
        #expect(error?.reason == "this session belongs to another device")
        #expect(session.device?.id == "phone")
        #expect(session.client.deviceIdentity?["deviceId"] == "phone")
    }

    @Test("Messages that were read are remembered, but not any number")
    func messages() {
        #expect(!session.hasAcknowledged(message: "1"))
        for number in 1...30 { session.acknowledge(message: "\(number)") }
        #expect(session.hasAcknowledged(message: "1"))
        #expect(session.hasAcknowledged(message: "20"))
        #expect(!session.hasAcknowledged(message: "21"))
    }

    @Test("ignores an acknowledged id that is longer than the operator's")
    func longMessage() {
        let id = String(repeating: "1", count: 16)
        session.acknowledge(message: id)
        #expect(!session.hasAcknowledged(message: id))
    }

    @Test("Wrong challenge responses are counted until a right one")
    func wrongAnswers() {
        #expect(session.countWrongAnswer() == 1)
        #expect(session.countWrongAnswer() == 2)
        session.forgetWrongAnswers()
        #expect(session.countWrongAnswer() == 1)
    }

    @Test("A login holds until its deadline")
    func deadline() {
        session.logIn(Self.ann, to: "R", until: .seconds(10))
        #expect(session.identity(in: "R", at: .seconds(9)) == Self.ann)
        #expect(session.identity(in: "R", at: .seconds(10)) == nil)
        #expect(session.client.realms.isEmpty)
        #expect(session.identity(in: "R", at: .seconds(9)) == nil)
    }

    @Test("A login without a deadline holds as long as the session")
    func noDeadline() {
        session.logIn(Self.ann, to: "R", until: nil)
        #expect(session.identity(in: "R", at: .seconds(1_000_000_000)) == Self.ann)
    }

    @Test("A new login replaces another user's")
    func replace() {
        session.logIn(Self.ann, to: "R", until: .seconds(10))
        session.logIn(Self.bob, to: "R", until: .seconds(20))
        #expect(session.identity(in: "R", at: .seconds(15)) == Self.bob)
    }

    @Test("Realms are separate")
    func realms() {
        session.logIn(Self.ann, to: "R", until: nil)
        session.logIn(Self.bob, to: "S", until: .seconds(1))
        #expect(session.identity(in: "S", at: .seconds(2)) == nil)
        #expect(session.identity(in: "R", at: .seconds(2)) == Self.ann)
        session.logOut(of: "R")
        #expect(session.identity(in: "R", at: .seconds(2)) == nil)
    }

    @Test("The time of a user whom a script has logged in runs from when that was noted")
    func scriptLogin() throws {
        try session.client.setIdentity(Self.ann, in: "R")
        #expect(session.identity(in: "R", at: .seconds(1_000)) == Self.ann)
        #expect(session.noteLogins(in: ["R"]) { $0 == "R" ? .seconds(1_100) : nil })
        #expect(session.identity(in: "R", at: .seconds(1_099)) == Self.ann)
        // Noting again does not restart the time.
        #expect(!session.noteLogins(in: ["R"]) { _ in .seconds(9_999) })
        #expect(session.identity(in: "R", at: .seconds(1_100)) == nil)
    }

    @Test("A script that logs in another user starts a new login")
    func scriptLoginOfAnother() throws {
        session.logIn(Self.ann, to: "R", until: .seconds(10))
        #expect(session.noteLogins(in: ["R"]) { _ in .seconds(99) })
        try session.client.setIdentity(nil, in: "R")
        try session.client.setIdentity(Self.bob, in: "R")
        // The old deadline is not the new user's.
        #expect(session.identity(in: "R", at: .seconds(20)) == Self.bob)
        #expect(session.noteLogins(in: ["R"]) { _ in .seconds(30) })
        #expect(session.identity(in: "R", at: .seconds(30)) == nil)
    }

    @Test("Every kind of login is noted once, and a session without one notes nothing")
    func note() {
        #expect(!session.noteLogins(in: ["R"]) { _ in nil })
        session.logIn(Self.ann, to: "R", until: nil)
        #expect(session.noteLogins(in: ["R"]) { _ in nil })
        #expect(!session.noteLogins(in: ["R"]) { _ in nil })
        session.logIn(Self.bob, to: "R", until: nil)
        #expect(session.noteLogins(in: ["R"]) { _ in nil })
    }

    @Test("A script that sets the same user with other attributes starts no login")
    func sameUser() throws {
        try session.client.setIdentity(Self.ann, in: "R")
        #expect(session.noteLogins(in: ["R"]) { _ in nil })
        try session.client.setIdentity(["userId": "ann", "attributes": ["mood": "good"]], in: "R")
        #expect(!session.noteLogins(in: ["R"]) { _ in nil })
        try session.client.setIdentity(nil, in: "R")
        try session.client.setIdentity(Self.ann, in: "R")
        #expect(!session.noteLogins(in: ["R"]) { _ in nil })
    }

    @Test("A login by the client's own cookie is not noted, and one by a claim adds no standing")
    func proofs() {
        session.logIn(Self.ann, to: "Cookie", until: nil, by: .cookie)
        #expect(!session.noteLogins(in: ["Cookie"]) { _ in nil })
        session.logIn(Self.ann, to: "Claim", until: nil, by: .claim)
        #expect(session.noteLogins(in: ["Claim"]) { _ in nil })
        #expect(session.standing == .client)
        session.logIn(Self.ann, to: "Check", until: nil)
        #expect(session.standing == .user)
        session.logOut(of: "Check")
        #expect(session.standing == .client)
    }

    @Test("A script's login adds a user's standing, also in a realm where a claim was before")
    func scriptStanding() throws {
        session.logIn(Self.ann, to: "R", until: nil, by: .claim)
        #expect(session.noteLogins(in: ["R"]) { _ in nil })
        #expect(session.standing == .client)
        try session.client.setIdentity(nil, in: "R")
        try session.client.setIdentity(Self.bob, in: "R")
        #expect(session.noteLogins(in: ["R"]) { _ in nil })
        #expect(session.standing == .user)
    }

    @Test("A login clears the realm that was pending, and no other")
    func pending() {
        session.pendingRealm = "R"
        session.logIn(Self.ann, to: "S", until: nil)
        #expect(session.pendingRealm == "R")
        session.logIn(Self.ann, to: "R", until: nil)
        #expect(session.pendingRealm == nil)
    }

    @Test("A session that a browser has used stays a browser's")
    func browser() {
        func use(_ environment: String) {
            session.application = ClientApplication(
                id: "App", environment: ClientEnvironment(environment), version: "1.0")
        }
        use("android")
        #expect(!session.hasServedBrowser)
        use("desktopbrowser")
        use("android")
        #expect(session.hasServedBrowser)
        #expect(session.application?.environment == ClientEnvironment("android"))
    }

    @Test("A device's context continues with the same string, and restarts with another")
    func context() {
        #expect(!session.continues(context: "1"))
        #expect(session.continues(context: "1"))
        #expect(!session.continues(context: "2"))
    }

    @Test(
        "Strings are the same when every byte is",
        arguments: [
            ("", "", true), ("a", "a", true), ("a", "b", false), ("a", "ab", false), ("\u{E9}", "e\u{301}", false),
        ])
    func same(left: String, right: String, isSame: Bool) {
        #expect(left.isSame(as: right) == isSame)
    }
}
