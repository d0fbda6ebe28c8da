public import AdapterRuntime
public import Core
import Crypto
import Foundation
public import PushModel
import Synchronization

/// A client's session, with its completed logins and identity checks, and those in progress.
///
/// Adapters see the part of it that is their business, ``client``.
public final class ServerSession: Sendable {
    public typealias EvictionPriority = ClientSession.EvictionPriority

    /// The certainty of a user's identity.
    public enum LoginProof: Sendable {
        /// The client's own cookie: the client that has the session has it.
        case cookie
        /// An unchecked name; `NonValidatingLoginModule` accepts any.
        case claim
        /// A password, a token, a proxy's header, or the check of an adapter.
        case check
    }

    private struct State {
        var id: String
        var device: Device?
        /// The ends of logins, by realm; without logins that last as long as the session.
        var logins: [String: Login] = [:]
        /// The realms with a login since the last call of ``noteLogins(in:_:)``.
        var newLogins: Set<String> = []
        /// The realms whose users have not been checked.
        var uncheckedRealms: Set<String> = []
        /// The values of the cookies of `PersistentCookieAuthenticator` realms, by name.
        var visitorCookies: [String: String] = [:]
        /// The cookies that the client does not have yet.
        var newVisitorCookies: [String: String] = [:]
        var installationKey: String?
        /// The tokens of push services that client and server have named, by application. A few are kept, enough to see that there
        /// are several.
        var pushTokens: [String: Set<DeviceToken>] = [:]
        /// The applications whose client has sent a token.
        var tokenSenders: Set<String> = []
        var pendingRealm: String?
        var acknowledged: Set<String> = []
        var unreported: Set<BuiltInRealm> = []
        /// The realms of the project that have accepted the client's response without having notified the client.
        var unreportedScripts: Set<String> = []
        var isProven = false
        var wrongAnswers = 0
        var oauthClient: String?
        var application: ClientApplication?
        var hasServedBrowser = false
        var contextSession: String?
        var contextVersion = 0
        var contextCharge: DeviceContextCharge?
    }

    private struct Login {
        let id = RandomText.instanceID()
        let identity: JSONValue
        let deadline: Duration?
    }

    /// The session as adapters see it. Its id is only for adapters: the id in the cookie may change.
    public let client: ClientSession
    /// The value that every request must repeat in `WL-Instance-Id`.
    public let instanceID: String
    /// The value that the response to the challenge for the device's identity must repeat.
    public let deviceToken: String
    /// The client's own id, over many sessions: the beginning of `WL_PERSISTENT_COOKIE`.
    public let persistentID: String
    private let state: Mutex<State>

    init(id: String, persistentID: String, installationKey: String? = nil, network: String? = nil) {
        instanceID = RandomText.instanceID()
        deviceToken = RandomText.deviceToken()
        self.persistentID = persistentID
        client = ClientSession(id: RandomText.sessionID(), clientID: persistentID, network: network)
        state = Mutex(State(id: id, installationKey: installationKey))
    }

    /// The value of the cookie `JSESSIONID`.
    public var id: String { state.withLock { $0.id } }

    /// The value of `WL_PERSISTENT_COOKIE`, which only the client and the server know: ``persistentID``, and from the first login
    /// on a point and 32 hexadecimal digits.
    public var installationID: String { state.withLock { installationID($0) } }

    private func installationID(_ state: State) -> String {
        state.installationKey.map { "\(persistentID).\($0)" } ?? persistentID
    }

    /// A value of `WL_PERSISTENT_COOKIE` that has ended.
    public struct FormerInstallation: Sendable, Hashable {
        public let id: String
        /// The tokens that client and server have named in the session, by application. If there are several, an attacker may be in the session, or
        /// know the id.
        public let tokens: [String: Set<DeviceToken>]
        /// The token that the client has sent, by application, where client and server have named no other one in the session.
        public let sentTokens: [String: DeviceToken]
    }

    /// Makes another value of `WL_PERSISTENT_COOKIE`. The one so far may have been planted with the client.
    ///
    /// - Returns: the former value, and the one now.
    public func renewInstallation() -> (former: FormerInstallation, new: String) {
        let key = RandomText.installationKey()
        return state.withLock { state in
            let sent = state.pushTokens.filter { state.tokenSenders.contains($0.key) && $0.value.count == 1 }
            let former = FormerInstallation(
                id: installationID(state), tokens: state.pushTokens, sentTokens: sent.compactMapValues(\.first))
            state.installationKey = key
            state.pushTokens = [:]
            state.tokenSenders = []
            return (former, installationID(state))
        }
    }

