package import Authentication
import Core
import Synchronization

/// Finds clients that keep no cookies: they repeat the instance id of a challenge without the cookie that came with it.
///
/// Each further challenge would begin one more session, about 20 times a second, since clients never stop (wire-protocol 13). A client that was only
/// killed between the challenge and its response does so once or twice, and is challenged again.
package final class CookielessClientDetector: Sendable {
    private struct Entry {
        weak var session: ServerSession?
    }

    private struct Client: Hashable {
        let network: String
        let userAgent: String
    }

    private struct Repetitions {
        var count = 0
        /// On the clock's uptime.
        var since: Duration
        var refusedUntil = Duration.zero
    }

    private struct State {
        var sessions = BoundedTable<String, Entry>(capacity: 10_000)
        var clients = BoundedTable<Client, Repetitions>(capacity: 5000)
    }

    /// The number of repetitions within ``window`` after which requests are refused for ``pause``.
    private static let most = 10
    private static let window = Duration.seconds(5)
    private static let pause = Duration.seconds(60)

    private let state = Mutex(State())

    /// Remembers a session that has just begun.
    package func note(_ session: ServerSession) {
        state.withLock { $0.sessions[session.instanceID] = Entry(session: session) }
    }

    /// Counts a request that brings an instance id without a session's cookie.
    ///
    /// - Parameter userAgent: distinguishes the client from others of its network.
    /// - Returns: whether the id is that of a session whose client has never brought cookie and id together, and many such requests
    ///   came from the client.
    package func refuses(instanceID: String, network: String, userAgent: String, at now: Duration) -> Bool {
        state.withLock { state in
            guard let session = state.sessions[instanceID]?.session, !session.isProven else { return false }
            let client = Client(network: network, userAgent: String(userAgent.prefix(200)))
            var own = state.clients[client] ?? Repetitions(since: now)
            defer { state.clients[client] = own }
            guard own.refusedUntil <= now else { return true }
            if now - own.since >= Self.window { own = Repetitions(since: now) }
            own.count += 1
            guard own.count > Self.most else { return false }
            own.refusedUntil = now + Self.pause
            return true
        }
    }
}
