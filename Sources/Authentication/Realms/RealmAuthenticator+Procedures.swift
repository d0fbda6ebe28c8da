public import AdapterRuntime
import Core
import Foundation
import PushModel

/// Procedures that log users in, as realms with an `AdapterAuthenticator` have them.
extension RealmAuthenticator {
    /// Returns the reason why a client may not call an adapter now: many responses that ask for a login are late. `nil` when it may.
    public func refusal(ofCallsTo adapter: String, _ visit: RealmRequest) -> TooManyLoginsError? {
        do {
            try throttle.admitCall(of: adapter, by: caller(visit))
            return nil
        } catch {
            log.reached(error.limit, by: visit.request.remoteAddress, "refused a call of adapter '\(adapter)' with 429")
            return error
        }
    }

    /// Calls a procedure for a client. A response that asks for a login counts as a refused login, for all procedures.
    ///
    /// - Parameter body: calls the procedure, with the caller that it gets.
    /// - Throws: what `body` throws.
    public func calling(
        adapter: String, _ visit: RealmRequest, _ body: (Caller) async throws(StalePermitError) -> ProcedureResult
    ) async throws(StalePermitError) -> ProcedureResult {
        // The script may log the user out.
        let counted = caller(visit)
        let result = try await body(
            Caller(session: visit.session.client, request: visit.request, logins: RequestLoginVisibility.current))
        if await result.asksForLogin { await throttle.recordLoginRequest(by: adapter, of: counted) }
        return result
    }

    /// Returns the caller whose responses count together: a checked user, or else the network. So other users behind the same address do not block a
    /// user, and a user cannot guess for others without a limit.
    private func caller(_ visit: RealmRequest) -> String {
        let users = visit.session.checkedRealms.lazy.compactMap { self.user(in: $0, of: visit.session) }
        return users.first.map { "user \($0.realm ?? "") \($0.id)" } ?? visit.network
    }
}

extension ProcedureResult {
    /// True if the procedure asks to log in, as IBM's templates write it: `{"authRequired": true}`.
    fileprivate var asksForLogin: Bool {
        get async {
            // Ten times as fast as `contains`, which compares characters.
            guard json.withCString({ strstr($0, #""authRequired""#) != nil }) else { return false }
            let object = await ThreadPool.shared.run(ifLong: json.utf8.count) { try? JSONValue(parsing: json) }
            return object?["authRequired"] == true
        }
    }
}
