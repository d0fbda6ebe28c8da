import Foundation
import Synchronization

/// One conversation with a server: what both faces of the library, the delegates' and the asynchronous one, are made
/// of.
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
        /// Proves that a request is not a forgery; the server sends it.
        var instanceID: String?
        /// Counts the challenges of the handshake that were taken up.
        var handshakes = 0
        /// Counts, for each custom challenger's realm, how often its user has logged in.
        var logins: [String: Int] = [:]
        var globalHeaders: [WireField] = []
        var customChallengers: [CustomChallenger] = []
        var realmChallengers: [String: RealmChallenger] = [:]
        /// The web view's cookies, when the application shares them.
        var sharedCookies: WLCookieExtractor?
    }

    let settings: WorklightSettings
    let folder: ClientFolder
    let sender: HTTPSender
    let gate = ChallengeGate()
    let state: Mutex<State>
    /// Gets what a successful connect says about notifications.
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

    /// Connects to the server. Callers that connect at the same time get the same answer.
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

    /// - Parameter wasConnected: whether the client stays connected when this fails.
    private func initialize(timeout: RequestTimeout, wasConnected: Bool) async throws -> WLAnswer {
        do {
            let request = WireRequest.action("init", [WireField("action", "test")], timeout: timeout)
            let answer = try await perform(request)
            guard answer.status == 200, let object = answer.object else {
                throw failure(of: answer, expected: "the JSON object that answers 'init'")
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

    /// What every call that needs the server begins with (seed 004, 2.2.1). One that is made while the client connects
    /// waits for that.
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

    /// - Parameter parameters: a JSON array.
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
            let reason = object == nil ? ["the answer is no JSON: \(answer.text.prefix(100))"] : errors
            throw WLError(
                WLErrorCodeProcedureError,
                ([ErrorCodes.message(WLErrorCodeProcedureError)] + reason).joined(separator: " "), answer: answer)
        }
        return answer
    }

    /// Any other action of the application's. Its answer must be JSON that does not say it failed.
    func act(_ name: String, _ fields: [WireField], timeout: RequestTimeout = .standard) async throws
        -> WLAnswer
    {
        let answer = try await perform(.action(name, fields, timeout: timeout))
        guard answer.status == 200, let object = answer.object else {
            throw failure(of: answer, expected: "the JSON object that answers '\(name)'")
        }
        guard object["isSuccessful"] as? Bool != false else { throw failure(of: answer, expected: "success") }
        return answer
    }

    /// Returns the error of an answer that is not a success (wire-protocol 5.3).
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

/// Carries an object of the application's, such as a delegate, from the call that brought it to the callback queue.
///
/// It is safe to send: the library keeps such objects without looking into them, and calls them on the callback queue
/// only, which runs one block at a time. That is the contract of every Objective-C delegate (docs/client-api.md,
/// "Threads").
struct Handover<Object>: @unchecked Sendable {
    let object: Object

    init(_ object: Object) {
        self.object = object
    }
}

/// A client that is not kept by what belongs to it.
struct WeakClient: Sendable {
    weak var client: WLClient?
}
