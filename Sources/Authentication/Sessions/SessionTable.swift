import AdapterRuntime
public import Core
import Synchronization

/// The lifetime of sessions, and the limits on their number.
public struct SessionSettings: Sendable, Hashable {
    /// A session that was not used for so long is over: `serverSessionTimeout` (server-api 5.4).
    public var idleTimeout = Duration.seconds(600)
    /// The most there may be. Beyond, the one with the lowest ``ServerSession/EvictionPriority`` ends that is idle longest.
    public var limit = 100_000
    /// The largest number of sessions that began at one network. Beyond it, one of that network's sessions ends, in the same order.
    public var limitPerNetwork = 10_000

    public init() {}
}

/// All sessions.
///
/// Ids are only ever made here: one that a client brings and that is not known leads to a new session with another id, so
/// that nobody can be led into a session whose id somebody else has chosen.
public final class SessionTable: Sendable {
    /// The result of a search for an id.
    public enum SessionLookup: Sendable {
        case session(ServerSession)
        /// The session has another id now, which its client has received. Requests with the former one are refused.
        case renamed(ServerSession)
        case nothing
    }

    /// A limit of the table that a client has reached.
    public enum Limit: Sendable, CaseIterable {
        /// ``SessionSettings/limit``: a session ended.
        case sessions
        /// ``SessionSettings/limitPerNetwork``: a session of the network ended.
        case sessionsPerNetwork
        /// A former id came too often after its session was renamed: it no longer stands for the session.
        case formerID
    }

    /// A session that ended to make room.
    private struct EvictedSession {
        let session: ServerSession
        let limit: Limit
    }

    private struct Entry {
        let session: ServerSession
        /// The network where it began; `nil` when sessions from there are not counted.
        let network: String?
        var standing: ServerSession.EvictionPriority
        /// Among all, and among those of the network.
        var place: SessionQueue.Place
        var networkPlace: SessionQueue.Place?
        var lastUse: Duration
    }

    private struct State {
        var entries: [String: Entry] = [:]
        var queue = SessionQueue()
        var networks: [String: SessionQueue] = [:]
        var renamed: [String: FormerSessionID] = [:]
    }

    private struct FormerSessionID {
        let session: ServerSession
        let until: Duration
        /// The number of requests with this id since then.
        var uses = 0
    }

    /// The prefix of ids that the server did not make.
    private static let clientPrefix = "client "
    /// The time for which requests may still use a replaced id, since they were on their way when it was replaced.
    private static let overlap = Duration.seconds(60)
    /// The largest number of such requests. A client that sends more has not got the response with the new id, and begins a new session.
    private static let mostUses = 10

    public let settings: SessionSettings
    private let time: any TimeSource
    private let onEnd: @Sendable (ServerSession) -> Void
    private let onLimit: @Sendable (Limit, _ address: String?) -> Void
    private let state = Mutex(State())

    /// - Parameters:
    ///   - onEnd: called with each session that is over, whatever ended it. It must not block.
    ///   - onLimit: called each time that a client reaches a limit, with the client's address or network; `nil` for this machine
    ///     and where it is not known. It must not block.
    public init(
        settings: SessionSettings, time: any TimeSource, onEnd: @escaping @Sendable (ServerSession) -> Void,
        onLimit: @escaping @Sendable (Limit, _ address: String?) -> Void = { _, _ in }
    ) {
        self.onLimit = onLimit
        self.settings = settings
        self.time = time
        self.onEnd = onEnd
    }

    /// All sessions with the uptime of their last use, last used first.
    public func newest() -> [(session: ServerSession, lastUse: Duration)] {
        let all = state.withLock { $0.entries.values.map { (session: $0.session, lastUse: $0.lastUse) } }
        return all.sorted { $0.lastUse > $1.lastUse }
    }

    /// The number of sessions.
    public var count: Int { state.withLock { $0.entries.count } }

    /// The session of the first id that stands for one, used now.
    ///
    /// Those of ``session(ofClient:)`` are not found: knowing a client's id proves nothing.
    ///
    /// - Parameter address: where the ids come from, for the limit's callback.
    public func find(_ ids: some Sequence<Substring>, from address: String? = nil) -> SessionLookup {
        let now = time.uptime
        let (finding, isTooOften) = state.withLock { state -> (SessionLookup, Bool) in
            for id in ids where !id.hasPrefix(Self.clientPrefix) {
                if let session = use(String(id), at: now, in: &state) { return (.session(session), false) }
            }
            var isTooOften = false
            for id in ids where !state.renamed.isEmpty {
                guard let renamed = state.renamed[String(id)], renamed.until > now else { continue }
                guard renamed.uses < Self.mostUses else {
                    isTooOften = true
                    continue
                }
                state.renamed[String(id)]?.uses += 1
                return (.renamed(renamed.session), false)
            }
            return (.nothing, isTooOften)
        }
        if isTooOften { onLimit(.formerID, address) }
        return finding
    }

