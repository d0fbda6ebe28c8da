public import AdapterRuntime
import Credentials
import Logging
import PushModel
import Synchronization

/// Slows the guessing of passwords by procedures that log users in, as realms with an `AdapterAuthenticator` have them.
///
/// Which procedures those are the runtime finds in their scripts (`LoginRole`), and by seeing them do it.
extension RealmGate {
    /// Calls a procedure for a client, unless it would log a user in and too many such calls have failed.
    ///
    /// - Parameters:
    ///   - parameters: the arguments as the client sent them.
    ///   - body: calls, with that caller.
    /// - Throws: what `body` throws.
    public func calling(
        _ procedure: String, adapter: String, parameters: String, _ visit: Visit,
        _ body: (Caller) async throws(PermitOutdated) -> ProcedureResult
    ) async throws(PermitOutdated) -> ProcedureResult {
        let key = "\(adapter).\(procedure)"
        var role = runtime.loginRole(ofProcedure: procedure, adapter: adapter)
        if role == .none, learnedLogins.contains(key) { role = .login }
        let watch = LoginWatch()
        let caller = Caller(session: visit.session.client, request: visit.request, logins: watch)
        guard role != .none, let named = LoginArguments.user(in: parameters) else {
            let result = try await body(caller)
            if watch.count > 0 { learnedLogins.insert(key) }
            return result
        }
        let step = ServerSession.FailedStep(
            user: visit.session.userOfFailedSteps ?? named, address: visit.request.remoteAddress)
        let attempt: LoginAttempt
        do {
            attempt = try attempts.brake.admit(realm: adapter, user: step.user, address: step.address)
        } catch {
            logger.notice("a login was refused: \(error)", metadata: ["procedure": "\(key)"])
            return .failure([LoginAttempts.message(error)])
        }
        let result = try await body(caller)
        if watch.count > 0 {
            attempt.succeeded()
            for earlier in visit.session.takeFailedSteps() {
                attempts.brake.forgive(realm: adapter, user: earlier.user, address: earlier.address)
            }
        } else if role == .login {
            attempt.failed()
        } else if LoginArguments.asksAgain(result.json) {
            attempt.failed()
            visit.session.note(failedStep: step, of: key)
        }
        return result
    }
}

/// Procedures that have logged somebody in, though their scripts do not show it: those that do it by another adapter's.
final class LearnedLogins: Sendable {
    private let keys = Mutex<Set<String>>([])

    func contains(_ key: String) -> Bool { keys.withLock { $0.contains(key) } }

    func insert(_ key: String) {
        keys.withLock { _ = $0.insert(key) }
    }
}

/// What the arguments and the results of login procedures usually hold. Their authors name them as they like.
enum LoginArguments {
    private static let userNames: Set = [
        "user", "username", "userid", "login", "loginname", "loginid", "email", "mail", "name", "account", "j_username",
    ]
    private static let requestNames: Set = [
        "authrequired", "authenticationrequired", "loginrequired", "isloginrequired", "isauthrequired",
    ]

    /// The user whom a login is about: a member of that name in an argument, or else the first text or number.
    ///
    /// - Returns: `nil` when there is nothing that could be a password.
    static func user(in parameters: String) -> String? {
        let list = ParameterList(parameters)
        guard let value = try? JSONValue(parsing: (try? list.mended())?.json ?? list.json) else { return nil }
        return named(value, depth: 0) ?? first(value, depth: 0)
    }

    private static func named(_ value: JSONValue, depth: Int) -> String? {
        guard depth < 4 else { return nil }
        if let object = value.object {
            let own = object.members.first { userNames.contains($0.key.lowercased()) }
            if let own, let text = first(own.value, depth: depth + 1) { return text }
            return object.members.lazy.compactMap { named($0.value, depth: depth + 1) }.first
        }
        return value.array?.lazy.compactMap { named($0, depth: depth + 1) }.first
    }

    private static func first(_ value: JSONValue, depth: Int) -> String? {
        guard depth < 4 else { return nil }
        switch value {
        case .string(let text): return text.isEmpty ? nil : text
        case .number: return value.text
        case .array(let values): return values.lazy.compactMap { first($0, depth: depth + 1) }.first
        case .object(let object): return object.members.lazy.compactMap { first($0.value, depth: depth + 1) }.first
        case .bool, .null: return nil
        }
    }

    /// Whether a result asks to log in, as IBM's templates write it: `{"authRequired": true}`.
    static func asksAgain(_ json: String) -> Bool {
        let members = (try? JSONValue(parsing: json))?.object?.members ?? []
        return members.contains { requestNames.contains($0.key.lowercased()) && $0.value == true }
    }
}
