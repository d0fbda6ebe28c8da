package import Core
import Foundation
package import Installation
import Synchronization

/// The pages that browsers follow. Each is rendered every two seconds, once for all viewers with the same role, and a section is sent when it has
/// changed.
package final class LivePages: Sendable {
    /// A page with its query, as accounts of a role see it.
    struct Key: Hashable, Sendable {
        let path: [String]
        let query: String
        let role: ManagementRole
    }

    private struct Follower {
        let session: String
        let events: AsyncStream<String>.Continuation
        /// True if it has all sections.
        var isCurrent = false
    }

    private struct Page {
        var followers: [Int: Follower] = [:]
        var sections: [String: String] = [:]
    }

    private struct State {
        var pages: [Key: Page] = [:]
        var nextID = 0
        var isClosed = false
    }

    private static let interval = Duration.seconds(2)
    /// The number of intervals without an event after which a comment is sent: proxies close silent connections.
    private static let silentIntervals = 10
    /// The largest number of live pages at a time.
    static let limit = 500
    /// The limit of one session.
    static let limitPerSession = 20
    /// Events that a connection has not taken. Beyond it ends, and the browser connects again.
    private static let backlog = 32

    private let state = Mutex(State())
    private let sessions: ManagementSessions
    private let time: any TimeSource

    package init(sessions: ManagementSessions, time: any TimeSource) {
        (self.sessions, self.time) = (sessions, time)
    }

    /// Follows a page.
    ///
    /// - Parameters:
    ///   - session: the hash of the session's token. The events end with it.
    ///   - render: returns the live sections with their ids.
    /// - Returns: events in the format of `text/event-stream`; `nil` when there are too many.
    func events(
        of key: Key, session: String, render: @escaping @Sendable () async throws -> [(id: String, html: String)]
    ) -> AsyncStream<String>? {
        let (stream, continuation) = AsyncStream<String>.makeStream(bufferingPolicy: .bufferingOldest(Self.backlog))
        let (id, isFirst): (Int?, Bool) = state.withLock { state in
            let followers = state.pages.values.flatMap(\.followers.values)
            guard !state.isClosed, followers.count < Self.limit,
                followers.count(where: { $0.session == session }) < Self.limitPerSession
            else { return (nil, false) }
            state.nextID += 1
            let isFirst = state.pages[key] == nil
            state.pages[key, default: Page()].followers[state.nextID] = Follower(session: session, events: continuation)
            return (state.nextID, isFirst)
        }
        guard let id else { return nil }
        continuation.onTermination = { [weak self] _ in self?.remove(id, key) }
        if isFirst { Task { await run(key, render) } }
        return stream
    }

    /// The number of followers.
    var count: Int { state.withLock { $0.pages.values.reduce(0) { $0 + $1.followers.count } } }

    /// Ends all events.
    package func close() {
        let followers = state.withLock { state in
            state.isClosed = true
            return state.pages.values.flatMap { $0.followers.values }
        }
        for follower in followers { follower.events.finish() }
    }

    private func remove(_ id: Int, _ key: Key) {
        state.withLock { $0.pages[key]?.followers[id] = nil }
    }

    /// Renders a page until it has no followers.
    private func run(_ key: Key, _ render: @Sendable () async throws -> [(id: String, html: String)]) async {
        var silent = 0
        while true {
            // A page that cannot be rendered stays as it is.
            let sections = (try? await render()) ?? []
            silent = send(sections, to: key) ? 0 : silent + 1
            if silent >= Self.silentIntervals {
                let followers = state.withLock { state in state.pages[key].map { Array($0.followers.values) } ?? [] }
                Self.send([": still here\n\n"], to: followers)
                silent = 0
            }
            try? await time.sleep(untilUptime: time.uptime + Self.interval)
            let isOver = state.withLock { state in
                guard state.pages[key]?.followers.isEmpty != false else { return false }
                state.pages[key] = nil
                return true
            }
            if isOver { return }
        }
    }

    /// Sends the sections that have changed, and all of them to new followers.
    ///
    /// - Returns: whether one has changed.
    private func send(_ sections: [(id: String, html: String)], to key: Key) -> Bool {
        endSessions(of: key)
        let all = sections.map { Self.event("section", ["id": .string($0.id), "html": .string($0.html)]) }
        let (former, new, old) = state.withLock { state -> ([String: String], [Follower], [Follower]) in
            guard var page = state.pages[key], !sections.isEmpty else { return ([:], [], []) }
            let (former, followers) = (page.sections, page.followers)
            for (id, html) in sections { page.sections[id] = html }
            for id in followers.keys { page.followers[id]?.isCurrent = true }
            state.pages[key] = page
            return (former, followers.values.filter { !$0.isCurrent }, followers.values.filter(\.isCurrent))
        }
        let changed = zip(sections, all).filter { former[$0.0.id] != $0.0.html }.map(\.1)
        Self.send(all, to: new)
        Self.send(changed, to: old)
        return !changed.isEmpty
    }

    private func endSessions(of key: Key) {
        let followers = state.withLock { state in state.pages[key].map { Array($0.followers.values) } ?? [] }
        for follower in followers where sessions.account(hash: follower.session)?.role != key.role {
            follower.events.yield(Self.event("end", [:]))
            follower.events.finish()
        }
    }

    private static func send(_ events: [String], to followers: [Follower]) {
        guard !events.isEmpty, !followers.isEmpty else { return }
        let text = events.joined()
        for follower in followers {
            if case .dropped = follower.events.yield(text) { follower.events.finish() }
        }
    }

    private static func event(_ name: String, _ data: JSONValue) -> String { "event: \(name)\ndata: \(data.text)\n\n" }
}
