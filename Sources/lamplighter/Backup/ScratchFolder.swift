import Dispatch
import Foundation

/// A folder for the work of a command, which is removed at its end, also by Ctrl-C and SIGTERM.
final class ScratchFolder {
    private static let signals = [SIGINT, SIGTERM]

    let url: URL
    private let source: any DispatchSourceRead

    /// Creates the folder, which only this user can read.
    ///
    /// - Throws: `CocoaError`.
    init(_ url: URL) throws {
        self.url = url
        source = onSignals(Self.signals) { number in
            try? FileManager.default.removeItem(at: url)
            _exit(128 + number)
        }
        try FileManager.default.createDirectory(
            at: url, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }

    /// Removes it, unless it was moved, and lets signals end the command again.
    func remove() {
        source.cancel()
        for number in Self.signals { signal(number, SIG_DFL) }
        try? FileManager.default.removeItem(at: url)
    }
}
