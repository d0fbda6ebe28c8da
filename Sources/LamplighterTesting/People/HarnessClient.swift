public import AdapterRuntime
public import Core
import Foundation
public import PushModel
import Synchronization
import WorklightProject

/// A caller with a session: an app, with or without a logged-in user.
///
/// ```swift
/// let ann = harness.user("ann")
/// try await ann.call("Orders/place", "Lamp")
/// try await ann.device("phone").subscribe(to: "Orders.Shipped")
/// ```
public struct HarnessClient: Sendable {
    let harness: AdapterHarness
    /// The session that the runtime and the adapters see.
    public let session: ClientSession
    /// The user that ``AdapterHarness/user(_:)`` has logged in; `nil` for a client of ``AdapterHarness/client()``.
    public let user: String?
    /// The request that `getClientRequest` returns to adapters. Set its headers, for example, before a call.
    public var request = ClientRequest(method: "POST", url: "http://localhost/test")

    /// Returns the same client, in the same session, whose calls have this request.
    public func withRequest(_ request: ClientRequest) -> HarnessClient {
        var client = self
        client.request = request
        return client
    }

    /// Calls a procedure in this session and returns the value that its function returned; see
    /// ``AdapterHarness/call(_:_:fileID:line:)``.
    ///
    /// - Throws: ``CallError``; ``SecurityTestError`` when the session has not passed the procedure's security test;
    ///   ``HarnessMisuseError``.
    @discardableResult
    public func call(
        _ procedure: String, _ arguments: JSONValue..., fileID: String = #fileID, line: Int = #line
    ) async throws -> JSONValue {
        try await TestPlace(fileID: fileID, line: line).during {
            try await call(procedure: procedure, arguments: arguments)
        }
    }

    package func call(procedure: String, arguments: [JSONValue]) async throws -> JSONValue {
        try checkSecurityTest(of: procedure)
        return try await harness.call(procedure, arguments, caller: caller)
    }

    /// Calls a procedure in this session and returns the response; see ``AdapterHarness/reply(_:_:fileID:line:)``.
    ///
    /// - Throws: ``UnansweredRequestsError`` when the stub of a back end threw; ``SecurityTestError`` when the session has not passed the
    ///   procedure's security test; ``HarnessMisuseError``.
    public func reply(
        _ procedure: String, _ arguments: JSONValue..., fileID: String = #fileID, line: Int = #line
    ) async throws -> JSONValue {
        try await TestPlace(fileID: fileID, line: line).during {
            try await reply(procedure: procedure, arguments: arguments)
        }
    }

    package func reply(procedure: String, arguments: [JSONValue]) async throws -> JSONValue {
        try checkSecurityTest(of: procedure)
        return try await harness.reply(procedure, arguments, caller: caller)
    }

    /// Returns the identity in a realm, as passed to `setActiveUser`; `nil` without a login.
    public func identity(in realm: String) -> JSONValue? {
        session.identity(in: realm)
    }

    /// Calls a function of the script of a realm's authenticator in this session, with the client's request.
    ///
    /// - Parameters:
    ///   - function: `processRequest`, `processAuthenticationFailure` and so on; `init` runs before the first.
    ///   - arguments: `isAccess`, `message` or `answer`, where the function takes them.
    /// - Returns: an object with `status`, `response`, `written`, `json` and `data`, each where it applies.
    /// - Throws: ``CallError`` when the script threw; ``HarnessMisuseError`` when the realm's authenticator has no script.
    public func authenticator(
        of realm: String, _ function: String, _ arguments: JSONObject = [:], fileID: String = #fileID, line: Int = #line
    ) async throws -> JSONValue {
        try await TestPlace(fileID: fileID, line: line).during {
            let declared = harness.project.authentication.realm(named: realm)
            return try await callScript(
                of: declared?.className, declared?.parameters ?? [], realm, function, arguments)
        }
    }

    /// Calls a function of the script of a realm's login module in this session.
    ///
    /// - Parameters:
    ///   - function: `login` (which includes `createIdentity`), `logout` or `abort`.
    ///   - arguments: for `login` an object with `data`, the login data that the authenticator has collected.
    /// - Returns: for `login` an object with `isAccepted`, and `identity` or `message`.
    /// - Throws: ``CallError`` when the script threw; ``HarnessMisuseError`` when the realm's login module has no script.
    public func loginModule(
        of realm: String, _ function: String, _ arguments: JSONObject = [:], fileID: String = #fileID, line: Int = #line
    ) async throws -> JSONValue {
        try await TestPlace(fileID: fileID, line: line).during {
            let authentication = harness.project.authentication
            let module = authentication.realm(named: realm)?.loginModule.flatMap(authentication.loginModule(named:))
            return try await callScript(of: module?.className, module?.parameters ?? [], realm, function, arguments)
        }
    }

