public import AdapterRuntime
import Credentials
import Logging
import PushModel

/// Slows the guessing of passwords by procedures that log users in, as realms with an `AdapterAuthenticator` have them.
///
/// The runtime finds these procedures in their scripts (`LoginTraits`), or sees them log a user in. They may do other things as
/// well, so only a refused login counts (``LoginCall``).
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
        var login = LoginProcedure(
            adapter: adapter, name: procedure, traits: runtime.loginTraits(ofProcedure: procedure, adapter: adapter))
        if login.traits.role == .none, !learnedLogins[login.key].isEmpty { login.traits.role = .login }
        let watch = LoginWatch(within: LoginWatch.current)
        let caller = Caller(session: visit.session.client, request: visit.request, logins: watch)
        let result =
            login.traits.role == .none
            ? try await body(caller)
            : try await call(login, parameters, visit, watch) {
                () async throws(PermitOutdated) in try await body(caller)
            }
        learnedLogins.note(watch.realms, of: login.key)
        return result
    }

    /// Calls a procedure that may log users in.
    ///
    /// For a session without a user, or whose user names somebody else, a refused login counts for the names in the arguments and
    /// for the address. For a session that has a user and names nobody else it counts for this user; other calls never do.
    private func call(
        _ login: LoginProcedure, _ parameters: String, _ visit: Visit, _ watch: LoginWatch,
        _ body: () async throws(PermitOutdated) -> ProcedureResult
    ) async throws(PermitOutdated) -> ProcedureResult {
        let call = await LoginCall.reading(login, parameters, visit, sharing: sharedTexts)
        let account = checkedUser(of: visit.session, for: login).flatMap { user in
            call.isLogin && call.isAboutAnother(than: user) ? nil : user
        }
        guard account == nil ? !call.isEmpty : call.isLogin else { return try await body() }
        let attempt: LoginAttempt
        do {
            attempt =
                if let account {
                    try attempts.brake.admit(realm: login.adapter, account: account, address: call.step.address)
                } else {
                    try attempts.brake.admit(
                        realm: call.step.realm, call.step.subjects, address: call.step.address, isCertain: call.isLogin)
                }
        } catch {
            return refusal(error, of: login, visit)
        }
        let result = try await body()
        if let account {
            if watch.realms.isEmpty, call.isRefusedAgain(by: result, for: account) { attempt.failed() }
        } else {
            note(LoginAnswer(result.json), of: call, attempt, hasLoggedIn: !watch.realms.isEmpty, visit.session)
        }
        return result
    }

    /// Counts the outcome of a call in a session that had no user, or whose user named somebody else.
    private func note(
        _ answer: LoginAnswer, of call: LoginCall, _ attempt: consuming LoginAttempt, hasLoggedIn: Bool,
        _ session: ServerSession
    ) {
        if hasLoggedIn {
            // Somebody with an account of their own must not make room for guesses of another's password.
            let known = usersLoggedIn(to: session)
            attempt.succeeded(as: known)
            // The steps before the last one were no failures.
            for step in session.takeFailedSteps() {
                attempts.brake.forgive(realm: step.realm, step.subjects, loggedIn: known, address: step.address)
            }
            sharedTexts.note(call.names, of: call.key, by: known)
        } else if call.isRefused(by: answer) {
            attempt.failed()
            logger.notice(
                "a procedure refused a login",
                metadata: ["procedure": "\(call.key)", "address": "\(call.step.address)"])
            // It may have been a correct step of a login in several steps.
            if answer.asksAgain { session.note(failedStep: call.step, of: call.key) }
        }
    }

    private func refusal(_ failure: TooManyFailures, of login: LoginProcedure, _ visit: Visit) -> ProcedureResult {
        logger.notice(
            "a login was refused: \(failure)",
            metadata: ["procedure": "\(login.key)", "address": "\(visit.request.remoteAddress)"])
        return .failure([LoginAttempts.message(failure)])
    }

    /// The session's user whose identity was checked, in a realm of the adapter or one that the procedure has logged users in to
    /// before. With neither known, any realm counts.
    private func checkedUser(of session: ServerSession, for login: LoginProcedure) -> String? {
        let own = learnedLogins[login.key].union(realms.names(ofAdapter: login.adapter))
        return session.checkedRealms.lazy.filter { own.isEmpty || own.contains($0) }
            .compactMap { realm in identity(in: realm, of: session) }.first
            .map { $0.userID ?? "" }
    }

    private func usersLoggedIn(to session: ServerSession) -> [String] {
        session.client.realms.compactMap { session.client.identity(in: $0)?.userID }
    }
}

/// A procedure that may log users in.
struct LoginProcedure: Sendable {
    let adapter: String
    let name: String
    /// `Adapter.procedure`.
    let key: String
    var traits: LoginTraits

    init(adapter: String, name: String, traits: LoginTraits) {
        (self.adapter, self.name, self.traits) = (adapter, name, traits)
        key = "\(adapter).\(name)"
    }
}
