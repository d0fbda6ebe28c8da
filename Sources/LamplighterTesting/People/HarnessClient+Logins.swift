import AdapterRuntime
import Authentication
public import Core
import WorklightProject

extension HarnessClient {
    /// Logs a user in to a realm in this session, as if the realm's login module had accepted the login. Neither the authenticator nor the
    /// login module is called.
    ///
    /// ```swift
    /// try client.login("ShopRealm", "ann")
    /// try client.login("ShopRealm", ["userId": "ann", "displayName": "Ann", "attributes": ["shop": 7]])
    /// ```
    ///
    /// - Parameter identity: the user's id, or the object that `WL.Server.getActiveUser(realm)` then returns, with the member `userId`. Its
    ///   member `credentials`, a string, is kept as the password.
    /// - Throws: ``HarnessMisuseError`` when the project has no such realm, when the identity has no `userId`, and when another user is logged in
    ///   to the realm.
    public func login(
        _ realm: String, _ identity: JSONValue, fileID: String = #fileID, line: Int = #line
    ) throws {
        try TestPlace(fileID: fileID, line: line).during {
            let known = harness.userRealms
            guard known.isEmpty || known.contains(realm) else {
                throw HarnessMisuseError(
                    "login: the project has no realm '\(realm)'; there are: \(known.joined(separator: ", "))")
            }
            var object: JSONObject = identity.object ?? [:]
            if let name = identity.string { object = ["userId": .string(name), "displayName": .string(name)] }
            let credentials = object["credentials"]?.string
            object["credentials"] = nil
            let new = JSONValue.object(object)
            guard let user = new.userID, !user.isEmpty else {
                throw HarnessMisuseError(
                    "login: expected a user's id, or an object with 'userId', got \(identity.text)")
            }
            if let current = session.identity(in: realm), !current.isSameUser(as: new) {
                throw HarnessMisuseError(
                    "login: '\(current.userID ?? "another user")' is logged in to '\(realm)'; log out first, with client.logout('\(realm)')"
                )
            }
            session.replaceIdentity(new, password: credentials, in: realm)
        }
    }

    /// Logs the session's user out. The logout functions of adapters and login modules are not called.
    ///
    /// - Parameter realm: all realms when `nil`.
    public func logout(_ realm: String? = nil) {
        for realm in realm.map({ [$0] }) ?? session.realms {
            // A logout never fails.
            try? session.setIdentity(nil, in: realm)
        }
    }

    /// Checks that the session has passed the security test of a procedure; the server would refuse the call otherwise.
    ///
    /// - Throws: ``SecurityTestError``, ``HarnessMisuseError``.
    func checkSecurityTest(of procedure: String) throws {
        let (adapter, name) = try harness.split(procedure)
        guard let test = harness.runtime.securityTest(ofProcedure: name, adapter: adapter) else { return }
        let policy = SecurityPolicy(project: harness.project, allowsTools: true)
        let requirements = policy.requirements(ofTest: test)
        if let obstacle = requirements.obstacle {
            throw SecurityTestError(securityTest: test, procedure: name, realms: [], reason: obstacle)
        }
        let userRealms = Set(harness.userRealms)
        let missing = requirements.userRealms.filter { userRealms.contains($0) && session.identity(in: $0) == nil }
        guard !missing.isEmpty else { return }
        let logins = missing.map { "client.login('\($0)', identity)" }.joined(separator: " and ")
        throw SecurityTestError(
            securityTest: test, procedure: name, realms: missing, reason: "log in first with \(logins)")
    }
}

extension AdapterHarness {
    /// The realms that a user can log in to: those that the project declares, and others that its security tests name. Built-in
    /// realms, such as `wl_antiXSRFRealm`, count as passed.
    var userRealms: [String] {
        let authentication = project.authentication
        var realms = authentication.realms.map(\.name)
        for realm in authentication.securityTests.flatMap(\.tests).map(\.realm)
        where !realms.contains(realm) && !AuthenticationConfiguration.builtInRealms.contains(realm) {
            realms.append(realm)
        }
        return realms
    }
}

/// An error for a call of a client that has not passed the security test of the procedure. The server would ask the client to log in.
public struct SecurityTestError: HarnessError, Hashable {
    public let securityTest: String
    public let procedure: String
    /// The realms to log in to; none when the security test is not defined.
    public let realms: [String]
    public var place: TestPlace?
    private let reason: String

    init(securityTest: String, procedure: String, realms: [String], reason: String) {
        (self.securityTest, self.procedure, self.realms, self.reason) = (securityTest, procedure, realms, reason)
    }

    public var message: String {
        "the security test '\(securityTest)' of the procedure '\(procedure)' is not passed: \(reason)"
    }
}
