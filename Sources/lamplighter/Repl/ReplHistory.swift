import Foundation

/// The lines that were typed, in the user's own state folder. Lines that begin with a blank are not kept, as in shells.
enum ReplHistory {
    private static let mostLines = 1000

    /// `$XDG_STATE_HOME/lamplighter/repl-history`, or the same under `~/.local/state`.
    static var file: URL {
        let environment = ProcessInfo.processInfo.environment
        let state =
            environment["XDG_STATE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
            ?? (environment["HOME"] ?? NSHomeDirectory()) + "/.local/state"
        return URL(fileURLWithPath: state).appending(path: "lamplighter/repl-history")
    }

    static func load() -> [String] {
        guard let text = try? String(contentsOf: file, encoding: .utf8) else { return [] }
        return text.split(separator: "\n").suffix(mostLines).map(String.init)
    }

    /// Keeps a line. A history that cannot be written is no reason to stop.
    static func append(_ line: String) {
        guard let first = line.first, !first.isWhitespace, !line.contains("\n") else { return }
        let lines = (load() + [line]).suffix(mostLines)
        let file = file
        try? FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        if !FileManager.default.fileExists(atPath: file.path) {
            _ = FileManager.default.createFile(atPath: file.path, contents: nil, attributes: [.posixPermissions: 0o600])
        }
        // In place: a file put in its place would have everybody's permissions.
        guard let handle = try? FileHandle(forWritingTo: file) else { return }
        try? handle.truncate(atOffset: 0)
        try? handle.write(contentsOf: Data((lines.joined(separator: "\n") + "\n").utf8))
        try? handle.close()
    }
}
