import BackEndHTTP
import Foundation
import JavaScriptEngine
public import ServiceContextModule

/// The caller of a procedure: its session and its request.
public struct Caller: Sendable {
    /// The client's session; `nil` for back ends, the command line and polls, who have none.
    public var session: ClientSession?
    /// The request; `nil` when the call did not come over the network.
    public var request: ClientRequest?
    /// Records what the call does; `nil` without a trace.
    public var tracer: InvocationTracer?
    /// Records the realms to which the call logs users in; `nil` to record nothing and to see every login.
    var logins: RequestLoginVisibility?
    /// Ends the calls when the caller cancels them; `nil` when it cannot.
    var interruption: Interruption?
    /// The back ends' cookies of a poll; `nil` if only the session or the call has cookies.
    var cookies: CookieJar?
    /// Values that logs and traces of the calls do not show, such as a password that is being checked.
    public var secrets: [String] = []
    /// The distributed trace that the calls belong to: that of the task which makes the caller.
    public var trace = ServiceContext.current
    /// True if the scope of the traced call outlives it: another call of the same trace continues in it.
    var keepsTraceScope = false

    public init(
        session: ClientSession? = nil, request: ClientRequest? = nil, tracer: InvocationTracer? = nil,
        logins: RequestLoginVisibility? = nil
    ) {
        self.session = session
        self.request = request
        self.tracer = tracer
        self.logins = logins
    }
}

extension Caller {
    /// The owner whose variables adapters keep after a call; `nil` for none. A traced call has a scope that is created for it.
    var scopeOwner: ScopeOwner? {
        guard let tracer else { return session.map { .session($0.id) } }
        return keepsTraceScope ? .trace(ObjectIdentifier(tracer)) : nil
    }

    /// Runs `body` with a caller whose calls end with the task's cancellation: a queued call is not begun, and a running one
    /// is stopped, even if it loads scripts or waits for a back end.
    ///
    /// - Throws: what `body` throws; that is `CancellationError` where a call was not begun.
    public func withTaskCancellation<Result>(_ body: (Caller) async throws -> Result) async rethrows -> Result {
        let interruption = Interruption()
        var caller = self
        caller.interruption = interruption
        return try await withTaskCancellationHandler { [caller] in
            try await body(caller)
        } onCancel: {
            interruption.request("the call was cancelled")
        }
    }
}

/// The part of the request of a call that scripts may read, by `WL.Server.getClientRequest` (server-api 2.5).
public struct ClientRequest: Sendable {
    private struct Content: Sendable {
        var method: String
        var url: String
        var query: String?
        var contextPath: String
        var headers: [(name: String, value: String)]
        var parameters: [(name: String, value: String)]
        var remoteAddress: String
    }

    /// Most scripts never read the request, so its content is created at each read.
    private var make: @Sendable () -> Content

    private var content: Content {
        get { make() }
        set { make = { newValue } }
    }

    /// The method, such as `POST`.
    public var method: String {
        get { content.method }
        set { content.method = newValue }
    }
    /// The URL without the query, as the client sent it.
    public var url: String {
        get { content.url }
        set { content.url = newValue }
    }
    /// The string after the question mark; `nil` when there is none.
    public var query: String? {
        get { content.query }
        set { content.query = newValue }
    }
    /// The context root, without a slash at its end.
    public var contextPath: String {
        get { content.contextPath }
        set { content.contextPath = newValue }
    }
    /// Names and values, in the order in which they came.
    public var headers: [(name: String, value: String)] {
        get { content.headers }
        set { content.headers = newValue }
    }
    /// Names and values of the query and of a form in the body.
    public var parameters: [(name: String, value: String)] {
        get { content.parameters }
        set { content.parameters = newValue }
    }
    /// The client's address.
    public var remoteAddress: String {
        get { content.remoteAddress }
        set { content.remoteAddress = newValue }
    }

    public init(
        method: String, url: String, query: String? = nil, contextPath: String = "",
        headers: [(name: String, value: String)] = [], parameters: [(name: String, value: String)] = [],
        remoteAddress: String = "127.0.0.1"
    ) {
        let content = Content(
            method: method, url: url, query: query, contextPath: contextPath, headers: headers,
            parameters: parameters, remoteAddress: remoteAddress)
        make = { content }
    }

    /// A request that is created when a part of it is read.
    public init(making make: @escaping @Sendable () -> ClientRequest) {
        self.make = { make().content }
    }

    /// The same request, created once for callers that read many parts.
    var made: ClientRequest {
        var request = self
        request.content = content
        return request
    }

    /// Returns the first header of that name, in any case.
    public func header(_ name: String) -> String? {
        let wanted = name.lowercased()
        return headers.first { $0.name.lowercased() == wanted }?.value
    }
}

/// Values parsed from the request's strings.
extension ClientRequest {
    var components: URLComponents? { URLComponents(string: url) }

    var charset: String? {
        header("Content-Type")?.firstMatch(of: /(?i)charset\s*=\s*"?([^\s;"]+)/).map { String($0.1) }
    }

    /// Returns the values of the cookies of that name.
    public func cookies(named name: String) -> [String] { cookies.filter { $0.name == name }.map(\.value) }

    var cookies: [(name: String, value: String)] {
        let pairs = headers.filter { $0.name.lowercased() == "cookie" }.flatMap { $0.value.split(separator: ";") }
        return pairs.compactMap { pair in
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2 else { return nil }
            let value = parts[1].trimmingCharacters(in: .whitespaces)
            // As servlets do: the quotation marks are the header's, not the value's.
            let isQuoted = value.count >= 2 && value.hasPrefix("\"") && value.hasSuffix("\"")
            return (
                parts[0].trimmingCharacters(in: .whitespaces), isQuoted ? String(value.dropFirst().dropLast()) : value
            )
        }
    }
}
