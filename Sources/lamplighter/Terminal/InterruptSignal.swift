import Dispatch
import Foundation
import Synchronization

/// Runs `body`, and cancels it when Ctrl-C is pressed meanwhile; the program goes on.
///
/// - Returns: nil when it was pressed.
/// - Throws: what `body` throws.
func untilInterrupted<Result: Sendable>(
    _ body: @escaping @Sendable () async throws -> Result
) async throws -> Result? {
    let task = Task { try await body() }
    let isPressed = Atomic(false)
    let source = DispatchSource.makeSignalSource(signal: SIGINT, queue: .global())
    source.setEventHandler {
        isPressed.store(true, ordering: .relaxed)
        task.cancel()
    }
    source.resume()
    defer { source.cancel() }
    let result = await task.result
    if isPressed.load(ordering: .relaxed) { return nil }
    return try result.get()
}
