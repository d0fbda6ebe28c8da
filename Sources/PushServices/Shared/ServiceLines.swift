import AsyncHTTPClient
import Synchronization

/// The connections of a service client, with new ones in place of those that have fallen silent.
///
/// One HTTP/2 connection carries all requests to a service. When the network forgets it, nothing arrives and nothing breaks
/// for a quarter of an hour, so after ``patience`` requests in a row without an answer the next ones go to new connections.
/// Those that are under way on the old ones run to their end.
final class ServiceLines: Sendable {
    /// How many requests in a row may go unanswered.
    static let patience = 3

    /// Connections that were made in one go.
    struct Line: Sendable {
        let client: HTTPClient
        fileprivate let number: Int
    }

    private struct State {
        var line: Line
        var silences = 0
        /// How many requests are under way, by the line's number.
        var users: [Int: Int] = [:]
        /// Those that only finish what is under way.
        var retired: [Int: HTTPClient] = [:]
        var isClosed = false
    }

    private let make: @Sendable () -> HTTPClient
    private let state: Mutex<State>

    init(make: @escaping @Sendable () -> HTTPClient) {
        self.make = make
        state = Mutex(State(line: Line(client: make(), number: 0)))
    }

    /// A client must not just go, and a server that fails to start has nobody who would call ``close()``.
    deinit {
        state.withLock { state in
            guard !state.isClosed else { return }
            for client in Array(state.retired.values) + [state.line.client] { client.shutdown { _ in } }
        }
    }

    /// Connections for one request, whose end is to be told.
    func enter() -> Line {
        state.withLock { state in
            state.users[state.line.number, default: 0] += 1
            return state.line
        }
    }

    /// A request has ended.
    ///
    /// - Parameter isAnswered: nil when its end says nothing about the connection.
    func leave(_ line: Line, isAnswered: Bool?) {
        let finished: HTTPClient? = state.withLock { state in
            if line.number == state.line.number, let isAnswered {
                state.silences = isAnswered ? 0 : state.silences + 1
                if state.silences >= Self.patience, !state.isClosed {
                    state.retired[line.number] = line.client
                    state.line = Line(client: make(), number: line.number + 1)
                    state.silences = 0
                }
            }
            state.users[line.number, default: 1] -= 1
            guard state.users[line.number] == 0 else { return nil }
            state.users[line.number] = nil
            return state.retired.removeValue(forKey: line.number)
        }
        if let finished { Task { try? await finished.shutdown() } }
    }

    /// Ends all of them. What is under way fails.
    func close() async {
        let clients = state.withLock { state in
            defer { state.retired = [:] }
            state.isClosed = true
            return Array(state.retired.values) + [state.line.client]
        }
        // Fails only where it was closed before.
        for client in clients { try? await client.shutdown() }
    }
}
