import BackEndHTTP
import Core
import Databases
import Foundation
import JavaScriptEngine
import Synchronization
import WorklightProject

/// A call that has begun, with all of its state: its caller, the scopes that it uses, and what its scripts have added to its result.
///
/// Lives in a virtual machine. The ``ScopeTable`` has it while a step of the call runs, and nothing of it is kept elsewhere in the machine: so
/// steps of other calls can run in between.
final class RunningCall {
    /// The caller; for polls, one without a session.
    let caller: Caller
    /// The adapters as they were when the call began. The call stays with these versions to its end, also where it comes back to an adapter by
    /// `invokeProcedure`.
    let adapters: AdapterSet
    /// The owner of the variables; `nil` for none.
    let owner: ScopeOwner?
    /// The end of the owner's time in this machine; `nil` if the owner's scopes do not belong in this machine.
    let placement: PlacementEnd?
    /// The time for which the call has waited for others; `nil` if it did not wait.
    let queueTime: QueueTime?
    /// To be called when the call begins to wait for a back end on its thread, and when it goes on.
    let onPhase: (ActiveCalls.Phase) -> Void
    /// The scopes that the call uses, which no other call uses until it ends, by adapter.
    var scopes: [String: AdapterScope] = [:]
    /// The names of those among ``scopes`` that the call has made and that belong to nobody yet.
    var ownScopes: Set<String> = []
    /// The functions of scripts that run, the innermost last.
    private(set) var functions: [RunningFunction] = []
    /// The properties of ``functions`` and of scripts that are loaded, innermost last.
    private var frames: [Frame] = []
    /// Set by the first part of a native function whose twin yields next.
    var wait: Wait?
    /// The second part of the native function for whose response the innermost twin has yielded.
    var secondPart: Result<() throws -> ScriptValue, any Error>?
    /// True if the call has submitted notifications that may not be on the disk yet.
    var hasUnflushedNotifications = false
    /// True if a limit has ended the call, or a part of it. Then new state for its owner is discarded; the scopes that the owner had before
    /// stay.
    var hasExceededLimit = false
    /// True if a script holds on to more than its heap may have: that does not improve.
    var isExhausted = false
    /// Set by `WL.Server.addResponseHeader`.
    var responseHeaders: [ProcedureResult.Header] = []
    /// The warnings for the caller, none of which stopped the call; each once.
    private(set) var warnings: [String] = []
    /// The lines that the call logged, where the caller wants them in place of the log.
    var printed: PrintedLines?
    /// The calls that were running when a native function last began to wait.
    var waiting: ScriptValue?
    /// The message of the error that a native function last threw into the script.
    var hostMessage: String?
    /// The failure messages that scripts get and clients must not, each with the message that clients get instead.
    private(set) var concealed: [(text: String, shown: String)] = []
    /// The credentials that the call has set.
    private var newCredentials: [JSONValue] = []
    /// The number of open console groups.
    var consoleDepth = 0
    /// The back ends' cookies of a call without a session.
    private lazy var ownCookies = CookieJar()
    /// The session's attributes; without a session they end with the call.
    var attributes: CallAttributes
    /// The uses of data sources, by the data source.
    private var leases: [ObjectIdentifier: SQLLease] = [:]
    private var leasesOfLoading: [SQLLease] = []
    /// The users logged in while the call has no session: they are forgotten when it ends.
    private var identities = IdentityTable()

    init(
        caller: Caller = Caller(), adapters: AdapterSet = .none, owner: ScopeOwner? = nil,
        placement: PlacementEnd? = nil, queueTime: QueueTime? = nil,
        onPhase: @escaping (ActiveCalls.Phase) -> Void = { _ in }
    ) {
        self.caller = caller
        self.adapters = adapters
        self.owner = owner
        self.placement = placement
        self.queueTime = queueTime
        self.onPhase = onPhase
        attributes = CallAttributes(session: caller.session)
    }

    /// True if the owner's scopes belong in this machine.
    var isPlaced: Bool { placement.map { !$0.hasCome.load(ordering: .relaxed) } ?? false }

