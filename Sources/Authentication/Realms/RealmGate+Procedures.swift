public import AdapterRuntime
import Credentials
import Logging
import PushModel

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
        var login = LoginProcedure(
            adapter: adapter, name: procedure, traits: runtime.loginTraits(ofProcedure: procedure, adapter: adapter))
        if login.traits.role == .none, !learnedLogins[login.key].isEmpty { login.traits.role = .login }
        let watch = LoginWatch(within: LoginWatch.current)
        let caller = Caller(session: visit.session.client, request: visit.request, logins: watch)
        let result: ProcedureResult
        if login.traits.role == .none {
            result = try await body(caller)
        } else {
            let call = await LoginCall.reading(login, parameters, visit, sharing: sharedTexts)
            if let account = checkedUser(of: visit.session, for: login),
                !call.isLogin || !call.isAboutAnother(than: account)
            {
                result = try await callAgain(login, call, account: account, visit, caller, watch, body)
            } else {
                result = try await self.call(login, call, visit, caller, watch, body)
            }
        }
        learnedLogins.note(watch.realms, of: login.key)
        return result
    }

    /// Calls for a session without a user, or for one whose user names somebody else. It counts for the names in the arguments, and for the
    /// address.
    private func call(
        _ login: LoginProcedure, _ call: LoginCall, _ visit: Visit, _ caller: Caller, _ watch: LoginWatch,
        _ body: (Caller) async throws(PermitOutdated) -> ProcedureResult
    ) async throws(PermitOutdated) -> ProcedureResult {
        guard !call.isEmpty else { return try await body(caller) }
        let attempt: LoginAttempt
        do {
            attempt = try attempts.brake.admit(
                realm: call.step.realm, call.step.subjects, address: call.step.address, isCertain: call.isLogin)
        } catch {
            return refusal(error, of: login, visit)
        }
        let result = try await body(caller)
        let answer = LoginAnswer(result.json)
        if !watch.realms.isEmpty {
            // Somebody with an account of their own must not make room for guesses of another's password.
            let known = usersLoggedIn(to: visit.session)
            attempt.succeeded(as: known)
            // The steps before the last one were no failures.
            for step in visit.session.takeFailedSteps() {
                attempts.brake.forgive(realm: step.realm, step.subjects, loggedIn: known, address: step.address)
            }
            sharedTexts.note(call.names, of: call.key, by: known)
        } else if call.isRefused(by: answer) {
            attempt.failed()
            logger.notice(
                "a procedure refused a login",
                metadata: ["procedure": "\(login.key)", "address": "\(call.step.address)"])
            // Or it was a step, and the right one.
            if answer.asksAgain { visit.session.note(failedStep: call.step, of: call.key) }
        }
        return result
    }

    /// Calls for a session that has a user and names nobody else. A refused login counts for this user; other calls never do.
    private func callAgain(
        _ login: LoginProcedure, _ call: LoginCall, account: String, _ visit: Visit, _ caller: Caller,
        _ watch: LoginWatch, _ body: (Caller) async throws(PermitOutdated) -> ProcedureResult
    ) async throws(PermitOutdated) -> ProcedureResult {
        guard call.isLogin else { return try await body(caller) }
        let attempt: LoginAttempt
        do {
            attempt = try attempts.brake.admit(
                realm: login.adapter, account: account, address: visit.request.remoteAddress)
        } catch {
            return refusal(error, of: login, visit)
        }
        let result = try await body(caller)
        if watch.realms.isEmpty, call.isRefusedAgain(by: result, for: account) { attempt.failed() }
        return result
    }

    private func refusal(_ failure: TooManyFailures, of login: LoginProcedure, _ visit: Visit) -> ProcedureResult {
        logger.notice(
            "a login was refused: \(failure)",
            metadata: ["procedure": "\(login.key)", "address": "\(visit.request.remoteAddress)"])
        return .failure([LoginAttempts.message(failure)])
    }

    /// The session's user whose identity was checked, in a realm of the adapter or one that the procedure has logged users in to before.
    /// With neither known, any realm counts.
    private func checkedUser(of session: ServerSession, for login: LoginProcedure) -> String? {
        let own = learnedLogins[login.key].union(realms.names(ofAdapter: login.adapter))
        return session.checkedRealms.lazy.filter { own.isEmpty || own.contains($0) }
            .compactMap { realm in identity(in: realm, of: session) }.first
            .map { $0["userId"]?.string ?? $0["userId"]?.text ?? "" }
    }

    private func usersLoggedIn(to session: ServerSession) -> [String] {
        session.client.realms.compactMap { session.client.identity(in: $0)?["userId"]?.string }
    }
}
