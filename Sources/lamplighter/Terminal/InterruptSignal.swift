import Dispatch
import Foundation
import Synchronization

/// Passes Ctrl-C and SIGTERM to the code that they interrupt: both ends of a pipe that stays open, whose writes do not block.
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
    let (end, former) = notePresses(of: SIGINT)
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

/// Runs `body` with a signal's number when it arrives, also at once. For a body that ends the program.
///
/// - Returns: a source to cancel.
func onSignals(_ numbers: [Int32], _ body: @escaping @Sendable (Int32) -> Void) -> any DispatchSourceRead {
    let ends = numbers.map { notePresses(of: $0).end }
    let source = DispatchSource.makeReadSource(fileDescriptor: ends.first ?? -1, queue: .global())
    source.setEventHandler {
        var number: UInt8 = 0
        if read(presses.read, &number, 1) == 1 { body(Int32(number)) }
    }
    source.activate()
    return source
}

/// Has a signal's number written to ``presses``, of which earlier ones are forgotten.
///
/// - Returns: the end for reading, and the former handler.
private func notePresses(of number: Int32) -> (end: Int32, former: (@convention(c) (Int32) -> Void)?) {
    forgetPresses(presses.read)
    pressed.store(presses.write, ordering: .releasing)
    let former = signal(number) { number in
        // Only operations that are safe in a signal handler. A full pipe already holds enough notifications.
        let error = errno
        var byte = UInt8(truncatingIfNeeded: number)
        _ = write(pressed.load(ordering: .acquiring), &byte, 1)
        errno = error
    }
    return (presses.read, former)
}

private func forgetPresses(_ end: Int32) {
    var bytes = [UInt8](repeating: 0, count: 64)
    while read(end, &bytes, bytes.count) > 0 {}
}