    /// A function that runs: a procedure, a callback, the loading of a script.
    struct Frame {
        let scope: AdapterScope
        /// The user realm of the security test that guards the procedure which was called; `nil` when there is none.
        var userRealm: String?
        /// The identity with which requests go to the back end: `connectAs` of the procedure that runs.
        var connectAs = ProcedureDescriptor.ConnectAs.server
        /// True if a procedure runs that may get a password: logs then quote neither requests nor responses.
        var mayHavePassword = false
    }

    /// The scope of the innermost function; `nil` when none runs.
    var scope: AdapterScope? { frames.last?.scope }
    /// ``Frame/userRealm`` of the innermost function.
    var userRealm: String? { frames.last?.userRealm }
    /// ``Frame/connectAs`` of the innermost function.
    var connectAs: ProcedureDescriptor.ConnectAs { frames.last?.connectAs ?? .server }
    /// ``Frame/mayHavePassword`` of the innermost function.
    var mayHavePassword: Bool { frames.last?.mayHavePassword ?? false }

    /// Runs `body`, which is a function of a scope.
    ///
    /// - Parameter change: changes what holds for it, which is at first the same as for the function that calls it.
    func running<Result>(
        _ scope: AdapterScope, _ change: (inout Frame) -> Void = { _ in }, _ body: () throws -> Result
    ) rethrows -> Result {
        addFrame(scope, change)
        defer { frames.removeLast() }
        return try body()
    }

    private func addFrame(_ scope: AdapterScope, _ change: (inout Frame) -> Void) {
        var frame = Frame(scope: scope, userRealm: userRealm, connectAs: connectAs, mayHavePassword: mayHavePassword)
        change(&frame)
        frames.append(frame)
    }

    /// The reason why a twin has yielded.
    enum Wait {
        case backEnd(BackEndWait)
        /// Adds another function to the call.
        case procedure(() -> Void)
    }

    /// Returns the reason why the innermost twin has yielded; `nil` for a native function that had its result at once.
    func takeWait() -> Wait? {
        defer { wait = nil }
        return wait
    }

    /// Adds a function, as the innermost one.
    ///
    /// - Parameter change: as for ``running(_:_:_:)``.
    func add(_ function: RunningFunction, _ change: (inout Frame) -> Void) {
        addFrame(function.scope, change)
        functions.append(function)
    }

    /// Removes the innermost function, which has ended.
    func removeFunction() -> RunningFunction {
        frames.removeLast()
        return functions.removeLast()
    }

    /// The most warnings of one call; a poll may notify thousands, each with its own.
    private static let mostWarnings = 20

    /// Adds a warning.
    ///
    /// - Returns: whether it is new, and there are not too many.
    func warn(_ warning: String) -> Bool {
        guard warnings.count < Self.mostWarnings, !warnings.contains(warning) else { return false }
        warnings.append(warning)
        return true
    }

    /// Sends clients another string than scripts get, where a procedure returns the message of a back end's failure.
    func conceal(_ text: String, as shown: String) {
        guard concealed.count < Self.mostConcealed else { return }
        concealed.append((text, shown))
    }

    private static let mostConcealed = 100

    /// Returns the identity in a realm, from the session or, without one, from the call alone.
    func identity(in realm: String) -> JSONValue? {
        guard let session = caller.session else { return identities[realm] }
        return session.identity(in: realm, seenBy: caller.logins)
    }

    /// Returns the credentials of the user who is logged in to a realm.
    func credentials(in realm: String) -> JSONValue? {
        guard let session = caller.session else { return identities.credentials(in: realm) }
        return session.credentials(in: realm, seenBy: caller.logins)
    }

    /// Returns a string of the call for logs and traces: all credentials of the call's users are replaced by `…`.
    func hidingCredentials(in text: String) -> String {
        let secrets = secrets
        return secrets.isEmpty ? text : text.hiding(secrets)
    }

    /// The strings in the credentials of the call's users.
    var secrets: [String] {
        caller.secrets + (newCredentials + realms.compactMap(credentials)).flatMap(\.texts)
    }

    /// Returns the back ends' cookies of an end user; without a session they are forgotten when the call ends.
    func cookies(ofEndUser user: String) -> CookieJar {
        caller.session?.cookies(ofEndUser: user) ?? ownCookies
    }

