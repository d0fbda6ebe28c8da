public import Foundation

/// Files to create in a project, all of them or none.
public struct NewFiles: Sendable {
    /// A file to create.
    public struct File: Sendable, Hashable {
        /// The path relative to the project's folder.
        public let path: String
        /// The contents.
        public let text: String
        /// True if the file may exist already. It then stays unchanged.
        public let isShared: Bool
    }

    public let files: [File]

    /// Creates the files, and their folders.
    ///
    /// - Parameter folder: the project's folder.
    /// - Returns: the paths of the created files.
    /// - Throws: ``NewFilesError`` when a file exists that is not shared, or when a file cannot be created. The files and folders created
    ///   before the failure are removed.
    public func write(to folder: URL) throws(NewFilesError) -> [String] {
        let missing = files.filter { !isThere($0.path, in: folder) }
        if let obstacle = files.first(where: { file in !file.isShared && !missing.contains(file) }) {
            throw NewFilesError(
                "\(folder.appending(path: obstacle.path).path) exists already, and no file is overwritten; choose another "
                    + "name, or move the file")
        }
        var made = CreatedFiles()
        for file in missing {
            let url = folder.appending(path: file.path)
            do {
                try made.folder(url.deletingLastPathComponent())
                try made.file(url, Data(file.text.utf8))
            } catch {
                made.takeAway()
                throw NewFilesError("\(url.path) cannot be created: \(error.localizedDescription)")
            }
        }
        return missing.map(\.path)
    }

    /// Returns whether a file, folder or link with this path exists, also a dangling link.
    private func isThere(_ path: String, in folder: URL) -> Bool {
        (try? FileManager.default.attributesOfItem(atPath: folder.appending(path: path).path)) != nil
    }
}

/// The files and folders created so far.
private struct CreatedFiles {
    /// The folders, each before its contents.
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
            // A full disk leaves a part of the file, which must be removed. A file that another process has created must not.
            if (error as? CocoaError)?.code != .fileWriteFileExists { unlink(url.path) }
            throw error
        }
        files.append(url)
    }

    /// Removes the created files, and the created folders that are empty.
    func takeAway() {
        for url in files { unlink(url.path) }
        for url in folders.reversed() { rmdir(url.path) }
    }
}

/// An error for files that could not be created.
public struct NewFilesError: Error, CustomStringConvertible {
    public let description: String

    init(_ description: String) {
        self.description = description
    }
}