    /// The most applications whose tokens are noted: a browser's or a developer's client may use several with one cookie.
    private static let mostApplications = 8

    /// Records a push token that the client sent, or that the server sent to the client.
    public func note(pushToken token: DeviceToken, of applicationID: String, isFromClient: Bool) {
        state.withLock { state in
            guard state.pushTokens[applicationID] != nil || state.pushTokens.count < Self.mostApplications else {
                return
            }
            var tokens = state.pushTokens[applicationID] ?? []
            if tokens.count < 2 { tokens.insert(token) }
            state.pushTokens[applicationID] = tokens
            if isFromClient { state.tokenSenders.insert(applicationID) }
        }
    }

    func changeID(to id: String) {
        state.withLock { $0.id = id }
    }

    /// The device, once it has sent its identity.
    public var device: Device? { state.withLock { $0.device } }

    /// The application that the client last used.
    public var application: ClientApplication? {
        get { state.withLock { $0.application } }
        set {
            state.withLock { state in
                state.application = newValue
                if newValue?.environment.isBrowser ?? false { state.hasServedBrowser = true }
            }
        }
    }

    /// True if a page in a browser has ever used the session. It stays `true`, also for requests of other applications.
    public var hasServedBrowser: Bool { state.withLock { $0.hasServedBrowser } }

    /// The client of the OAuth layer of 7.0 that the session belongs to.
    public var oauthClient: String? {
        get { state.withLock { $0.oauthClient } }
        set { state.withLock { $0.oauthClient = newValue } }
    }

    /// The realm whose login page was last shown: the form itself does not say (wire-protocol 6.1).
    public var pendingRealm: String? {
        get { state.withLock { $0.pendingRealm } }
        set { state.withLock { $0.pendingRealm = newValue } }
    }

    public var standing: EvictionPriority {
        guard checkedRealms.isEmpty else { return .user }
        let hasUsers = !client.realms.isEmpty
        return state.withLock { $0.isProven || $0.oauthClient != nil || hasUsers ? .client : .stranger }
    }

    /// Returns true if a client's changes to its device context continue those before; with another session string the context is reset.
    public func continues(context session: String) -> Bool {
        state.withLock { state in
            defer { state.contextSession = session }
            return state.contextSession == session
        }
    }

    /// Returns true if a device context is not older than the last one of the same run of the client.
    public func isNewest(context session: String, version: Int) -> Bool {
        state.withLock { state in
            guard state.contextSession != session || state.contextVersion <= version else { return false }
            (state.contextSession, state.contextVersion) = (session, version)
            return true
        }
    }

    /// Sets the device context that adapters see.
    ///
    /// - Parameters:
    ///   - size: in bytes of memory.
    ///   - network: the client's network; `nil` if nothing is counted by address.
    /// - Returns: whether the context was set. A session without a checked user keeps the former one where the budget has no room.
    public func setDeviceContext(
        _ context: JSONValue?, size: Int, at network: String?, within budget: DeviceContextBudget
    ) -> Bool {
        let isLimited = standing != .user
        return state.withLock { state in
            if size > 0 || state.contextCharge != nil {
                let charge = state.contextCharge ?? DeviceContextCharge(to: budget, at: network)
                guard charge.resize(to: size, isLimited: isLimited) else { return false }
                state.contextCharge = charge
            }
            client.deviceContext = context
            return true
        }
    }

    // MARK: What clients prove

    /// Holds a request's `WL-Instance-Id` against the session's.
    ///
    /// - Returns: whether it is the session's.
    public func proves(instanceID given: String?) -> Bool {
        guard let given, given.isSame(as: instanceID) else { return false }
        state.withLock { state in
            guard !state.isProven else { return }
            state.isProven = true
            state.unreported.formUnion([.antiXSRF, .remoteDisable])
        }
        return true
    }

    /// True if a request has had the session's cookie together with its instance id.
    public var isProven: Bool { state.withLock { $0.isProven } }

    /// Returns the instance id for a client that sends a former id of the session: the session's instance id if the client already
    /// has it, since then it is the session's client, which sent the request before the change; else an unused one.
    public func instanceID(knownTo given: String?) -> String {
        given.map(instanceID.isSame) == true ? instanceID : RandomText.instanceID()
    }

