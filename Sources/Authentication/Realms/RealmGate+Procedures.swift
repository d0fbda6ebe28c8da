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
        let users =
            role == .none ? [] : LoginArguments.users(in: parameters, after: visit.session.usersOfFailedSteps)
        guard !users.isEmpty else {
            let result = try await body(caller)
            if watch.count > 0 { learnedLogins.insert(key) }
            return result
        }
        let step = ServerSession.FailedStep(users: users, address: visit.request.remoteAddress)
        let attempt: LoginAttempt
        do {
            attempt = try attempts.brake.admit(realm: adapter, users: users, address: step.address)
        } catch {
            logger.notice("a login was refused: \(error)", metadata: ["procedure": "\(key)"])
            return .failure([LoginAttempts.message(error)])
        }
        let result = try await body(caller)
        if watch.count > 0 {
            // Somebody with an account of their own must not make room for guesses of another's password.
            let known = usersLoggedIn(to: visit.session)
            attempt.succeeded(as: known)
            // The steps before the last one were no failures.
            for step in visit.session.takeFailedSteps() {
                attempts.brake.forgive(realm: adapter, users: step.users, loggedIn: known, address: step.address)
            }
        } else if role == .login {
            attempt.failed()
        } else if LoginArguments.asksAgain(result.json) {
            attempt.failed()
            visit.session.note(failedStep: step, of: key)
        }
        return result
    }

    private func usersLoggedIn(to session: ServerSession) -> [String] {
        session.client.realms.compactMap { session.client.identity(in: $0)?["userId"]?.string }
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

    /// The most names. A client that gives more hides whom it is about.
    private static let mostUsers = 8
    /// The longest name, in Unicode scalars. Longer ones share a count with those that begin alike, and sessions keep no more.
    private static let longestUser = 256

    /// The users whom a login may be about: members of such names anywhere in the arguments, and the first text or number, unless that
    /// is the only one and earlier steps have named the user.
    ///
    /// Clients choose the arguments, and may add some that the procedure does not read. So no name stands for another, and what cannot
    /// be read counts as one user of its own.
    ///
    /// - Parameter known: the users of the steps before.
    /// - Returns: nothing when there is nothing that could be a password.
    static func users(in parameters: String, after known: Set<String>) -> Set<String> {
        let list = ParameterList(parameters)
        // The engine reads some texts that this parser refuses.
        guard let value = try? JSONValue(parsing: (try? list.mended())?.json ?? list.json) else { return [""] }
        var (named, texts): (Set<String>, [String]) = ([], [])
        collect(value, &named, &texts)
        guard let first = texts.first else { return [] }
        var users = known.union(named)
        if users.isEmpty || texts.count > 1 { users.insert(first) }
        return users.count > mostUsers ? [""] : Set(users.map { String($0.unicodeScalars.prefix(longestUser)) })
    }

    private static func collect(_ value: JSONValue, _ named: inout Set<String>, _ texts: inout [String]) {
        switch value {
        case .string(let text): if !text.isEmpty { texts.append(text) }
        case .number: texts.append(value.text)
        case .array(let values): for value in values { collect(value, &named, &texts) }
        case .object(let object):
            for member in object.members {
                let before = texts.count
                collect(member.value, &named, &texts)
                if userNames.contains(member.key.lowercased()), texts.count > before { named.insert(texts[before]) }
            }
        case .bool, .null: break
        }
    }

    /// Whether a result asks to log in, as IBM's templates write it: `{"authRequired": true}`.
    static func asksAgain(_ json: String) -> Bool {
        let members = (try? JSONValue(parsing: json))?.object?.members ?? []
        return members.contains { requestNames.contains($0.key.lowercased()) && $0.value == true }
    }
}
