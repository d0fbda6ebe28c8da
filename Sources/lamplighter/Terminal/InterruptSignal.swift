import Dispatch
import Foundation
import Synchronization

/// Passes Ctrl-C to the code that it interrupts: both ends of a pipe that stays open, whose writes do not block.
private let presses: (read: Int32, write: Int32) = {
    var ends: [Int32] = [-1, -1]
    if pipe(&ends) == 0 {
        for end in ends {
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        }
    }
    return (ends[0], ends[1])
}()

/// ``presses``' end for writing, as a signal handler may read it; -1 before there is one.
private let pressed = Atomic<Int32>(-1)

/// Runs `body`, and cancels it when Ctrl-C is pressed meanwhile; the program continues.
///
/// A signal source of Dispatch installs and removes its handler with a delay. On a busy machine, Ctrl-C in between ended the
/// program.
///
/// - Returns: `nil` when it was pressed.
/// - Throws: what `body` throws.
func withInterruptHandler<Result: Sendable>(
    _ body: @escaping @Sendable () async throws -> Result
) async throws -> Result? {
    let end = presses.read
    forgetPresses(end)
    pressed.store(presses.write, ordering: .releasing)
    let former = signal(SIGINT) { _ in
        // Only operations that are safe in a signal handler. A full pipe already holds enough notifications.
        let error = errno
        var byte: UInt8 = 0
        _ = write(pressed.load(ordering: .acquiring), &byte, 1)
        errno = error
    }
    defer { signal(SIGINT, former) }

    let task = Task { try await body() }
    let isPressed = Atomic(false)
    let source = DispatchSource.makeReadSource(fileDescriptor: end, queue: .global())
    source.setEventHandler {
        forgetPresses(end)
        isPressed.store(true, ordering: .relaxed)
        task.cancel()
    }
    source.resume()
    defer { source.cancel() }
    let result = await task.result
    if isPressed.load(ordering: .relaxed) { return nil }
    return try result.get()
}

private func forgetPresses(_ end: Int32) {
    var bytes = [UInt8](repeating: 0, count: 64)
    while read(end, &bytes, bytes.count) > 0 {}
}
