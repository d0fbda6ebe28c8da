import BackEndHTTP
public import Core
import Synchronization

/// The parts of a client's session that adapters see: its logged-in users and its device.
///
/// Its ``id`` also names the scopes in which the adapters keep the session's variables.
public final class ClientSession: Sendable {
    /// The value of a session to its client. If there are too many sessions, or too many variables, the session with the lowest value and the
    /// longest idle time ends first, or loses its variables.
    public enum EvictionPriority: Int, Sendable, CaseIterable {
        /// Its client has not proven its identity: any client can begin such sessions.
        case stranger
        /// Its client has repeated the instance id or registered with the OAuth layer, which a program can do as well.
        case client
        /// A user with a checked identity is logged in.
        case user
    }

    private struct State {
        var identities = IdentityTable()
        /// The position of each realm's login among the session's completed ones; missing until the login's request ends.
        var completed: [String: Int] = [:]
        var completedLogins = 0
        var deviceIdentity: JSONValue?
        var deviceContext: JSONValue?
        var applicationContext: JSONValue?
        var attributes = JSONObject()
    }

    public let id: String
    /// The result of `WL.Server.getClientId` (7.1): the client's own id, the same in all its sessions.
    public let clientID: String
    /// The network where it began; `nil` when sessions from there are not counted.
    public let network: String?
    private let priority = Atomic(EvictionPriority.stranger.rawValue)
    /// The cookies that back ends have set for this session.
    let cookies = CookieJar()
    /// The cookies that back ends have set for the end user whom they authenticated last.
    private let endUserCookies = Mutex<(user: String, cookies: CookieJar)?>(nil)
    private let state: Mutex<State>

    /// - Parameters:
    ///   - id: the session's id, unique among sessions.
    ///   - clientID: the client's id, `nil` for the session's.
    ///   - network: the network where it began; `nil` when sessions from there are not counted.
    ///   - deviceIdentity: the result of `WL.Server.getCurrentDeviceIdentity`, an object with `deviceId`.
    public init(id: String, clientID: String? = nil, network: String? = nil, deviceIdentity: JSONValue? = nil) {
        self.id = id
        self.network = network
        self.clientID = clientID ?? id
        state = Mutex(State(deviceIdentity: deviceIdentity))
    }

    /// The value at the beginning of its last request.
    public var evictionPriority: EvictionPriority {
        get { EvictionPriority(rawValue: priority.load(ordering: .relaxed)) ?? .stranger }
        set { priority.store(newValue.rawValue, ordering: .relaxed) }
    }

    /// Returns the identity in a realm that the task's request sees: the object that was passed to `setActiveUser`.
    public func identity(in realm: String) -> JSONValue? {
        identity(in: realm, seenBy: RequestLoginVisibility.current)
    }

    /// - Parameter watch: the request that asks; `nil` for one that sees every login.
    func identity(in realm: String, seenBy watch: RequestLoginVisibility?) -> JSONValue? {
        state.withLock { state in
            state.identities[realm].flatMap { sees($0, in: realm, watch, state) ? $0 : nil }
        }
    }

    /// Returns the back ends' cookies of an end user. Those of the user before are dropped.
    func cookies(ofEndUser user: String) -> CookieJar {
        endUserCookies.withLock { known in
            if let known, known.user.utf8.elementsEqual(user.utf8) { return known.cookies }
            let cookies = CookieJar()
            known = (user, cookies)
            return cookies
        }
    }

    /// Returns the strings in the credentials of the identity in a realm.
    public func credentialTexts(in realm: String) -> [String] {
        state.withLock { $0.identities.credentials(in: realm)?.texts ?? [] }
    }

    /// Returns the credentials of the identity that the request sees.
    func credentials(in realm: String, seenBy watch: RequestLoginVisibility?) -> JSONValue? {
        state.withLock { state in
            state.identities[realm].flatMap { identity in
                sees(identity, in: realm, watch, state) ? state.identities.credentials(in: realm) : nil
            }
        }
    }