    /// Takes a device's response to the challenge.
    ///
    /// The same device may repeat it, since concurrent requests are all challenged.
    ///
    /// - Throws: ``ChallengeError`` when the token is not this session's, or the session belongs to another device.
    public func accept(_ answer: DeviceAnswer) throws(ChallengeError) {
        guard answer.token.isSame(as: deviceToken) else {
            throw ChallengeError(realm: .deviceNoProvisioning, reason: "bad token")
        }
        let isTaken = state.withLock { state in
            guard state.device == nil || state.device?.id == answer.device.id else { return false }
            if state.device == nil { state.unreported.insert(.deviceNoProvisioning) }
            state.device = answer.device
            return true
        }
        guard isTaken else {
            throw ChallengeError(realm: .deviceNoProvisioning, reason: "this session belongs to another device")
        }
        client.deviceIdentity = answer.device.identity
    }

    /// Takes a client's word that its user has read a message of the operator's. Ignores what cannot be the id of one: ids have
    /// 15 digits at most.
    public func acknowledge(message id: String) {
        guard id.utf8.count <= 15 else { return }
        state.withLock { state in
            // The operator has few messages; a client with more makes them up.
            if state.acknowledged.count < 20 { _ = state.acknowledged.insert(id) }
        }
    }

    public func hasAcknowledged(message id: String) -> Bool {
        state.withLock { $0.acknowledged.contains(id) }
    }

    /// Counts a wrong response.
    ///
    /// - Returns: the number of wrong responses since the last right one.
    public func countWrongAnswer() -> Int {
        state.withLock { state in
            state.wrongAnswers += 1
            return state.wrongAnswers
        }
    }

    public func forgetWrongAnswers() {
        state.withLock { state in
            if state.wrongAnswers != 0 { state.wrongAnswers = 0 }
        }
    }

    /// Returns the built-in realms that were passed and that the client was not notified of. Each is returned once.
    public func takeUnreported() -> Set<BuiltInRealm> {
        state.withLock { state in
            guard !state.unreported.isEmpty else { return [] }
            defer { state.unreported = [] }
            return state.unreported
        }
    }

    /// Returns the user id of the browser with a cookie of that name. A request without a cookie in the server's format gets one.
    ///
    /// The user id is a digest of the cookie's value: it is shown to operators, and must not serve as the cookie.
    func visitor(of cookie: String, in request: ClientRequest) -> String {
        let given = request.cookies(named: cookie).first { $0.wholeMatch(of: /[A-Za-z0-9_\-]{36}/) != nil }
        let value = state.withLock { state in
            if let known = state.visitorCookies[cookie] { return known }
            let value = given ?? RandomText.sessionID()
            state.visitorCookies[cookie] = value
            if given == nil { state.newVisitorCookies[cookie] = value }
            return value
        }
        return SHA256.hash(data: Data(value.utf8)).prefix(16).map { byte in
            String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
        }.joined()
    }

    /// Returns the cookies to send with the response, by name.
    public func takeNewVisitorCookies() -> [String: String] {
        state.withLock { state in
            guard !state.newVisitorCookies.isEmpty else { return [:] }
            defer { state.newVisitorCookies = [:] }
            return state.newVisitorCookies
        }
    }

    func noteAnswered(realm: String) {
        state.withLock { _ = $0.unreportedScripts.insert(realm) }
    }

    /// Returns the realms with a challenge of the project's own that were passed and that the client was not notified of. Each is
    /// returned once.
    public func takeUnreportedScripts() -> Set<String> {
        state.withLock { state in
            guard !state.unreportedScripts.isEmpty else { return [] }
            defer { state.unreportedScripts = [] }
            return state.unreportedScripts
        }
    }

    // MARK: Who is logged in

    /// Returns the identity in a realm; `nil` without a login, or when it has expired.
    public func identity(in realm: String, at now: Duration) -> JSONValue? {
        guard let identity = client.identity(in: realm) else { return nil }
        let hasEnded = state.withLock { state in
            guard let login = state.logins[realm], let deadline = login.deadline, deadline <= now else { return false }
            state.logins[realm] = nil
            // A script may have logged in somebody else meanwhile.
            return login.identity == identity
        }
        guard hasEnded else { return identity }
        logOut(of: realm)
        return nil
    }

