public import Foundation

/// Files that are to be made, all of them or none.
public struct NewFiles: Sendable {
    public struct File: Sendable, Hashable {
        /// Relative to the project's folder.
        public let path: String
        public let text: String
        /// Whether it may be there already, and then stays as it is.
        public let isShared: Bool
    }

    public let files: [File]

    /// Makes the files.
    ///
    /// - Returns: the paths of those that were made.
    /// - Throws: ``NewFilesError``; when a file is in the way, nothing has been made.
    public func write(to folder: URL) throws(NewFilesError) -> [String] {
        let missing = files.filter { !isThere($0.path, in: folder) }
        if let obstacle = files.first(where: { file in !file.isShared && !missing.contains(file) }) {
            throw NewFilesError(
                "\(folder.appending(path: obstacle.path).path) is there already, and nothing is overwritten; choose another "
                    + "name, or move it away")
        }
        for file in missing {
            let url = folder.appending(path: file.path)
            do {
                try FileManager.default.createDirectory(
                    at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
                try Data(file.text.utf8).write(to: url, options: .withoutOverwriting)
            } catch {
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

/// Why files could not be made.
public struct NewFilesError: Error, CustomStringConvertible {
    public let description: String

    init(_ description: String) {
        self.description = description
    }
}
