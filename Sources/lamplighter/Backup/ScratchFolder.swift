import Dispatch
import Foundation

/// A folder for the work of a command, which is removed at its end, also by Ctrl-C and SIGTERM.
final class ScratchFolder {
    let url: URL
    private let signals: [any DispatchSourceSignal]

    /// Creates the folder, which only this user can read.
    ///
    /// - Throws: `CocoaError`.
    init(_ url: URL) throws {
        self.url = url
        try FileManager.default.createDirectory(
            at: url, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        signals = [SIGINT, SIGTERM].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler {
                try? FileManager.default.removeItem(at: url)
                _exit(128 + number)
            }
            source.activate()
            return source
        }
    }

    /// Removes it, unless it was moved, and lets signals end the command again.
    func remove() {
        for source in signals { source.cancel() }
        for number in [SIGINT, SIGTERM] { signal(number, SIG_DFL) }
        try? FileManager.default.removeItem(at: url)
    }
}
