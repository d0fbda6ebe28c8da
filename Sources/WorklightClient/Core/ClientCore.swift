import Foundation
import Synchronization

/// A session with a server. Both interfaces of the library, with delegates and with async functions, use it.
///
/// It may be used from any thread.
final class ClientCore: Sendable {
    enum Connection: Sendable {
        case never
        case connecting(Task<WLAnswer, any Error>)
        case connected
    }

    struct State: Sendable {
        var connection = Connection.never
        var cookies = ClientCookieJar()
        /// The server's `WL-Instance-Id`, which protects requests against cross-site request forgery.
        var instanceID: String?
        /// The number of handshake challenges to which the client has responded.
        var handshakes = 0
        /// The number of logins in each realm of a ``CustomChallenger``.
        var logins: [String: Int] = [:]
        var globalHeaders: [WireField] = []
        var customChallengers: [CustomChallenger] = []
        var realmChallengers: [String: RealmChallenger] = [:]
        /// The cookies of the web views, if the application shares them.
        var sharedCookies: WLCookieExtractor?
    }

    let settings: WorklightSettings
    let folder: ClientFolder
    let sender: HTTPSender
    let gate = ChallengeGate()
    let state: Mutex<State>
    /// The function that receives the state of the push subscriptions after a successful connect.
    let onSubscriptionState: @Sendable (SendableJSONObject) -> Void

    init(
        _ settings: WorklightSettings, folder: URL?, trustRoots: TrustRoots?, state: State,
        onSubscriptionState: @escaping @Sendable (SendableJSONObject) -> Void
    ) throws(WLError) {
        self.settings = settings
        self.folder = ClientFolder(folder, applicationID: settings.applicationID)
        sender = try HTTPSender(trustRoots: trustRoots, connectTimeout: settings.requestTimeout)
        self.onSubscriptionState = onSubscriptionState
        var state = state
        state.cookies = ClientCookieJar(self.folder.cookies())
        self.state = Mutex(state)
    }

    // MARK: Connecting

    /// Connects to the server. Concurrent callers get the same response.
    func connect(sharing cookies: WLCookieExtractor?, timeout: RequestTimeout = .standard) async throws
        -> WLAnswer
    {
        let (task, isMine) = state.withLock { state -> (Task<WLAnswer, any Error>, Bool) in
            if case .connecting(let task) = state.connection { return (task, false) }
            state.sharedCookies = cookies ?? state.sharedCookies
            let wasConnected = if case .connected = state.connection { true } else { false }
            let task = Task { try await self.initialize(timeout: timeout, wasConnected: wasConnected) }
            state.connection = .connecting(task)
            return (task, true)
        }
        let result = await withTaskCancellationHandler {
            await task.result
        } onCancel: {
            if isMine { task.cancel() }
        }
        return try result.get()
    }

    /// Sends the `init` request and stores the result.
    ///
    /// - Parameter wasConnected: whether the client stays connected when this fails.
    private func initialize(timeout: RequestTimeout, wasConnected: Bool) async throws -> WLAnswer {
        do {
            let request = WireRequest.action("init", [WireField("action", "test")], timeout: timeout)
            let answer = try await perform(request)
            guard answer.status == 200, let object = answer.object else {
                throw failure(of: answer, expected: "a JSON object in response to 'init'")
            }
            state.withLock { $0.connection = .connected }
            if let subscriptions = object["notificationSubscriptionState"] as? [String: Any] {
                onSubscriptionState(SendableJSONObject(values: subscriptions))
            }
            return answer
        } catch {
            state.withLock { $0.connection = wasConnected ? .connected : .never }
            throw error
        }
    }

    /// Checks that the client is connected, before every call that needs the server (seed 004, 2.2.1). A call while the client connects
    /// waits for the result.
    ///
    /// - Throws: ``WLError`` when `wlConnect` was not called, or did not succeed.
    func requireConnection(for call: String) async throws {
        switch state.withLock({ $0.connection }) {
        case .connected: return
        case .connecting(let task): _ = try await task.value
        case .never:
            throw WLError(
                WLErrorCodeUnexpectedError,
                "\(call): the client is not connected; call wlConnect first and wait for onSuccess")
        }
    }

