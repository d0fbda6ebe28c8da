import AdapterRuntime
import Core
import Logging
import TestSupport
import Testing

@Suite("Identity, device and context of a caller")
struct IdentityTests {
    private let session = ClientSession(
        id: "session", clientID: "client", deviceIdentity: ["deviceId": "phone", "platform": "iOS"])

    /// Runs the body of a function as one call of that session.
    private func run(_ body: String) async throws -> String {
        try await TestProject("function run() { \(body) }").call(as: Caller(session: session))
    }

    @Test("An identity comes back unchanged, unknown members included")
    func identity() async throws {
        let answer = try await run(
            """
            WL.Server.setActiveUser('Realm', { userId: 'bob', displayName: 'Bob', attributes: { a: 1 }, groups: ['x'] });
            return WL.Server.getActiveUser('Realm');
            """)
        #expect(
            answer
                == #"{"isSuccessful":true,"userId":"bob","displayName":"Bob","attributes":{"a":1},"groups":["x"]}"#)
        #expect(session.identity(in: "Realm")?["userId"] == "bob")
    }

    @Test("getActiveUser returns null, not undefined, without an identity")
    func nobody() async throws {
        #expect(
            try await run("return { is: WL.Server.getActiveUser('Realm') === null }")
                == #"{"isSuccessful":true,"is":true}"#)
    }

    @Test("An identity lasts for the session, in every adapter and call")
    func lasting() async throws {
        let project = try await TestProject(
            """
            function login() { WL.Server.setActiveUser('R', { userId: 'bob' }) }
            function run() { return { user: WL.Server.getActiveUser('R').userId } }
            """, procedures: ["login", "run"])
        _ = await project.call(procedure: "login", as: Caller(session: session))
        #expect(await project.call(as: Caller(session: session)) == #"{"isSuccessful":true,"user":"bob"}"#)
        let other = Caller(session: ClientSession(id: "other"))
        #expect(await project.call(as: other).contains(#""isSuccessful":false"#))
    }

    @Test("null logs out")
    func logout() async throws {
        let answer = try await run(
            """
            WL.Server.setActiveUser('R', { userId: 'bob' });
            WL.Server.setActiveUser('R', null);
            return { is: WL.Server.getActiveUser('R') === null };
            """)
        #expect(answer == #"{"isSuccessful":true,"is":true}"#)
    }

