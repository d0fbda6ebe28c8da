import ArgumentParser
import Foundation

/// A file that a command writes when it is done. Its access is checked before the command begins.
struct OutputFile {
    private let option: String
    private let path: String

    /// - Parameters:
    ///   - option: which names the file, for messages.
    ///   - path: as given.
    /// - Throws: `ValidationError` when nothing can be written there.
    init(_ option: String, _ path: String) throws {
        self.option = option
        self.path = path
        guard !path.isEmpty else { throw ValidationError("\(option): the path is empty") }
        var isFolder: ObjCBool = false
        if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) {
            guard !isFolder.boolValue else { throw ValidationError("\(option) \(path): this is a folder; name a file") }
            try check(path)
        } else {
            try check(URL(fileURLWithPath: path).deletingLastPathComponent().path)
        }
    }

    private func check(_ place: String) throws {
        guard access(place, W_OK) != 0 else { return }
        let reason = String(cString: strerror(errno))
        throw ValidationError(
            "\(option) \(path): the file cannot be written"
                + (place == path ? ": \(reason)" : ", for its folder cannot: \(place): \(reason)"))
    }

    /// - Throws: ``CommandError``.
    func write(_ text: String) throws {
        do {
            try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        } catch {
            throw CommandError(
                description: "\(option) \(path): the file cannot be written: \(error.localizedDescription)")
        }
    }
}
