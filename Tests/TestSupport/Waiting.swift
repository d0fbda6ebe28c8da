import Core
import Dispatch
public import Foundation

/// Reports writes to the files of a folder, also those of other processes.
public final class FolderWatch {
    private let writes = AwaitableValue(0)
    private let source: any DispatchSourceRead

    /// - Throws: `POSIXError` if the folder cannot be watched.
    public init(_ folder: URL) throws {
        let descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
        guard descriptor >= 0 else { throw POSIXError(POSIXError.Code(rawValue: errno) ?? .EIO) }
        guard inotify_add_watch(descriptor, folder.path, UInt32(IN_MODIFY | IN_CREATE | IN_MOVED_TO | IN_DELETE)) >= 0
        else {
            defer { close(descriptor) }
            throw POSIXError(POSIXError.Code(rawValue: errno) ?? .EIO)
        }
        source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: DispatchQueue(label: "folder"))
        source.setEventHandler { [writes] in
            var events = [UInt8](repeating: 0, count: 65_536)
            while read(descriptor, &events, events.count) > 0 {}
            writes.update { $0 += 1 }
        }
        source.setCancelHandler { close(descriptor) }
        source.activate()
    }

    deinit {
        source.cancel()
    }

    /// Returns once a condition on the files' contents holds: checks it now and after each write.
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
