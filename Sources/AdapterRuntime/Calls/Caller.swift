import BackEndHTTP
import JavaScriptEngine

/// Who calls a procedure: what is known of them and of their request.
public struct Caller: Sendable {
    /// The client's session; `nil` for back ends, the command line and polls, who have none.
    public var session: ClientSession?
    /// The request; `nil` when the call did not come over the network.
    public var request: ClientRequest?
    /// Who notes what the call does; `nil` for nobody.
    public var tracer: InvocationTracer?
    /// Records the realms to which the call logs users in; `nil` to record nothing and to see every login.
    var logins: LoginWatch?
    /// Ends the calls when the caller gives them up; `nil` when that is no matter.
    var interruption: Interruption?
    /// The back ends' cookies of a poll; `nil` where the session or the call alone has them.
    var cookies: CookieJar?
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
