import Dispatch
import Synchronization

/// Connections to one database: opened on demand, at most `limit`, handed to one caller at a time, first come first served.
final class ConnectionPool: Sendable {
    private let connector: any SQLConnector
    private let limit: Int
    private let state = Mutex(State())

    private struct State {
        var idle: [Idle] = []
        /// Those in use and those being opened.
        var inUse = 0
        var waiting: [Waiter] = []
        var isClosed = false
    }

    private struct Idle {
        let connection: any SQLConnection
        let since: ContinuousClock.Instant
    }

    /// A caller that waits for a place, woken by who gives one back.
    private final class Waiter: Sendable {
        let wakeUp = DispatchSemaphore(value: 0)
    }

    /// An idle connection is closed when it was not used for this long.
    private static let idleLimit: Duration = .seconds(120)

    init(connector: any SQLConnector, limit: Int) {
        self.connector = connector
        self.limit = max(1, min(limit, connector.connectionLimit ?? .max))
    }

    /// Runs `body` with a connection of its own. A connection that stood idle is asked first and replaced when it is dead.
    ///
    /// - Parameter waiting: for a place, which ``close()`` ends too.
    func withConnection<Result>(
        waiting: Deadline, deadline: Deadline, _ body: (any SQLConnection) throws(SQLFailure) -> Result
    ) throws(SQLFailure) -> (result: Result, rolledBack: Bool) {
        try takePlace(deadline: waiting)
        var spare: (any SQLConnection)?
        defer { givePlaceBack(with: spare) }
        let connection: any SQLConnection
        if let idle = idleConnection(deadline: deadline) {
            connection = idle
        } else {
            connection = try connector.connect(deadline: deadline)
        }
        do {
            let result = try body(connection)
            let tidiness = connection.tidyUp(deadline: deadline)
            if tidiness == .broken { connection.close() } else { spare = connection }
            return (result, tidiness == .rolledBack)
        } catch {
            let canStay = error.kind == .statement && connection.tidyUp(deadline: deadline) != .broken
            if canStay { spare = connection } else { connection.close() }
            throw error
        }
    }

    /// Closes the idle connections, and those in use when they come back. Who waits gets the failure `closed`.
    func close() {
        let (idle, waiting) = state.withLock { state in
            defer { (state.idle, state.waiting, state.isClosed) = ([], [], true) }
            return (state.idle, state.waiting)
        }
        waiting.forEach { $0.wakeUp.signal() }
        idle.forEach { $0.connection.close() }
    }

    private enum Place {
        case taken, closed
        case busy(Waiter)
    }

    private func takePlace(deadline: Deadline) throws(SQLFailure) {
        let place: Place = state.withLock { state in
            if state.isClosed { return .closed }
            if state.inUse < limit {
                state.inUse += 1
                return .taken
            }
            let waiter = Waiter()
            state.waiting.append(waiter)
            return .busy(waiter)
        }
        guard case .busy(let waiter) = place else {
            if case .closed = place { throw Self.closed }
            return
        }
        let isWoken = deadline.wait(for: waiter.wakeUp)
        // Someone may have handed the place over between the wait's end and here: then the waiter is no longer listed.
        let (gaveUp, isClosed) = state.withLock { state in
            let index = !isWoken ? state.waiting.firstIndex { $0 === waiter } : nil
            if let index { state.waiting.remove(at: index) }
            return (index != nil, state.isClosed)
        }
        if isClosed {
            // close() woke the waiter without a place, unless the place came before.
            throw Self.closed
        }
        if gaveUp {
            throw SQLFailure(
                .poolExhausted,
                """
                no connection to \(connector.name) became free within \(deadline.limit.inSeconds): \(limit) of \
                \(limit) are in use; statements take long, or maxConcurrentConnectionsPerNode is too small
                """)
        }
    }

    private func idleConnection(deadline: Deadline) -> (any SQLConnection)? {
        while let idle = state.withLock({ $0.idle.popLast() }) {
            if idle.connection.isAlive(deadline: deadline) { return idle.connection }
            idle.connection.close()
        }
        return nil
    }

    private func givePlaceBack(with connection: (any SQLConnection)?) {
        let now = ContinuousClock.now
        let (next, leftOver) = state.withLock { state in
            var leftOver = state.idle.filter { now - $0.since > Self.idleLimit }.map(\.connection)
            state.idle.removeAll { now - $0.since > Self.idleLimit }
            if let connection {
                if state.isClosed {
                    leftOver.append(connection)
                } else {
                    state.idle.append(Idle(connection: connection, since: now))
                }
            }
            guard !state.waiting.isEmpty else {
                state.inUse -= 1
                return (nil as Waiter?, leftOver)
            }
            return (state.waiting.removeFirst(), leftOver)
        }
        next?.wakeUp.signal()
        leftOver.forEach { $0.close() }
    }

    private static let closed = SQLFailure(.closed, "the adapter's database connections were closed")
}