    private func use(_ id: String, at now: Duration, in state: inout State) -> ServerSession? {
        guard let index = state.entries.index(forKey: id) else { return nil }
        let entry = state.entries.values[index]
        // One that is over is found by the next sweep.
        guard entry.lastUse + settings.idleTimeout > now else { return nil }
        state.entries.values[index].lastUse = now
        let standing = entry.session.standing
        if standing == entry.standing {
            state.queue.touch(entry.place, standing)
            if let network = entry.network, let place = entry.networkPlace {
                state.networks[network]?.touch(place, standing)
            }
        } else {
            unqueue(entry, in: &state)
            state.entries.values[index] = queued(entry.session, id, of: entry.network, at: now, in: &state)
        }
        return entry.session
    }

    private func queued(
        _ session: ServerSession, _ id: String, of network: String?, at now: Duration, in state: inout State
    ) -> Entry {
        let standing = session.standing
        session.client.evictionPriority = standing
        return Entry(
            session: session, network: network, standing: standing, place: state.queue.append(id, standing),
            networkPlace: network.map { state.networks[$0, default: SessionQueue()].append(id, standing) },
            lastUse: now)
    }

    private func unqueue(_ entry: Entry, in state: inout State) {
        state.queue.remove(entry.place, entry.standing)
        guard let network = entry.network, let place = entry.networkPlace else { return }
        state.networks[network]?.remove(place, entry.standing)
        if state.networks[network]?.count == 0 { state.networks[network] = nil }
    }

    /// Begins a session.
    ///
    /// - Parameters:
    ///   - persistentID: the client's own id, from its cookie, when it has one.
    ///   - installationKey: what the cookie has beside that id.
    ///   - network: where it begins; `nil` when sessions from there are not counted.
    public func begin(
        persistentID: String, installationKey: String? = nil, at network: String? = nil
    ) -> ServerSession {
        let session = ServerSession(
            id: RandomText.sessionID(), persistentID: persistentID, installationKey: installationKey, network: network)
        let now = time.uptime
        let displaced = state.withLock { state in
            defer { add(session, of: network, at: now, to: &state) }
            return makeRoom(for: network, in: &state)
        }
        if let displaced { report(displaced, network) }
        return session
    }

    /// Makes a session for a single request. It is not in the table and counts towards no limit: no id finds it, and ``end(singleUse:)`` ends it.
    public func makeSingleUse(persistentID: String) -> ServerSession {
        ServerSession(id: RandomText.sessionID(), persistentID: persistentID)
    }

    /// Ends a session of ``makeSingleUse(persistentID:)``.
    public func end(singleUse session: ServerSession) { onEnd(session) }

    private func report(_ displaced: EvictedSession, _ network: String?) {
        onEnd(displaced.session)
        onLimit(displaced.limit, network)
    }

    private func add(_ session: ServerSession, of network: String?, at now: Duration, to state: inout State) {
        let id = session.id
        state.entries[id] = queued(session, id, of: network, at: now, in: &state)
    }

    /// Ends a session where there are too many for one more: at its network, or in all.
    private func makeRoom(for network: String?, in state: inout State) -> EvictedSession? {
        let isNetworkFull = network.flatMap { state.networks[$0] }.map { $0.count >= settings.limitPerNetwork } ?? false
        guard isNetworkFull || state.entries.count >= settings.limit else { return nil }
        return first(of: isNetworkFull ? network : nil, in: &state).flatMap { remove($0, from: &state) }
            .map { EvictedSession(session: $0, limit: isNetworkFull ? .sessionsPerNetwork : .sessions) }
    }

    /// The id of the session to end first: of a network, or of all.
    private func first(of network: String?, in state: inout State) -> String? {
        while let id = network.map({ state.networks[$0]?.first }) ?? state.queue.first, let entry = state.entries[id] {
            guard entry.session.standing != entry.standing else { return id }
            // The request that changed its standing was the last one.
            unqueue(entry, in: &state)
            state.entries[id] = queued(entry.session, id, of: entry.network, at: entry.lastUse, in: &state)
        }
        return nil
    }

    private func remove(_ id: String, from state: inout State) -> ServerSession? {
        guard let entry = state.entries.removeValue(forKey: id) else { return nil }
        unqueue(entry, in: &state)
        return entry.session
    }

    /// The session of a client that is known by a token instead of a cookie. It goes when it is idle, as others do.
    ///
    /// - Parameter network: where it begins, if it does; `nil` when sessions from there are not counted.
    public func session(ofClient clientID: String, at network: String? = nil) -> ServerSession {
        let id = Self.clientPrefix + clientID
        let now = time.uptime
        let (session, old, displaced) = state.withLock { state -> (ServerSession, ServerSession?, EvictedSession?) in
            if let session = use(id, at: now, in: &state) { return (session, nil, nil) }
            // One that is over, but not swept yet.
            let old = remove(id, from: &state)
            let displaced = makeRoom(for: network, in: &state)
            let session = ServerSession(id: id, persistentID: clientID, network: network)
            session.oauthClient = clientID
            add(session, of: network, at: now, to: &state)
            return (session, old, displaced)
        }
        if let old { onEnd(old) }
        if let displaced { report(displaced, network) }
        return session
    }

