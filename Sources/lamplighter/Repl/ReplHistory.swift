import Foundation

/// The lines that were typed, in the user's own state folder. Lines that begin with a blank are not kept, as in shells.
enum ReplHistory {
    static let mostLines = 1000

    /// `$XDG_STATE_HOME/lamplighter/repl-history`, or the same under `~/.local/state`.
    static var file: URL {
        let environment = ProcessInfo.processInfo.environment
        let state =
            environment["XDG_STATE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
            ?? (environment["HOME"] ?? NSHomeDirectory()) + "/.local/state"
        return URL(fileURLWithPath: state).appending(path: "lamplighter/repl-history")
    }

    /// The last lines. A file that has become much longer is cut to them.
    static func load() -> [String] {
        guard let text = try? String(contentsOf: file, encoding: .utf8) else { return [] }
        let lines = text.split(separator: "\n")
        let last = lines.suffix(mostLines).map(String.init)
        // Truncated and rewritten, since a new file would have permissions for all users.
        if lines.count > 2 * mostLines, let handle = try? FileHandle(forWritingTo: file) {
            try? handle.truncate(atOffset: 0)
            try? handle.write(contentsOf: Data((last.joined(separator: "\n") + "\n").utf8))
            try? handle.close()
        }
        return last
    }

    /// Appends a line. If the history cannot be written, the program continues.
    static func append(_ line: String) {
        guard let first = line.first, !first.isWhitespace, !line.contains("\n") else { return }
        let file = file
        if !FileManager.default.fileExists(atPath: file.path) {
            try? FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
            _ = FileManager.default.createFile(atPath: file.path, contents: nil, attributes: [.posixPermissions: 0o600])
        }
        // Only what is new is written: thousands of lines may be pasted.
        guard let handle = try? FileHandle(forWritingTo: file) else { return }
        _ = try? handle.seekToEnd()
        try? handle.write(contentsOf: Data((line + "\n").utf8))
        try? handle.close()
    }
}
