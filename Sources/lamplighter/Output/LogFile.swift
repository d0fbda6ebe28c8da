import Foundation
import Server
import Synchronization

/// The file of the setting `log.file`, to which a server appends its log, one whole line at a time.
final class LogFile: ReopenableLog {
    /// The reason why a line could not be written.
    struct WriteFailure {
        let reason: String
        /// True if the line before was written.
        let isFirst: Bool
    }

    private struct State {
        var descriptor: Int32
        /// True if the last line could not be written, or only its beginning.
        var isFailing = false
    }

    let path: String
    private let state: Mutex<State>

    /// Opens the file, and creates it with mode 0640 where there is none.
    init(_ path: String) throws(CommandError) {
        self.path = path
        state = Mutex(State(descriptor: try Self.descriptor(for: path)))
    }

    deinit {
        state.withLock { _ = close($0.descriptor) }
    }

    /// Opens the path again, for programs that rename the file. The former file stays in use when the path cannot be opened.
    func reopen() throws(CommandError) {
        let descriptor = try Self.descriptor(for: path)
        state.withLock { state in
            _ = close(state.descriptor)
            state = State(descriptor: descriptor)
        }
    }

    /// Appends a line.
    ///
    /// - Returns: `nil` when the whole line was written.
    func write(_ line: String) -> WriteFailure? {
        state.withLock { state in
            // A failure may have left the beginning of a line.
            let error = Output.write((state.isFailing ? "\n" : "") + line + "\n", to: state.descriptor)
            let wasFailing = state.isFailing
            state.isFailing = error != 0
            return error == 0 ? nil : WriteFailure(reason: String(cString: strerror(error)), isFirst: !wasFailing)
        }
    }

    private static func descriptor(for path: String) throws(CommandError) -> Int32 {
        // A named pipe without a reader would wait here, and one whose reader does not read would stop the server later.
        let descriptor = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0o640)
        guard descriptor >= 0 else { throw failure(path, String(cString: strerror(errno))) }
        guard lseek(descriptor, 0, SEEK_CUR) >= 0 else {
            close(descriptor)
            throw failure(path, "it is a pipe or a terminal, not a file")
        }
        return descriptor
    }

    private static func failure(_ path: String, _ reason: String) -> CommandError {
        CommandError(
            description:
                "log.file '\(path)': the file cannot be opened: \(reason); create its folder and let the server's user write "
                + "there, or set log.file to another file")
    }
}
