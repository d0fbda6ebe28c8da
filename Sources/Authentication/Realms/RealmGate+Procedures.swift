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
        if learnedLogins.isLogin(login.key) { login.traits.role = .login }
        let watch = LoginWatch(within: LoginWatch.current)
        let caller = Caller(session: visit.session.client, request: visit.request, logins: watch)
        let result =
            login.traits.role == .none
            ? try await body(caller)
            : try await call(login, parameters, visit, watch) {
                () async throws(PermitOutdated) in try await body(caller)
            }
        learnedLogins.note(watch.realms, of: login.key)
        if watch.calledProcedures.contains(where: logsUsersIn) { learnedLogins.noteDelegate(login.key) }
        return result
    }

    private func logsUsersIn(_ called: LoginWatch.CalledProcedure) -> Bool {
        runtime.loginTraits(ofProcedure: called.procedure, adapter: called.adapter).role == .login
            || learnedLogins.isLogin("\(called.adapter).\(called.procedure)")
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
                        realm: call.step.realm, call.step.subjects, address: call.step.address,
                        certainty: call.step.certainty,
                        ownFailures: visit.session.failedSteps(at: call.step.address))
                }
        } catch {
            return refusal(error, of: login, visit)
        }
        let result = try await body()
        if let account {
            if watch.realms.isEmpty, call.isRefusedAgain(by: result, for: account) { attempt.failed() }
        } else {
            note(LoginAnswer(result.json), of: call, attempt, loggedIn: watch.users, visit.session)
        }
        return result
    }

    /// Counts the outcome of a call in a session that had no user, or whose user named somebody else.
    ///
    /// - Parameter users: the ids of the users whom the call has logged in.
    private func note(
        _ answer: LoginAnswer, of call: LoginCall, _ attempt: consuming LoginAttempt, loggedIn users: [String]?,
        _ session: ServerSession
    ) {
        if let users {
            // Somebody with an account of their own must not make room for guesses of another's password. But a login with one name is
            // that user's, whatever id a database has for the user.
            let known = call.step.subjects.isOneName ? nil : users
            if let known { attempt.succeeded(as: known) } else { attempt.succeeded() }
            // The steps before the last one were no failures.
            for step in session.takeFailedSteps() {
                attempts.brake.forgive(
                    realm: step.realm, step.subjects, loggedIn: known, address: step.address,
                    isForAddress: call.endsOneLogin,
                    certainty: step.certainty)
            }
            sharedTexts.note(call.names, of: call.key, by: users)
        } else if call.isRefused(by: answer) {
            attempt.failed()
            logger.notice(
                "a procedure refused a login",
                metadata: ["procedure": "\(call.key)", "address": "\(call.step.address)"])
            guard call.mayBeStep(answer) else { return }
            var step = call.step
            step.mayBePassed = !answer.saysWhy
            session.note(failedStep: step, of: call.key)
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