    /// The realms in which a user is logged in whose identity was checked. A user whom a script sets counts from the end of its
    /// request on, when ``noteLogins(in:_:)`` has seen the login.
    public var checkedRealms: [String] {
        let identities = identities(in: client.realms)
        return state.withLock { state in
            identities.filter { realm, identity in
                state.logins[realm]?.identity == identity && !state.uncheckedRealms.contains(realm)
            }.map(\.realm)
        }
    }

    private func identities(in realms: some Collection<String>) -> [(realm: String, identity: JSONValue)] {
        realms.compactMap { realm in client.identity(in: realm).map { (realm, $0) } }
    }

    /// Returns the login to a realm; `nil` without one, or when it has expired.
    ///
    /// - Parameter deadline: the uptime at which the login ends if a script has made it just now.
    func login(to realm: String, at now: Duration, deadline: Duration?) -> RealmLogin? {
        guard let identity = identity(in: realm, at: now) else { return nil }
        return state.withLock { state in
            let login: Login
            if let known = state.logins[realm], known.identity == identity {
                login = known
            } else {
                login = Login(identity: identity, deadline: deadline)
                state.logins[realm] = login
                state.newLogins.insert(realm)
            }
            return RealmLogin(id: login.id, realm: realm, deadline: login.deadline)
        }
    }

    /// Returns whether the realm's recorded login has that id.
    public func hasLogin(_ id: String, to realm: String) -> Bool {
        state.withLock { $0.logins[realm]?.id == id }
    }

    /// Logs a user in. The realm's former user is logged out.
    ///
    /// - Parameters:
    ///   - deadline: on the clock's uptime; `nil` when the login holds as long as the session.
    ///   - password: for back ends that authenticate end users; `nil` not to keep it.
    public func logIn(
        _ identity: JSONValue, to realm: String, until deadline: Duration?, by proof: LoginProof = .check,
        password: String? = nil
    ) {
        client.replaceIdentity(identity, password: password, in: realm)
        state.withLock { state in
            state.logins[realm] = Login(identity: identity, deadline: deadline)
            if proof == .check {
                state.uncheckedRealms.remove(realm)
            } else {
                state.uncheckedRealms.insert(realm)
            }
            // An attacker who planted the session has the same cookie, and gains nothing.
            if proof != .cookie { state.newLogins.insert(realm) }
            if state.pendingRealm == realm { state.pendingRealm = nil }
        }
    }

    /// Logs the realm's user out.
    public func logOut(of realm: String) {
        try? client.setIdentity(nil, in: realm)
        state.withLock { $0.logins[realm] = nil }
    }

    /// Records the logins to realms, and starts the deadlines of users whom a script has set (`WL.Server.setActiveUser`).
    ///
    /// - Parameters:
    ///   - changed: the realms to which the request logged users in.
    ///   - deadline: the uptime at which a login to a realm ends that starts now; `nil` for the session's end.
    /// - Returns: whether a user has logged in since the last call. A script that sets the same user with other attributes logs
    ///   nobody in.
    public func noteLogins(in changed: Set<String>, _ deadline: (_ realm: String) -> Duration?) -> Bool {
        let realms = client.realms.filter(changed.contains)
        guard !realms.isEmpty else { return false }
        let identities = identities(in: realms)
        return state.withLock { state in
            let new = state.newLogins.intersection(changed)
            state.newLogins.subtract(new)
            var isNew = !new.isEmpty
            for (realm, identity) in identities where state.logins[realm]?.identity != identity {
                if state.logins[realm]?.identity.isSameUser(as: identity) != true {
                    isNew = true
                    state.uncheckedRealms.remove(realm)
                }
                state.logins[realm] = Login(identity: identity, deadline: deadline(realm))
            }
            return isNew
        }
    }

    /// Replaces the ids of the logins to all realms except these, which ends the tokens issued for them: an attacker who planted
    /// the session may hold such a token, and would act as the user who has logged in now.
    public func renewLogins(except realms: Set<String>) {
        state.withLock { state in
            for (realm, login) in state.logins where !realms.contains(realm) {
                state.logins[realm] = Login(identity: login.identity, deadline: login.deadline)
            }
        }
    }
}

extension String {
    /// Compares in constant time: a wrong string takes as long as the right one of the same length.
    public func isSame(as other: String) -> Bool {
        var (left, right) = (self, other)
        return left.withUTF8 { left in
            right.withUTF8 { right in
                guard left.count == right.count else { return false }
                var difference: UInt8 = 0
                for index in 0..<left.count { difference |= left[index] ^ right[index] }
                return difference == 0
            }
        }
    }
}
