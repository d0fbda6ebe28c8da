import AdapterRuntime
import PushModel

/// Runs what writes to the disk on a thread that may wait for it: requests are answered on event loops, where whoever waits
/// holds up all other connections of the loop.
func offLoop<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
    // Task-local values do not reach the pool's threads.
    let (logins, record) = (LoginWatch.current, RequestRecord.current)
    return try await ThreadPool.shared.run {
        try RequestRecord.$current.withValue(record) { try LoginWatch.$current.withValue(logins, operation: body) }
    }
}
