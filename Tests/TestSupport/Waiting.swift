import Core
import Dispatch
public import Foundation

/// Reports writes to the files of a folder, also those of other processes.
public final class FolderWatch {
    private let writes = AwaitableValue(0)
    private let source: any DispatchSourceRead
    /// SQLite makes a commit visible after its last write to a file, by memory that processes share: no event reports that.
    private let timer: any DispatchSourceTimer

    /// - Throws: `POSIXError` if the folder cannot be watched.
    public init(_ folder: URL) throws {
        let descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
        guard descriptor >= 0 else { throw POSIXError(POSIXError.Code(rawValue: errno) ?? .EIO) }
        guard inotify_add_watch(descriptor, folder.path, UInt32(IN_MODIFY | IN_CREATE | IN_MOVED_TO | IN_DELETE)) >= 0
        else {
            defer { close(descriptor) }
            throw POSIXError(POSIXError.Code(rawValue: errno) ?? .EIO)
        }
        let queue = DispatchQueue(label: "folder")
        source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
        timer = DispatchSource.makeTimerSource(queue: queue)
        source.setEventHandler { [writes] in
            var events = [UInt8](repeating: 0, count: 65_536)
            while read(descriptor, &events, events.count) > 0 {}
            writes.update { $0 += 1 }
        }
        source.setCancelHandler { close(descriptor) }
        source.activate()
        timer.setEventHandler { [writes] in writes.update { $0 += 1 } }
        timer.schedule(deadline: .now(), repeating: 0.1)
        timer.activate()
    }

    deinit {
        source.cancel()
        timer.cancel()
    }

    /// Returns once a condition on the files' contents holds: checks it now, after each write, and every 100 ms.
    ///
    /// - Throws: `CancellationError` if the task is cancelled, as by the test's time limit.
    public func wait(until condition: () async throws -> Bool) async throws {
        while true {
            let seen = writes.value
            if try await condition() { return }
            try await writes.wait { $0 != seen }
        }
    }
}

/// Returns once a condition holds that no event reports, such as a count that the server keeps.
///
/// - Throws: `CancellationError` if the task is cancelled, as by the test's time limit.
public func waitUntil(
    isolation: isolated (any Actor)? = #isolation, _ condition: () async throws -> Bool
) async throws {
    while try await !condition() {
        try Task.checkCancellation()
        await Task.yield()
    }
}
