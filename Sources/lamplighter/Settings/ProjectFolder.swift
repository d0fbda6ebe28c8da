import ArgumentParser
import Foundation

/// Which project's folder a command is about.
enum ProjectFolder {
    static let help = ArgumentHelp(
        "The Worklight project's folder; unless given the current one, or the nearest above it that has a folder adapters.",
        valueName: "project")

    static let optionHelp = ArgumentHelp(help.abstract, valueName: "path")

    /// - Parameter path: what was given. When nothing was, it is the current folder or the nearest one above it in which there
    ///   is a folder `adapters`; the current one when there is none.
    /// - Throws: `ValidationError` for an empty path, which is hardly meant to be the current folder.
    static func find(_ path: String?) throws -> URL {
        if let path {
            guard !path.isEmpty else { throw ValidationError("the project's path is empty; '.' is the current folder") }
            return URL(fileURLWithPath: path, isDirectory: true).standardizedFileURL
        }
        let current = URL(fileURLWithPath: ".", isDirectory: true).standardizedFileURL
        var folder = current
        while !hasAdapters(folder) {
            let above = folder.deletingLastPathComponent().standardizedFileURL
            guard above.path != folder.path else { return current }
            folder = above
        }
        return folder
    }

    static func hasAdapters(_ folder: URL) -> Bool {
        var isFolder: ObjCBool = false
        let adapters = folder.appending(path: "adapters").path
        return FileManager.default.fileExists(atPath: adapters, isDirectory: &isFolder) && isFolder.boolValue
    }
}
