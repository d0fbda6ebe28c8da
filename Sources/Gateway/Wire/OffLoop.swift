import AdapterRuntime
import NIOPosix

/// Runs what writes to the disk on a thread that may wait for it: requests are answered on event loops, where whoever waits
/// holds up all other connections of the loop.
func offLoop<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
    // Task-local values do not reach the pool's threads.
    let logins = LoginWatch.current
    return try await NIOThreadPool.singleton.runIfActive { try LoginWatch.$current.withValue(logins, operation: body) }
}

/// Runs work whose time grows with a text: inline for a short text, on the thread pool for a long one.
///
/// - Parameter bytes: how long the text is.
func offLoop<Result: Sendable>(
    ifLong bytes: Int, _ body: @escaping @Sendable () throws -> Result
) async throws -> Result {
    guard bytes > longestTextOnLoop else { return try body() }
    return try await offLoop(body)
}

/// A megabyte of JSON takes about ten milliseconds.
private let longestTextOnLoop = 16_384
