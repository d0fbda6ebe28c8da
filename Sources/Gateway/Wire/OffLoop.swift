import AdapterRuntime
import NIOPosix

/// Runs what writes to the disk on a thread that may wait for it: requests are answered on event loops, where whoever waits
/// holds up all other connections of the loop.
func offLoop<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
    // The thread is not the task's.
    let logins = LoginWatch.current
    return try await NIOThreadPool.singleton.runIfActive { try LoginWatch.$current.withValue(logins, operation: body) }
}

/// Runs what takes time for long texts: for short ones at once, for others on a thread that may take it.
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