    // MARK: Procedures

    /// Calls an adapter's procedure.
    ///
    /// - Parameters:
    ///   - parameters: a JSON array.
    ///   - asHandler: whether a challenge handler calls it; see ``perform(_:isOfHandler:)``.
    /// - Throws: ``WLError``, also when `isSuccessful` of the result is not true.
    func invoke(
        adapter: String, procedure: String, parameters: String, timeout: RequestTimeout, compressed: Bool? = nil,
        asHandler: Bool = false
    ) async throws -> WLAnswer {
        var fields = [
            WireField("adapter", adapter), WireField("procedure", procedure), WireField("parameters", parameters),
        ]
        if let compressed { fields.append(WireField("compressResponse", compressed ? "true" : "false")) }
        let request = WireRequest(target: asHandler ? .invoke : .action("query"), fields: fields, timeout: timeout)
        let answer = try await perform(request, isOfHandler: asHandler)
        guard answer.status == 200 else { throw failure(of: answer, expected: "a procedure's result") }
        let object = answer.object
        guard let object, object["isSuccessful"] as? Bool == true else {
            let errors = (object?["errors"] as? [Any])?.map { "\($0)" } ?? []
            let reason = object == nil ? ["the response is not a JSON object: \(answer.text.prefix(100))"] : errors
            throw WLError(
                WLErrorCodeProcedureError,
                ([ErrorCodes.message(WLErrorCodeProcedureError)] + reason).joined(separator: " "), answer: answer)
        }
        return answer
    }

    /// Sends any other action of the application. Its response must be a JSON object whose `isSuccessful` is not false.
    ///
    /// - Throws: ``WLError``.
    func act(_ name: String, _ fields: [WireField], timeout: RequestTimeout = .standard) async throws
        -> WLAnswer
    {
        let answer = try await perform(.action(name, fields, timeout: timeout))
        guard answer.status == 200, let object = answer.object else {
            throw failure(of: answer, expected: "a JSON object in response to '\(name)'")
        }
        guard object["isSuccessful"] as? Bool != false else { throw failure(of: answer, expected: "success") }
        return answer
    }

    /// Returns the error for a response that is not a success (wire-protocol 5.3).
    func failure(of answer: WLAnswer, expected: String) -> WLError {
        if let object = answer.object {
            let code = WLFailResponse.getWLErrorCode(fromJSON: object)
            let message = WLFailResponse.getErrorMessage(fromJSON: object) ?? ""
            let text = message.isEmpty ? ErrorCodes.message(code) : message
            return WLError(code, "\(text) (status \(answer.status))", answer: answer)
        }
        if (300...399).contains(answer.status) {
            let place = answer[header: "Location"].map { " to \($0)" } ?? ""
            return WLError(
                WLErrorCodeUnexpectedError,
                "the server redirects\(place) (status \(answer.status)), which is never followed: "
                    + "correct protocol, host and port in worklight.plist",
                answer: answer)
        }
        let type = answer[header: "Content-Type"] ?? "no type"
        let code = answer.status == 200 ? WLErrorCodeUnexpectedError : ErrorCodes.code(status: answer.status)
        return WLError(
            code, "expected \(expected), found \(type) with status \(answer.status): \(answer.text.prefix(100))",
            answer: answer)
    }
}

/// A box that carries an object of the application, such as a delegate, from the caller's thread to the callback queue.
///
/// It is safe to send: the library stores such objects without access to their state, and calls them only on the callback queue,
/// which runs one block at a time. Every Objective-C delegate has this contract (docs/client-api.md, "Threads").
struct Handover<Object>: @unchecked Sendable {
    let object: Object

    init(_ object: Object) {
        self.object = object
    }
}

/// A weak reference to a client, for objects that the client owns.
struct WeakClient: Sendable {
    weak var client: WLClient?
}
