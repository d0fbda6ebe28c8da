import BackEndHTTP
public import PushModel
import Synchronization

/// A client's session, as far as adapters see it: who is logged in, and on which device.
///
/// Its ``id`` also names the scopes in which the adapters keep the session's variables.
public final class ClientSession: Sendable {
    private struct State {
        var identities = IdentityTable()
        /// When each realm's login was complete, as a number of ``completeLogins``; not there while its request goes on.
        var completed: [String: Int] = [:]
        var completeLogins = 0
        var deviceIdentity: JSONValue?
        var deviceContext: JSONValue?
        var applicationContext: JSONValue?
        var attributes = JSONObject()
    }

    public let id: String
    /// What `WL.Server.getClientId` answers (7.1): the client's own id, the same in all its sessions.
    public let clientID: String
    /// What back ends have set for this session.
    let cookies = CookieJar()
    private let state: Mutex<State>

    /// - Parameters:
    ///   - id: the session's id; nobody else may have it.
    ///   - clientID: the client's id, `nil` for the session's.
    ///   - deviceIdentity: what `WL.Server.getCurrentDeviceIdentity` answers, an object with `deviceId`.
    public init(id: String, clientID: String? = nil, deviceIdentity: JSONValue? = nil) {
        self.id = id
        self.clientID = clientID ?? id
        state = Mutex(State(deviceIdentity: deviceIdentity))
    }

    /// Who is logged in to a realm, as far as the task's request sees it: the object that was given to `setActiveUser`.
    public func identity(in realm: String) -> JSONValue? {
        identity(in: realm, seenBy: LoginWatch.current)
    }

    /// - Parameter watch: the request that asks; `nil` for one that sees every login.
    func identity(in realm: String, seenBy watch: LoginWatch?) -> JSONValue? {
        state.withLock { state in
            state.identities[realm].flatMap { Self.sees(realm, watch, state) ? $0 : nil }
        }
    }

    private static func sees(_ realm: String, _ watch: LoginWatch?, _ state: State) -> Bool {
        guard let watch else { return true }
        return state.completed[realm].map { $0 <= watch.complete } ?? false || watch.hasLoggedIn(to: realm)
    }

    /// Logs somebody in to a realm or, with `nil`, out. While a request does it, only that request sees the login until
    /// ``completeLogins(to:)``.
    ///
    /// - Throws: ``IdentityChangeError`` when somebody else is logged in there.
    public func setIdentity(_ identity: JSONValue?, in realm: String) throws(IdentityChangeError) {
        try setIdentity(identity, in: realm, by: LoginWatch.current)
    }

    /// Logs somebody in to a realm in place of another user. The same user's login stays complete, where other requests see it.
    public func replaceIdentity(_ identity: JSONValue, in realm: String) {
        try? setIdentity(identity, in: realm, by: LoginWatch.current, replacing: true)
    }

    func setIdentity(
        _ identity: JSONValue?, in realm: String, by watch: LoginWatch?, replacing: Bool = false
    ) throws(IdentityChangeError) {
        try state.withLock { (state) throws(IdentityChangeError) in
            let isNew = identity?["userId"] != state.identities[realm]?["userId"] || state.identities[realm] == nil
            if replacing, isNew { try state.identities.set(nil, in: realm) }
            try state.identities.set(identity, in: realm)
            guard isNew else { return }
            state.completed[realm] = nil
            if watch == nil, let identity { Self.complete([realm: identity], &state) }
        }
        if let identity { watch?.note(identity, in: realm) }
    }

    private static func complete(_ logins: [String: JSONValue], _ state: inout State) {
        state.completeLogins += 1
        for (realm, identity) in logins where state.identities[realm] == identity && state.completed[realm] == nil {
            state.completed[realm] = state.completeLogins
        }
    }

    /// How many logins have been complete so far.
    var completeLogins: Int { state.withLock { $0.completeLogins } }

    /// The logins of a request that are still the session's, by realm.
    public func logins(of watch: LoginWatch) -> [String: JSONValue] {
        let logins = watch.logins
        guard !logins.isEmpty else { return [:] }
        return state.withLock { state in logins.filter { state.identities[$0.key] == $0.value } }
    }

    /// Shows logins to the requests that come from now on. The session's id has changed before, so that only who was told the new one
    /// can send them. A login that another one has replaced meanwhile is left alone.
    public func complete(_ logins: [String: JSONValue]) {
        guard !logins.isEmpty else { return }
        state.withLock { Self.complete(logins, &$0) }
    }

    /// Ends logins that are not complete.
    public func drop(_ logins: [String: JSONValue]) {
        state.withLock { state in
            for (realm, identity) in logins where state.identities[realm] == identity && state.completed[realm] == nil {
                try? state.identities.set(nil, in: realm)
            }
        }
    }

    /// The realms in which somebody is logged in, as far as the task's request sees it, in the order in which they logged in.
    public var realms: [String] { realms(seenBy: LoginWatch.current) }

    func realms(seenBy watch: LoginWatch?) -> [String] {
        state.withLock { state in state.identities.realms.filter { Self.sees($0, watch, state) } }
    }

    /// The device, an object with `deviceId`.
    public var deviceIdentity: JSONValue? {
        get { state.withLock { $0.deviceIdentity } }
        set { state.withLock { $0.deviceIdentity = newValue } }
    }

    /// What the client last told of its surroundings: position, networks (location services, 6.0).
    public var deviceContext: JSONValue? {
        get { state.withLock { $0.deviceContext } }
        set { state.withLock { $0.deviceContext = newValue } }
    }

    /// What a script noted with `WL.Server.setApplicationContext`, for the reports that follow.
    public var applicationContext: JSONValue? {
        get { state.withLock { $0.applicationContext } }
        set { state.withLock { $0.applicationContext = newValue } }
    }

    /// What scripts kept with `getClientRequest().getSession().setAttribute`.
    public subscript(attribute name: String) -> JSONValue? {
        get { state.withLock { $0.attributes[name] } }
        set { state.withLock { $0.attributes[name] = newValue } }
    }

    /// The names of the attributes, in the order in which they were first set.
    public var attributeNames: [String] { state.withLock { $0.attributes.keys } }
}

/// Who is logged in to which realm.
struct IdentityTable: Sendable {
    private var identities = JSONObject()

    subscript(realm: String) -> JSONValue? { identities[realm] }

    var realms: [String] { identities.keys }

    /// The same user may be set again, with other attributes; another one only after a logout (server-api 2.6).
    mutating func set(_ identity: JSONValue?, in realm: String) throws(IdentityChangeError) {
        if let identity, let current = identities[realm], !Self.isSameUser(current, identity) {
            throw IdentityChangeError(realm: realm)
        }
        identities[realm] = identity
    }

    /// By `userId`; identities without one are the same only when they are equal.
    private static func isSameUser(_ left: JSONValue, _ right: JSONValue) -> Bool {
        switch (left["userId"], right["userId"]) {
        case (let left?, let right?): left == right
        default: left == right
        }
    }
}

/// Somebody else is logged in to the realm.
public struct IdentityChangeError: Error, Sendable, Hashable, CustomStringConvertible {
    public let realm: String

    /// The words of the original, which scripts may look for.
    public var description: String {
        "Cannot change identity of an already logged in user in realm '\(realm)'. The application must logout first."
    }
}
