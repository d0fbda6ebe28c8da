public import AdapterRuntime
import PushModel

/// Procedures that log users in, as realms with an `AdapterAuthenticator` have them.
extension RealmGate {
    /// Calls a procedure for a client. An answer that asks for a login counts as a refused login, whatever the procedure is for.
    ///
    /// - Parameter body: calls, with that caller.
    /// - Returns: the result; ``TooManyLogins`` when many such answers of the adapter to the client's network are late.
    /// - Throws: what `body` throws.
    public func calling(
        adapter: String, _ visit: Visit, _ body: (Caller) async throws(PermitOutdated) -> ProcedureResult
    ) async throws(PermitOutdated) -> Result<ProcedureResult, TooManyLogins> {
        if visit.session.checkedRealms.isEmpty {
            do {
                try throttle.admitCall(of: adapter, network: visit.network)
            } catch {
                note(error, of: adapter, visit)
                return .failure(error)
            }
        }
        let result = try await body(
            Caller(session: visit.session.client, request: visit.request, logins: LoginWatch.current))
        if await result.asksForLogin { await throttle.noteAsking(by: adapter, network: visit.network) }
        return .success(result)
    }
}

extension ProcedureResult {
    /// Whether the procedure asks to log in, as IBM's templates write it: `{"authRequired": true}`.
    fileprivate var asksForLogin: Bool {
        get async {
            guard json.contains(#""authRequired""#) else { return false }
            let object = await ThreadPool.shared.run(ifLong: json.utf8.count) { try? JSONValue(parsing: json) }
            return object?["authRequired"] == true
        }
    }
}