    private func sees(_ identity: JSONValue, in realm: String, _ watch: RequestLoginVisibility?, _ state: State) -> Bool
    {
        // A request says nothing about other sessions.
        guard let watch, watch.session === self else { return true }
        if let position = state.completed[realm], position <= watch.completedLogins { return true }
        return watch.hasLoggedIn(identity, to: realm)
    }

    /// Logs a user in to a realm or, with `nil`, out. Only the task's request sees the login until ``complete(_:)``.
    ///
    /// - Throws: ``IdentityChangeError`` when another user is logged in there.
    public func setIdentity(_ identity: JSONValue?, in realm: String) throws(IdentityChangeError) {
        try setIdentity(identity, in: realm, by: RequestLoginVisibility.current)
    }

    /// Logs a user in to a realm and replaces any other user. If it is the same user, the login stays complete and visible to other requests.
    ///
    /// - Parameter password: the password the user entered, for back ends that are called as the end user; `nil` not to keep it.
    public func replaceIdentity(_ identity: JSONValue, password: String? = nil, in realm: String) {
        try? setIdentity(
            identity, credentials: password.map { .string($0) }, in: realm, by: RequestLoginVisibility.current,
            replacing: true)
    }

    func setIdentity(
        _ identity: JSONValue?, credentials: JSONValue? = nil, in realm: String, by watch: RequestLoginVisibility?,
        replacing: Bool = false
    ) throws(IdentityChangeError) {
        try state.withLock { (state) throws(IdentityChangeError) in
            let former = state.identities[realm]
            let isNew = identity.flatMap { former?.isSameUser(as: $0) } != true
            if replacing, isNew { try state.identities.set(nil, in: realm) }
            try state.identities.set(identity, credentials: credentials, in: realm)
            guard isNew else { return }
            state.completed[realm] = nil
            if watch == nil, let identity { Self.complete([realm: identity], &state) }
        }
        if let identity { watch?.note(identity, in: realm) }
    }

    private static func complete(_ logins: [String: JSONValue], _ state: inout State) {
        state.completedLogins += 1
        for (realm, identity) in logins where state.identities[realm] == identity && state.completed[realm] == nil {
            state.completed[realm] = state.completedLogins
        }
    }

    /// The number of logins that were completed in the session.
    var completedLogins: Int { state.withLock { $0.completedLogins } }

    /// Returns the logins of a request that are still the session's, by realm.
    public func logins(of watch: RequestLoginVisibility) -> [String: JSONValue] {
        let logins = watch.logins
        guard !logins.isEmpty else { return [:] }
        return state.withLock { state in logins.filter { state.identities[$0.key] == $0.value } }
    }

    /// Makes logins visible to later requests. The session's id must have changed before, so that only the client that received the
    /// new id can send these. Ignores logins that another login has replaced.
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

    /// The realms with a login that the task's request sees, in the order of the logins.
    public var realms: [String] { realms(seenBy: RequestLoginVisibility.current) }

    func realms(seenBy watch: RequestLoginVisibility?) -> [String] {
        state.withLock { state in
            state.identities.realms.filter { realm in
                state.identities[realm].map { sees($0, in: realm, watch, state) } ?? false
            }
        }
    }

    /// The device, an object with `deviceId`.
    public var deviceIdentity: JSONValue? {
        get { state.withLock { $0.deviceIdentity } }
        set { state.withLock { $0.deviceIdentity = newValue } }
    }

    /// The position and the networks that the client sent last (location services, 6.0).
    public var deviceContext: JSONValue? {
        get { state.withLock { $0.deviceContext } }
        set { state.withLock { $0.deviceContext = newValue } }
    }

    /// The value a script set with `WL.Server.setApplicationContext`, for the reports that follow.
    public var applicationContext: JSONValue? {
        get { state.withLock { $0.applicationContext } }
        set { state.withLock { $0.applicationContext = newValue } }
    }

    /// The value a script stored with `getClientRequest().getSession().setAttribute`.
    public subscript(attribute name: String) -> JSONValue? {
        get { state.withLock { $0.attributes[name] } }
        set { state.withLock { $0.attributes[name] = newValue } }
    }

    /// The names of the attributes, in the order in which they were first set.
    public var attributeNames: [String] { state.withLock { $0.attributes.keys } }
}
