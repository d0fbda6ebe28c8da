import AdapterRuntime
import Core
import ServiceContextModule

/// Runs what writes to the disk on a thread that may wait for it: requests are answered on event loops, where a wait holds
/// up all other connections of the loop.
func runBlocking<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
    // Task-local values do not reach the pool's threads.
    let (logins, context) = (RequestLoginVisibility.current, ServiceContext.current ?? .topLevel)
    return try await ThreadPool.shared.run {
        try ServiceContext.withValue(context) { try RequestLoginVisibility.$current.withValue(logins, operation: body) }
    }
}