    private func callScript(
        of className: String?, _ parameters: [AuthenticationConfiguration.Parameter], _ realm: String,
        _ function: String, _ arguments: JSONObject
    ) async throws -> JSONValue {
        let name = AuthenticationConfiguration.scriptName(ofClass: className ?? "", realm: realm)
        guard harness.project.realmScripts.contains(where: { $0.descriptor.name == name }) else {
            throw HarnessMisuseError(
                "the realm '\(realm)' has no script for \(className ?? "its class"); expected a realm of "
                    + "\(AuthenticationConfiguration.path) whose class has a file in server/authentication")
        }
        var call = arguments
        var options = JSONObject()
        for parameter in parameters { options[parameter.name] = .string(parameter.value) }
        call["function"] = .string(function)
        call["options"] = .object(options)
        call["realm"] = .string(realm)
        call["module"] = .string(name)
        switch await harness.runtime.realmScriptResult(name, call, caller: caller) {
        case .success(let result): return .object(result)
        case .failure(let error): throw CallError(procedure: "\(realm)/\(function)", reason: error.description)
        }
    }

    /// Returns one of the user's devices. The device is registered with a token at its first subscription.
    ///
    /// A device of a ``AdapterHarness/client()`` belongs to the user who is logged in to the session, by the test or by an adapter, at the
    /// time of this call.
    ///
    /// - Parameters:
    ///   - application: the application on the device; the project's first application when `nil`.
    public func device(_ id: String, platform: Platform = .apple, application: String? = nil) -> HarnessDevice {
        HarnessDevice(
            harness: harness, user: user ?? loggedIn ?? "", id: id, platform: platform,
            application: application ?? harness.project.applications.first?.id ?? "App")
    }

    /// The user who is logged in to any realm of the session; `nil` without a login.
    private var loggedIn: String? {
        session.realms.lazy.compactMap { session.identity(in: $0)?.userID }.first
    }

    /// Ends the session and discards the adapters' variables for it. The next ``AdapterHarness/user(_:)`` of this name starts a new session.
    public func end() async {
        harness.people.withLock { people in
            if let user, people.users[user]?.id == session.id { people.users[user] = nil }
        }
        await harness.runtime.endSession(id: session.id)
    }

    /// Passes events to the adapters' handlers, as `WL.Client.transmitEvent` does.
    ///
    /// - Returns: the number of handlers called.
    /// - Throws: ``CallbackError`` when a handler throws; ``UnansweredRequestsError``, ``HarnessMisuseError``.
    @discardableResult
    public func transmit(
        _ events: JSONValue..., fileID: String = #fileID, line: Int = #line
    ) async throws -> Int {
        try await transmit(events, fileID: fileID, line: line)
    }

    /// Passes the events of an array to the adapters' handlers; see ``transmit(_:fileID:line:)-(JSONValue...,_,_)``.
    @discardableResult
    public func transmit(
        _ events: [JSONValue], fileID: String = #fileID, line: Int = #line
    ) async throws -> Int {
        try await TestPlace(fileID: fileID, line: line).during {
            try await harness.watchingCallbacks(tolerating: false) {
                await harness.runtime.handle(clientEvents: events, caller: caller)
            }
        }
    }

    package var caller: Caller {
        Caller(session: session, request: request)
    }
}

extension AdapterHarness {
    /// Returns a client whose user is logged in to every realm of the project. Further calls with the same name return a client in the same
    /// session, until that session ends.
    public func user(_ name: String) -> HarnessClient {
        let realms = userRealms
        let session = people.withLock { people in
            if let known = people.users[name] { return known }
            let new = people.newSession()
            for realm in realms.isEmpty ? ["user"] : realms {
                // A new session has no other user, so this cannot fail.
                try? new.setIdentity(["userId": .string(name), "displayName": .string(name)], in: realm)
            }
            people.users[name] = new
            return new
        }
        return HarnessClient(harness: self, session: session, user: name)
    }

    /// Returns a client with a new session in which no user is logged in. Its calls are refused while a realm of the procedure's security
    /// test has no user; log in with ``HarnessClient/login(_:_:fileID:line:)``.
    public func client() -> HarnessClient {
        HarnessClient(harness: self, session: people.withLock { $0.newSession() }, user: nil)
    }
}

/// The users of a harness's clients, and the number of sessions.
struct HarnessUsers {
    /// The session of each user, keyed by the user's name.
    var users: [String: ClientSession] = [:]
    private var sessions = 0

    mutating func newSession() -> ClientSession {
        sessions += 1
        return ClientSession(
            id: "session-\(sessions)", clientID: "client-\(sessions)",
            deviceIdentity: ["deviceId": .string("device-\(sessions)")])
    }
}
