import JavaScriptEngine
import PushModel
import Synchronization

/// Who calls a procedure: what is known of them and of their request.
public struct Caller: Sendable {
    /// The client's session; `nil` for back ends, the command line and polls, who have none.
    public var session: ClientSession?
    /// The request; `nil` when the call did not come over the network.
    public var request: ClientRequest?
    /// Who notes what the call does; `nil` for nobody.
    public var tracer: InvocationTracer?
    /// Records to which realms the call logs users in; `nil` when nobody asks.
    var logins: LoginWatch?
    /// Ends the calls when the caller gives them up; `nil` when that is no matter.
    var interruption: Interruption?
    /// Whether the scope of what is traced outlives a call: another one of the same trace goes on in it.
    var keepsTraceScope = false

    public init(
        session: ClientSession? = nil, request: ClientRequest? = nil, tracer: InvocationTracer? = nil,
        logins: LoginWatch? = nil
    ) {
        self.session = session
        self.request = request
        self.tracer = tracer
        self.logins = logins
    }
}

/// Records the realms to which a request, or one call of it, logs users in, and says which logins of its session it sees.
///
/// A request sees the logins that were complete when it came, and its own. Those of other requests it must not see: it may have
/// come from somebody who planted the session, and whose cookie ends with the login.
public final class LoginWatch: Sendable {
    /// That of the request which the task answers; `nil` where no client asks.
    @TaskLocal public static var current: LoginWatch?

    private let noted = Mutex<[String: JSONValue]>([:])
    private let parent: LoginWatch?
    /// How many logins of the session were complete when the request came.
    let complete: Int

    /// - Parameter session: that of the request.
    public init(_ session: ClientSession) {
        parent = nil
        complete = session.completeLogins
    }

    /// For one call of a request.
    ///
    /// - Parameter parent: the request's, which learns of the call's logins; `nil` when the call sees every login.
    public init(within parent: LoginWatch?) {
        self.parent = parent
        complete = parent?.complete ?? .max
    }

    /// The realms; empty when nobody has been logged in.
    public var realms: Set<String> { noted.withLock { Set($0.keys) } }

    /// Who has been logged in, by realm.
    var logins: [String: JSONValue] { noted.withLock { $0 } }

    func note(_ identity: JSONValue, in realm: String) {
        noted.withLock { $0[realm] = identity }
        parent?.note(identity, in: realm)
    }

    /// Whether the request itself, in this call or another, has logged somebody in to the realm.
    func hasLoggedIn(to realm: String) -> Bool { realms.contains(realm) || parent?.hasLoggedIn(to: realm) ?? false }
}

extension Caller {
    /// Runs `body` with a caller whose calls end with the task's cancellation: what waits for its turn is not begun, and what runs
    /// is stopped, the loading of scripts included, and what waits for a back end.
    ///
    /// - Throws: what `body` throws; that is `CancellationError` where a call was not begun.
    public func untilCancelled<Result>(_ body: (Caller) async throws -> Result) async rethrows -> Result {
        let interruption = Interruption()
        var caller = self
        caller.interruption = interruption
        return try await withTaskCancellationHandler { [caller] in
            try await body(caller)
        } onCancel: {
            interruption.request("it was given up")
        }
    }
}

/// What scripts may learn of the request that a call came with, by `WL.Server.getClientRequest` (server-api 2.5).
public struct ClientRequest: Sendable {
    /// The method, such as `POST`.
    public var method: String
    /// The URL without the query, as the client sent it.
    public var url: String
    /// What follows the question mark; `nil` when there is none.
    public var query: String?
    /// The context root, without a slash at its end.
    public var contextPath: String
    /// Names and values, in the order in which they came.
    public var headers: [(name: String, value: String)]
    /// Names and values of the query and of a form in the body.
    public var parameters: [(name: String, value: String)]
    /// The client's address.
    public var remoteAddress: String

    public init(
        method: String, url: String, query: String? = nil, contextPath: String = "",
        headers: [(name: String, value: String)] = [], parameters: [(name: String, value: String)] = [],
        remoteAddress: String = "127.0.0.1"
    ) {
        self.method = method
        self.url = url
        self.query = query
        self.contextPath = contextPath
        self.headers = headers
        self.parameters = parameters
        self.remoteAddress = remoteAddress
    }

    /// The first header of that name, in any case.
    public func header(_ name: String) -> String? {
        let wanted = name.lowercased()
        return headers.first { $0.name.lowercased() == wanted }?.value
    }
}
