public import Foundation

/// Files to create, all of them or none.
public struct NewFiles: Sendable {
    public struct File: Sendable, Hashable {
        /// Relative to the project's folder.
        public let path: String
        public let text: String
        /// Whether it may be there already, and then stays as it is.
        public let isShared: Bool
    }

    public let files: [File]

    /// Creates the files.
    ///
    /// - Returns: the paths of the created files.
    /// - Throws: ``NewFilesError``; the files that were created before the failure are removed again.
    public func write(to folder: URL) throws(NewFilesError) -> [String] {
        let missing = files.filter { !isThere($0.path, in: folder) }
        if let obstacle = files.first(where: { file in !file.isShared && !missing.contains(file) }) {
            throw NewFilesError(
                "\(folder.appending(path: obstacle.path).path) is there already, and nothing is overwritten; choose another "
                    + "name, or move it away")
        }
        var made = CreatedFiles()
        for file in missing {
            let url = folder.appending(path: file.path)
            do {
                try made.folder(url.deletingLastPathComponent())
                try made.file(url, Data(file.text.utf8))
            } catch {
                made.takeAway()
                throw NewFilesError("\(url.path) cannot be made: \(error.localizedDescription)")
            }
        }
        return missing.map(\.path)
    }

    /// Whether there is anything of that name, be it a link that leads nowhere.
    private func isThere(_ path: String, in folder: URL) -> Bool {
        (try? FileManager.default.attributesOfItem(atPath: folder.appending(path: path).path)) != nil
    }
}

/// What has been made so far.
private struct CreatedFiles {
    /// Each before what is in it.
    private var folders: [URL] = []
    private var files: [URL] = []

    mutating func folder(_ url: URL) throws {
        guard !FileManager.default.fileExists(atPath: url.path) else { return }
        try folder(url.deletingLastPathComponent())
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
        folders.append(url)
    }

    mutating func file(_ url: URL, _ data: Data) throws {
        do {
            try data.write(to: url, options: .withoutOverwriting)
        } catch {
            // On a disk that is full, a part of it is there. One that somebody else has made meanwhile is theirs.
            if (error as? CocoaError)?.code != .fileWriteFileExists { unlink(url.path) }
            throw error
        }
        files.append(url)
    }

    /// Removes it; a folder only if it is empty.
    func takeAway() {
        for url in files { unlink(url.path) }
        for url in folders.reversed() { rmdir(url.path) }
    }
}

/// Why files could not be made.
public struct NewFilesError: Error, CustomStringConvertible {
    public let description: String

    init(_ description: String) {
        self.description = description
    }
}
