public import AdapterRuntime
import Foundation
public import PushModel
import Synchronization
import WorklightProject

/// Somebody who calls with a session: an app with a user who is logged in, or with nobody yet.
public struct HarnessClient: Sendable {
    let harness: AdapterHarness
    public let session: ClientSession
    /// Whom the harness has logged in; `nil` for nobody.
    public let user: String?
    /// What `getClientRequest` tells adapters of the requests with which it calls: set headers, for example, before a call.
    public var request = ClientRequest(method: "POST", url: "http://localhost/test")

    /// The same client, in the same session, whose calls come with this request.
    public func withRequest(_ request: ClientRequest) -> HarnessClient {
        var client = self
        client.request = request
        return client
    }

    /// Calls a procedure in this session; see ``AdapterHarness/call(_:_:)``.
    ///
    /// - Throws: ``CallFailure``.
    @discardableResult
    public func call(
        _ procedure: String, _ arguments: JSONValue..., fileID: String = #fileID, line: Int = #line
    ) async throws -> JSONValue {
        try await TestPlace(fileID: fileID, line: line).during {
            try await harness.call(procedure, arguments, caller: caller)
        }
    }

    /// Calls a procedure in this session and gives what goes over the wire; see ``AdapterHarness/reply(_:_:)``.
    ///
    /// - Throws: ``UnansweredRequests`` when what answers in place of a back end has thrown.
    public func reply(
        _ procedure: String, _ arguments: JSONValue..., fileID: String = #fileID, line: Int = #line
    ) async throws -> JSONValue {
        try await TestPlace(fileID: fileID, line: line).during {
            try await harness.reply(procedure, arguments, caller: caller)
        }
    }

    /// Whom a realm knows, as `setActiveUser` was given it; `nil` for nobody.
    public func identity(in realm: String) -> JSONValue? {
        session.identity(in: realm)
    }

    /// One of the user's devices, registered with a token when it first subscribes. In a client's session it is of the user whom
    /// the adapter has logged in by then.
    ///
    /// - Parameters:
    ///   - application: the application on it; the project's first when `nil`.
    public func device(_ id: String, platform: Platform = .apple, application: String? = nil) -> HarnessDevice {
        HarnessDevice(
            harness: harness, user: user ?? loggedIn ?? "", id: id, platform: platform,
            application: application ?? harness.project.applications.first?.id ?? "App")
    }

    /// Whom adapters have logged in, to whatever realm.
    private var loggedIn: String? {
        session.realms.lazy.compactMap { session.identity(in: $0)?.userID }.first
    }

    /// Ends the session; the adapters' variables for it are gone. ``AdapterHarness/user(_:)`` begins a new one.
    public func end() async {
        harness.people.withLock { people in
            if let user, people.users[user]?.id == session.id { people.users[user] = nil }
        }
        await harness.runtime.endSession(id: session.id)
    }

    /// Gives events to the adapters' handlers, as `WL.Client.transmitEvent` does.
    ///
    /// - Returns: how many handlers were called.
    /// - Throws: ``CallbackFailure`` when one throws, ``UnansweredRequests``.
    @discardableResult
    public func transmit(
        _ events: JSONValue..., fileID: String = #fileID, line: Int = #line
    ) async throws -> Int {
        try await transmit(events, fileID: fileID, line: line)
    }

    /// As ``transmit(_:)-(JSONValue...)``.
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
    /// A user who is logged in to every realm of the project, in the same session until it ends.
    public func user(_ name: String) -> HarnessClient {
        let session = people.withLock { people in
            if let known = people.users[name] { return known }
            let new = people.newSession()
            let realms = project.authentication.realms.map(\.name)
            for realm in realms.isEmpty ? ["user"] : realms {
                // A new session has nobody else in it.
                try? new.setIdentity(["userId": .string(name), "displayName": .string(name)], in: realm)
            }
            people.users[name] = new
            return new
        }
        return HarnessClient(harness: self, session: session, user: name)
    }

    /// A new session in which nobody is logged in.
    public func client() -> HarnessClient {
        HarnessClient(harness: self, session: people.withLock { $0.newSession() }, user: nil)
    }
}

/// Who was asked for.
struct HarnessPeople {
    /// Their sessions, by name.
    var users: [String: ClientSession] = [:]
    private var sessions = 0

    mutating func newSession() -> ClientSession {
        sessions += 1
        return ClientSession(
            id: "session-\(sessions)", clientID: "client-\(sessions)",
            deviceIdentity: ["deviceId": .string("device-\(sessions)")])
    }
}