    /// Returns true if clients find a session by their cookie, not by a token.
    public func isKnownByCookie(_ session: ServerSession) -> Bool { !session.id.hasPrefix(Self.clientPrefix) }

    /// Changes a session's id. Requests that bring the old one get the new one.
    ///
    /// - Parameter former: the id that the session is expected to have.
    /// - Returns: whether the session has another id now: not when it has ended, or had another id than expected.
    @discardableResult
    public func renew(_ session: ServerSession, from former: String) -> Bool {
        let now = time.uptime
        return state.withLock { state in
            let network = state.entries[former]?.network
            guard session.id == former, remove(former, from: &state) != nil else { return false }
            session.changeID(to: RandomText.sessionID())
            add(session, of: network, at: now, to: &state)
            state.renamed[former] = FormerSessionID(session: session, until: now + Self.overlap)
            return true
        }
    }

    /// Ends a session.
    public func end(_ session: ServerSession) {
        if let ended = state.withLock({ remove(session.id, from: &$0) }) { onEnd(ended) }
    }

    /// Ends what was idle for too long.
    public func sweep() {
        let now = time.uptime
        let ended = state.withLock { state in
            var ended: [ServerSession] = []
            for standing in ServerSession.EvictionPriority.allCases {
                while let id = state.queue.oldest(standing), isOver(id, at: now, in: state),
                    let session = remove(id, from: &state)
                {
                    ended.append(session)
                }
            }
            state.renamed = state.renamed.filter { $0.value.until > now }
            return ended
        }
        ended.forEach(onEnd)
    }

    private func isOver(_ id: String, at now: Duration, in state: State) -> Bool {
        state.entries[id].map { $0.lastUse + settings.idleTimeout <= now } ?? false
    }

    /// Sweeps again and again until the task is cancelled.
    public func runSweeper() async throws {
        while true {
            try await time.sleep(untilUptime: time.uptime + min(settings.idleTimeout / 4, .seconds(10)))
            sweep()
        }
    }
}

/// Sessions in the order in which they end when there are too many: by standing, and by their last use.
struct SessionQueue {
    typealias Place = RecencyList.Place

    /// The sessions of one standing.
    private struct Part {
        var order = RecencyList()
        /// The sessions' ids, indexed by `Place`.
        var ids: [String] = []

        var oldest: String? { order.oldest.map { ids[$0] } }

        mutating func append(_ id: String) -> Place {
            let place = order.append()
            if place < ids.count { ids[place] = id } else { ids.append(id) }
            return place
        }
    }

    /// Indexed by the raw value of the standing.
    private var parts = ServerSession.EvictionPriority.allCases.map { _ in Part() }

    var count: Int { parts.reduce(0) { $0 + $1.order.count } }

    /// The id of the session to end first.
    var first: String? { parts.lazy.compactMap(\.oldest).first }

    /// The id of the session of that standing that was not used for longest.
    func oldest(_ standing: ServerSession.EvictionPriority) -> String? { parts[standing.rawValue].oldest }

    mutating func append(_ id: String, _ standing: ServerSession.EvictionPriority) -> Place {
        parts[standing.rawValue].append(id)
    }

    mutating func touch(_ place: Place, _ standing: ServerSession.EvictionPriority) {
        parts[standing.rawValue].order.touch(place)
    }

    mutating func remove(_ place: Place, _ standing: ServerSession.EvictionPriority) {
        parts[standing.rawValue].order.remove(place)
    }
}

/// Unpredictable random strings, from the system's generator.
enum RandomText {
    private static let base64URL = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
    private static let lowerCase = Array("abcdefghijklmnopqrstuvwxyz012345".utf8)
    private static let hexadecimal = Array("0123456789abcdef".utf8)

    /// A session's id: 192 bits, in WebSphere's form, which begins with four zeros (wire-protocol 2).
    static func sessionID() -> String { "0000" + text(32, of: base64URL, bits: 6) }

    /// A `WL-Instance-Id`: 130 bits in 26 lower-case letters and digits, as real ones have (wire-protocol 3.1).
    static func instanceID() -> String { text(26, of: lowerCase, bits: 5) }

    /// The token of a device's challenge: 128 bits.
    static func deviceToken() -> String { text(32, of: hexadecimal, bits: 4) }

    /// The second part of `WL_PERSISTENT_COOKIE` after a login: 128 bits.
    static func installationKey() -> String { text(32, of: hexadecimal, bits: 4) }

    private static func text(_ length: Int, of alphabet: [UInt8], bits: Int) -> String {
        var generator = SystemRandomNumberGenerator()
        var (pool, left): (UInt64, Int) = (0, 0)
        return String(unsafeUninitializedCapacity: length) { buffer in
            for index in 0..<length {
                if left < bits { (pool, left) = (generator.next(), 64) }
                buffer[index] = alphabet[Int(pool & (1 << UInt64(bits) - 1))]
                pool >>= UInt64(bits)
                left -= bits
            }
            return length
        }
    }
}