    /// Returns the back ends' cookies, which belong to the session that the call is for: with those of another one, its user would act as another at
    /// the back end.
    ///
    /// - Parameter ownersCookies: those of the owner of the variables, if there is one.
    func cookies(_ ownersCookies: CookieJar?) -> CookieJar {
        caller.session?.cookies ?? caller.cookies ?? ownersCookies ?? ownCookies
    }

    /// Returns JSON of the call for logs, as ``hidingCredentials(in:)``. Clients may write characters in several ways, so the JSON is parsed
    /// and written again.
    func hidingCredentials(inJSON json: String) -> String {
        let secrets = secrets
        guard !secrets.isEmpty else { return json }
        return (try? JSONValue(parsing: json)).map { $0.text.hiding(secrets) } ?? "(not shown, since it is not JSON)"
    }

    /// Logs a user in or, with `nil`, out. The member `credentials` is kept apart from the identity.
    ///
    /// - Throws: ``IdentityChangeError``.
    func setIdentity(_ given: JSONValue?, in realm: String) throws(IdentityChangeError) {
        var identity = given?.object
        let credentials = identity?["credentials"]
        identity?["credentials"] = nil
        // Those of a user who is logged out stay hidden to the end of the call.
        newCredentials += [credentials, self.credentials(in: realm)].compactMap(\.self)
        try setIdentity(identity.map { .object($0) } ?? given, credentials, in: realm)
    }

    private func setIdentity(
        _ identity: JSONValue?, _ credentials: JSONValue?, in realm: String
    ) throws(IdentityChangeError) {
        if let session = caller.session {
            try session.setIdentity(identity, credentials: credentials, in: realm, by: caller.logins)
        } else {
            try identities.set(identity, credentials: credentials, in: realm)
            if let identity { caller.logins?.note(identity, in: realm) }
        }
    }

    /// The client session and its users, for connections that no other may use; `nil` for a call without a session.
    var connectionOwner: String? {
        caller.session.map { session in
            let users = realms.map { [$0, identity(in: $0)?.userID ?? ""] }
            return JSONValue.array(([[session.id]] + users).map { .array($0.map { .string($0) }) }).text
        }
    }

    /// All uses of data sources by the call, for its end: their connections are to be reset once the response is out.
    var endedLeases: [SQLLease] { leasesOfLoading + leases.values }

    /// Ends the uses of data sources by the loading of a shared scope with this call.
    func take(leasesOf loading: RunningCall) {
        leasesOfLoading += loading.endedLeases
    }

    /// Returns the call's use of a data source, which lasts until the call ends.
    func lease(of source: SQLDataSource) -> SQLLease {
        let key = ObjectIdentifier(source)
        if let lease = leases[key] { return lease }
        let new = source.lease()
        leases[key] = new
        return new
    }

    /// The realms with a login, in the order of the logins.
    var realms: [String] { caller.session?.realms(seenBy: caller.logins) ?? identities.realms }
}

extension JSONValue {
    /// All strings in the value.
    var texts: [String] {
        switch self {
        case .string(let text): text.isEmpty ? [] : [text]
        case .number: [text]
        case .array(let values): values.flatMap(\.texts)
        case .object(let object): object.keys.flatMap { object[$0]?.texts ?? [] }
        case .bool, .null: []
        }
    }
}

extension String {
    /// Returns the string with `…` in place of the secrets, both verbatim and in JSON's spelling.
    func hiding(_ secrets: [String]) -> String {
        var result = self
        // A secret may be a part of another one.
        for secret in secrets.sorted(by: { $0.utf8.count > $1.utf8.count }) where !secret.isEmpty {
            let json = String(JSONValue.string(secret).text.dropFirst().dropLast())
            for form in [secret, json, PercentEncoding.encode(secret)] {
                result = result.replacingOccurrences(of: form, with: "…")
            }
        }
        return result
    }
}

/// The attributes of Java's `HttpSession`.
struct CallAttributes {
    private let session: ClientSession?
    private var own = JSONObject()

    init(session: ClientSession?) {
        self.session = session
    }

    subscript(name: String) -> JSONValue? {
        get { session.map { $0[attribute: name] } ?? own[name] }
        set {
            if let session {
                session[attribute: name] = newValue
            } else {
                own[name] = newValue
            }
        }
    }

    var names: [String] { session?.attributeNames ?? own.keys }
}
