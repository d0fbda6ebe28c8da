import JavaScriptEngine
import Logging
import Synchronization

/// Where an adapter's scope of one kind is found: loaded when it is first needed, and anew after it had to be given up.
final class ScopeSlot: Sendable {
    private let adapter: AdapterCommon
    private let threadName: String
    private let loading: Mutex<Task<ScopeHost, any Error>?>

    /// - Parameter host: the scope when it is loaded already.
    init(_ adapter: AdapterCommon, threadName: String, host: ScopeHost? = nil) {
        self.adapter = adapter
        self.threadName = threadName
        loading = Mutex(host.map { host in Task { host } })
    }

    /// Runs `body` on the scope's thread.
    ///
    /// - Throws: what `body` throws, and what loading the scope throws; then the next call tries again.
    func run<Value: Sendable>(_ body: @Sendable (AdapterScope) throws -> Value) async throws -> Value {
        let task = loading.withLock { loading in
            let task =
                loading
                ?? Task { [adapter, threadName] in
                    try await ScopeHost.load(adapter, threadName: threadName).host
                }
            loading = task
            return task
        }
        let host: ScopeHost
        do {
            host = try await task.value
        } catch {
            give(up: task)
            throw error
        }
        defer {
            if host.isExhausted, give(up: task) {
                adapter.logger.warning(
                    """
                    the scope \(threadName) holds on to more memory than limits.heap allows, so it was given up: the script is \
                    loaded anew, and its variables begin anew
                    """)
            }
        }
        return try await host.run(body)
    }

    /// Ends the running call, if any.
    func interrupt(reason: String) async {
        try? await loading.withLock { $0 }?.value.interrupt(reason: reason)
    }

    /// Forgets a scope, unless that has been done already.
    @discardableResult
    private func give(up task: Task<ScopeHost, any Error>) -> Bool {
        loading.withLock { loading in
            guard loading == task else { return false }
            loading = nil
            return true
        }
    }
}