    @Test("Another user can only be logged in after a logout, and the error has the original's message")
    func change() async throws {
        let answer = try await run(
            """
            WL.Server.setActiveUser('R', { userId: 'bob' });
            WL.Server.setActiveUser('R', { userId: 'bob', displayName: 'Bob' });
            try { WL.Server.setActiveUser('R', { userId: 'eve' }) } catch (e) { return { message: e.message } }
            """)
        #expect(
            answer.contains(
                "Cannot change identity of an already logged in user in realm 'R'. The application must logout first."))
        #expect(session.identity(in: "R") == ["userId": "bob", "displayName": "Bob"])
    }

    @Test("An identity need not have a userId")
    func withoutUserID() async throws {
        let answer = try await run(
            "WL.Server.setActiveUser('R', { country: 'DE' }); return WL.Server.getActiveUser('R')")
        #expect(answer == #"{"isSuccessful":true,"country":"DE"}"#)
    }

    @Test("setActiveUser needs a realm's name and an object or null")
    func wrongIdentity() async throws {
        #expect(try await run("WL.Server.setActiveUser({})").contains("setActiveUser: expected the realm's name first"))
        #expect(
            try await run("WL.Server.setActiveUser('R', 'bob')").contains(
                "setActiveUser: expected an object with 'userId'"))
    }

    @Test("A call without a session logs in for itself alone")
    func withoutSession() async throws {
        let project = try await TestProject(
            """
            function run(user) {
                if (user) WL.Server.setActiveUser('R', { userId: user });
                return { user: WL.Server.getActiveUser('R') };
            }
            """)
        #expect(await project.call(#"["bob"]"#) == #"{"isSuccessful":true,"user":{"userId":"bob"}}"#)
        #expect(await project.call() == #"{"isSuccessful":true,"user":null}"#)
    }

    @Test("The device's identity, the client's id and its context are the session's")
    func device() async throws {
        session.deviceContext = ["timezoneOffset": -60]
        let answer = try await run(
            """
            return { device: WL.Server.getCurrentDeviceIdentity().deviceId, client: WL.Server.getClientId(),
                     zone: WL.Server.getClientDeviceContext().timezoneOffset };
            """)
        #expect(answer == #"{"isSuccessful":true,"device":"phone","client":"client","zone":-60}"#)
    }

    @Test("a script's changes to a device context do not change the session's")
    func contextCopy() async throws {
        session.deviceContext = ["timezoneOffset": -60]
        _ = try await run("WL.Server.getClientDeviceContext().timezoneOffset = 5")
        #expect(session.deviceContext == ["timezoneOffset": -60])
    }

    @Test("An application context is kept with the session until null clears it")
    func applicationContext() async throws {
        _ = try await run("WL.Server.setApplicationContext({ area: 'hall' })")
        #expect(session.applicationContext == ["area": "hall"])
        _ = try await run("WL.Server.setApplicationContext(null)")
        #expect(session.applicationContext == nil)
    }

    @Test("getCurrentUserIdentity without a realm is who logged in last")
    func userIdentity() async throws {
        let answer = try await run(
            "WL.Server.setActiveUser('R', { userId: 'bob' }); return { user: WL.Server.getCurrentUserIdentity().userId }"
        )
        #expect(answer == #"{"isSuccessful":true,"user":"bob"}"#)
    }

    @Test("getClientId fails in a call without a client")
    func clientless() async throws {
        let project = try await TestProject("function run() { return WL.Server.getClientId() }")
        #expect(await project.call().contains("getClientId: this call comes from no client"))
    }

    @Test("logActivity writes the activity and where the device was into the log")
    func activity() async throws {
        let project = try await TestProject("function run() { WL.Server.logActivity('bought', { Geo: 1 }) }")
        _ = await project.call(as: Caller(session: session))
        #expect(project.log.messages(at: .info) == [#"activity 'bought' {"Geo":1}"#])
    }

    @Test("A call without a realm uses the user of the procedure's security test")
    func userRealm() async throws {
        let project = try await TestProject(files: [
            "server/conf/authenticationConfig.xml": """
            <tns:loginConfiguration xmlns:tns="http://www.worklight.com/auth/config">
            <securityTests><customSecurityTest name="T"><test realm="Mine" isInternalUserID="true"/></customSecurityTest>
            </securityTests><realms><realm name="Mine"><className>c</className></realm></realms>
            </tns:loginConfiguration>
            """,
            "adapters/A/A.xml": adapterXML("A").replacing(
                #"name="run""#, with: #"name="run" securityTest="T" audit="true""#),
            "adapters/A/A-impl.js": """
            function run() {
                WL.Server.setActiveUser('Mine', { userId: 'bob' });
                WL.Server.setActiveUser('Other', { userId: 'eve' });
                return { user: WL.Server.getActiveUser().userId, current: WL.Server.getCurrentUserIdentity().userId };
            }
            """,
        ])
        #expect(
            await project.call(as: Caller(session: session)) == #"{"isSuccessful":true,"user":"bob","current":"bob"}"#)
        _ = await project.call("[7]", as: Caller(session: session))
        #expect(
            project.log.messages(at: .info) == [
                "audit: A/run was called by nobody who is logged in in session session with []",
                "audit: A/run was called by bob, eve in session session with [7]",
            ])
    }

    @Test("A request that has logged a user in does not see another user who has logged in since")
    func replaced() throws {
        let (mine, other) = (RequestLoginVisibility(session), RequestLoginVisibility(session))
        try RequestLoginVisibility.$current.withValue(mine) { try session.setIdentity(["userId": "eve"], in: "R") }
        RequestLoginVisibility.$current.withValue(other) { session.replaceIdentity(["userId": "ann"], in: "R") }
        #expect(RequestLoginVisibility.$current.withValue(mine) { session.identity(in: "R") } == nil)
        #expect(RequestLoginVisibility.$current.withValue(mine) { session.realms } == [])
        #expect(RequestLoginVisibility.$current.withValue(other) { session.identity(in: "R")?.userID } == "ann")
        session.complete(session.logins(of: other))
        #expect(RequestLoginVisibility.$current.withValue(mine) { session.identity(in: "R") } == nil)
        #expect(
            RequestLoginVisibility.$current.withValue(RequestLoginVisibility(session)) {
                session.identity(in: "R")?.userID
            } == "ann")
        // A request says nothing about other sessions.
        let another = ClientSession(id: "another")
        try another.setIdentity(["userId": "bob"], in: "R")
        #expect(RequestLoginVisibility.$current.withValue(mine) { another.identity(in: "R")?.userID } == "bob")
    }

    @Test("A user's id may be a number, and is the same user's as its string")
    func numbers() throws {
        let identity: JSONValue = ["userId": 4711]
        #expect(identity.userID == "4711" && identity.isSameUser(as: ["userId": "4711", "attributes": [:]]))
        #expect(!identity.isSameUser(as: ["userId": 4712]))
        #expect(JSONValue.object([:]).userID == nil && !JSONValue.object([:]).isSameUser(as: ["displayName": "x"]))
    }
}
