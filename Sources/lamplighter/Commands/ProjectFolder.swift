import ArgumentParser
import Foundation
import Installation

/// Finds the folder of a command's project.
enum ProjectFolder {
    static let help = ArgumentHelp(
        "The Worklight project's folder; default: the current folder, or the nearest parent with adapters or settings.",
        valueName: "project")

    static let optionHelp = ArgumentHelp(help.abstract, valueName: "path")

    /// Returns the folder of the project.
    ///
    /// - Parameter path: the given path. With `nil` it is the current folder or its nearest parent with a folder `adapters` or a
    ///   file `lamplighter.yaml`; the current folder if there is none.
    /// - Throws: `ValidationError` for an empty path, which is probably a mistake for the current folder.
    static func find(_ path: String?) throws -> URL {
        if let path {
            guard !path.isEmpty else { throw ValidationError("the project's path is empty; '.' is the current folder") }
            return URL(fileURLWithPath: path, isDirectory: true).standardizedFileURL
        }
        let current = URL(fileURLWithPath: ".", isDirectory: true).standardizedFileURL
        var folder = current
        while !hasAdapters(folder), !hasSettings(folder) {
            let above = folder.deletingLastPathComponent().standardizedFileURL
            guard above.path != folder.path else { return current }
            folder = above
        }
        return folder
    }

    /// Returns the path of a project's file: below the given path, or relative to the current folder.
    ///
    /// - Parameters:
    ///   - file: relative to the project's folder.
    ///   - folder: the result of ``find(_:)``.
    ///   - path: the argument of ``find(_:)``.
    static func shownPath(of file: String, in folder: URL, given path: String?) -> String {
        if let path { return "\(path)/\(file)" }
        let depth = { (folder: URL) in folder.path.split(separator: "/").count }
        let current = URL(fileURLWithPath: ".", isDirectory: true).standardizedFileURL
        return String(repeating: "../", count: max(depth(current) - depth(folder), 0)) + file
    }

    /// - Throws: ``SettingsError`` when there is no such folder.
    static func checkExistence(of folder: URL) throws {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: folder.path, isDirectory: &isFolder), isFolder.boolValue else {
            if ["war", "wlapp", "adapter"].contains(folder.pathExtension.lowercased()) {
                throw SettingsError(
                    description: "\(folder.path) is an archive of the original's tools, not a project's folder; make a "
                        + "project of it: lamplighter import \(folder.lastPathComponent) --to "
                        + folder.deletingPathExtension().lastPathComponent)
            }
            throw SettingsError(description: "there is no folder \(folder.path); name a Worklight project's folder")
        }
    }

    static func hasAdapters(_ folder: URL) -> Bool { hasFolder("adapters", in: folder) }

    /// Returns whether a folder has anything of a project: adapters, applications, a server's configuration or settings.
    static func isProject(_ folder: URL) -> Bool {
        hasSettings(folder) || ["adapters", "apps", "server/conf"].contains { hasFolder($0, in: folder) }
    }

    private static func hasSettings(_ folder: URL) -> Bool { !Settings.files(in: folder).isEmpty }

    private static func hasFolder(_ name: String, in folder: URL) -> Bool {
        var isFolder: ObjCBool = false
        let path = folder.appending(path: name).path
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
    }
}
