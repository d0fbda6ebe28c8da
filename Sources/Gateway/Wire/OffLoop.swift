import NIOPosix

/// Runs what writes to the disk on a thread that may wait for it: requests are answered on event loops, where whoever waits
/// holds up all other connections of the loop.
func offLoop<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
    try await NIOThreadPool.singleton.runIfActive(body)
}
