import Foundation
import Synchronization
import WorklightProject

/// A file that is read again when it changes. Its calls block.
final class WatchedFile<Content: Sendable>: Sendable {
    private struct State {
        var stamp: FileStamp?
        var result: Result<Content, DirectoryError>?
        var checked: ContinuousClock.Instant?
    }

    private let path: String
    /// The file's name in messages.
    private let name: String
    private let now: @Sendable () -> ContinuousClock.Instant
    private let parse: @Sendable ([UInt8]) throws(DirectoryError) -> Content
    private let state = Mutex(State())

    /// The largest file that is read, in bytes.
    private static var sizeLimit: Int { 64 << 20 }

    init(
        path: String, name: String, now: @escaping @Sendable () -> ContinuousClock.Instant,
        parse: @escaping @Sendable ([UInt8]) throws(DirectoryError) -> Content
    ) {
        (self.path, self.name, self.now, self.parse) = (path, name, now, parse)
    }

    /// The content, at most a second old.
    ///
    /// - Throws: when the file cannot be read or parsed. An older content does not count then.
    func content() throws(DirectoryError) -> Content {
        let now = now()
        let result: Result<Content, DirectoryError> = state.withLock { state in
            if let checked = state.checked, let result = state.result, now - checked < .seconds(1), now >= checked {
                return result
            }
            state.checked = now
            guard let stamp = FileStamp(path: path) else {
                let failure = failure("cannot be read: \(String(cString: strerror(errno)))")
                (state.stamp, state.result) = (nil, .failure(failure))
                return .failure(failure)
            }
            if stamp == state.stamp, let result = state.result { return result }
            let result = Result { () throws(DirectoryError) in try read() }
            // A file that changes while it is read has another stamp at the next check.
            (state.stamp, state.result) = (stamp, result)
            return result
        }
        return try result.get()
    }

    private func read() throws(DirectoryError) -> Content {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw failure("cannot be read: \(String(cString: strerror(errno)))") }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw failure("is not a file")
        }
        var (bytes, buffer) = ([UInt8](), [UInt8](repeating: 0, count: 1 << 16))
        while true {
            let count = Foundation.read(descriptor, &buffer, buffer.count)
            guard count >= 0 else { throw failure("cannot be read: \(String(cString: strerror(errno)))") }
            guard count > 0 else { break }
            bytes += buffer[..<count]
            guard bytes.count <= Self.sizeLimit else { throw failure("is larger than \(Self.sizeLimit) bytes") }
        }
        return try parse(bytes)
    }

    private func failure(_ problem: String) -> DirectoryError {
        DirectoryError(.configuration, "the file \(name) \(problem)")
    }
}
