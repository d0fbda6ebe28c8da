public import AdapterRuntime
import Credentials
import Logging
import PushModel
import Synchronization

/// Slows the guessing of passwords by procedures that log users in, as realms with an `AdapterAuthenticator` have them.
///
/// The runtime finds these procedures in their scripts (`LoginTraits`), or sees them log a user in. They may do other things as well,
/// so only a refused login counts (``LoginCall``).
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
        var traits = runtime.loginTraits(ofProcedure: procedure, adapter: adapter)
        if traits.role == .none, !learnedLogins[key].isEmpty { traits.role = .login }
        let watch = LoginWatch()
        let caller = Caller(session: visit.session.client, request: visit.request, logins: watch)
        let call =
            traits.role == .none || hasCheckedUser(visit.session, key, adapter: adapter)
            ? nil : LoginCall(procedure, traits, parameters, in: visit.session)
        guard let call, !call.arguments.isEmpty else {
            let result = try await body(caller)
            learnedLogins.note(watch.realms, of: key)
            return result
        }
        let step = ServerSession.FailedStep(users: call.users, address: visit.request.remoteAddress)
        let attempt: LoginAttempt
        do {
            attempt = try attempts.brake.admit(
                realm: adapter, users: step.users, address: step.address, isCertain: call.isLogin)
        } catch {
            logger.notice("a login was refused: \(error)", metadata: ["procedure": "\(key)"])
            return .failure([LoginAttempts.message(error)])
        }
        let result = try await body(caller)
        learnedLogins.note(watch.realms, of: key)
        let answer = LoginAnswer(result.json)
        if !watch.realms.isEmpty {
            // Somebody with an account of their own must not make room for guesses of another's password.
            let known = usersLoggedIn(to: visit.session)
            attempt.succeeded(as: known)
            // The steps before the last one were no failures.
            for step in visit.session.takeFailedSteps() {
                attempts.brake.forgive(realm: adapter, users: step.users, loggedIn: known, address: step.address)
            }
        } else if call.isRefused(by: answer) {
            attempt.failed()
            // Or it was a step, and the right one.
            if answer.asksAgain { visit.session.note(failedStep: step, of: key) }
        }
        return result
    }

    /// Whether the session has a user whose identity was checked, in a realm of the adapter or one that the procedure has logged users in
    /// to before. With neither known, any realm counts.
    private func hasCheckedUser(_ session: ServerSession, _ key: String, adapter: String) -> Bool {
        let own = learnedLogins[key].union(realms.names(ofAdapter: adapter))
        return session.checkedRealms.contains { realm in
            (own.isEmpty || own.contains(realm)) && identity(in: realm, of: session) != nil
        }
    }

    private func usersLoggedIn(to session: ServerSession) -> [String] {
        session.client.realms.compactMap { session.client.identity(in: $0)?["userId"]?.string }
    }
}

/// A call of a procedure that may log users in, by a session without a user.
struct LoginCall: Sendable {
    let arguments: LoginArguments
    /// Whether it can only be a login: there is a password, or the procedure's name says so.
    let isLogin: Bool
    /// The names of users that it may be about, those of the session's earlier steps included.
    let users: Set<String>
    private let role: LoginRole
    private let hasSteps: Bool

    init(_ procedure: String, _ traits: LoginTraits, _ parameters: String, in session: ServerSession) {
        arguments = LoginArguments(parameters, parameters: traits.parameters)
        isLogin = arguments.hasPassword || LoginWords.saysLogin(procedure)
        role = traits.role
        let known = session.usersOfFailedSteps
        hasSteps = !known.isEmpty
        var users = known.union(arguments.names.lazy.filter(\.isUser).map(\.text))
        if users.isEmpty || arguments.names.count > 1, let first = arguments.names.first { users.insert(first.text) }
        self.users = arguments.hidesNames || users.count > Self.mostUsers ? [""] : users
    }

    /// The most names. A client that sends more hides which user it is about.
    private static let mostUsers = 8
    /// The longest name, in Unicode scalars. Longer ones share a count with those that begin alike, and sessions keep no more.
    private static let longestUser = 256

    /// Whether it was a login that the procedure refused, when it logged nobody in.
    ///
    /// Procedures answer a wrong password as their authors like, so that every answer to a password counts. Without a password only an
    /// answer counts that asks to log in again and says why: one that asks alone is how a login begins.
    func isRefused(by answer: LoginAnswer) -> Bool {
        if answer.asksAgain { return isLogin || hasSteps || answer.saysWhy }
        return isLogin && role == .login
    }
}

/// The realms to which procedures have logged users in, by procedure.
///
/// Some scripts do not show it: they do it by another adapter's procedure.
final class LearnedLogins: Sendable {
    private let realms = Mutex<[String: Set<String>]>([:])

    subscript(key: String) -> Set<String> { realms.withLock { $0[key] ?? [] } }

    func note(_ new: Set<String>, of key: String) {
        guard !new.isEmpty else { return }
        realms.withLock { $0[key, default: []].formUnion(new) }
    }
}
