import AdapterTestRunner
import ArgumentParser
import Foundation

/// Which test files of which project are meant.
struct TestSelection {
    let project: URL
    /// Paths of files and of adapters' folders, relative to the project; all when `nil`.
    private var paths: [String]?
    private let adapter: String?

    /// - Parameters:
    ///   - arguments: a project's folder, or test files and adapters' folders of one project.
    ///   - adapter: only the tests of this one.
    /// - Throws: `ValidationError` when something else is named.
    init(_ arguments: [String], adapter: String?) throws {
        self.adapter = adapter
        var projects: Set<URL> = []
        for argument in arguments {
            let place = URL(fileURLWithPath: argument).standardizedFileURL
            if Self.isFolder(place.appending(path: "adapters")) {
                projects.insert(URL(fileURLWithPath: place.path, isDirectory: true))
                continue
            }
            let isFolder = Self.isFolder(place)
            let folder = isFolder ? place : place.deletingLastPathComponent()
            let adapters = folder.deletingLastPathComponent()
            guard adapters.lastPathComponent == "adapters", isFolder || place.lastPathComponent.hasSuffix(".test.js")
            else {
                throw ValidationError(
                    "\(place.path) has no folder 'adapters'; name a Worklight project's folder, an adapter's folder in it, or test "
                        + "files: adapters/<Name>/<Name>.test.js")
            }
            guard FileManager.default.fileExists(atPath: place.path) else {
                throw ValidationError("there is no \(place.path)")
            }
            projects.insert(URL(fileURLWithPath: adapters.deletingLastPathComponent().path, isDirectory: true))
            let name = "adapters/\(folder.lastPathComponent)"
            paths = (paths ?? []) + [isFolder ? name : "\(name)/\(place.lastPathComponent)"]
        }
        guard projects.count == 1, let project = projects.first else {
            throw ValidationError("\(arguments.joined(separator: ", ")): name files of one project")
        }
        self.project = project
    }

    /// The files, as they are now.
    func files() -> [TestFile] {
        TestFile.all(in: project).filter { file in
            guard adapter == nil || file.adapter == adapter else { return false }
            return paths?.contains { $0 == file.path || file.path.hasPrefix("\($0)/") } ?? true
        }
    }

    /// The adapters that are meant in particular; `nil` when all are.
    var adapters: Set<String>? {
        adapter == nil && paths == nil ? nil : Set(files().map(\.adapter))
    }

    private static func isFolder(_ place: URL) -> Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: place.path, isDirectory: &isFolder) && isFolder.boolValue
    }
}

/// A file that a command is to write at its end, looked at before it begins.
enum OutputFile {
    /// - Throws: `ValidationError`, which names the option, when the file could not be written.
    static func check(_ path: String?, option: String) throws {
        guard let path else { return }
        let place = URL(fileURLWithPath: path).standardizedFileURL
        let folder = place.deletingLastPathComponent().path
        let files = FileManager.default
        var isFolder: ObjCBool = false
        if files.fileExists(atPath: place.path, isDirectory: &isFolder) {
            if isFolder.boolValue { throw ValidationError("\(option) \(path): this is a folder; name a file") }
            guard files.isWritableFile(atPath: place.path) else {
                throw ValidationError("\(option) \(path): the file may not be written")
            }
            return
        }
        guard files.fileExists(atPath: folder, isDirectory: &isFolder), isFolder.boolValue else {
            throw ValidationError("\(option) \(path): there is no folder \(folder); make it, or name another file")
        }
        guard files.isWritableFile(atPath: folder) else {
            throw ValidationError("\(option) \(path): no file may be written in \(folder)")
        }
    }

    /// - Throws: `ValidationError`.
    static func write(_ text: String, to path: String, option: String) throws {
        do {
            try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        } catch {
            throw ValidationError("\(option) \(path): the file could not be written: \(error.localizedDescription)")
        }
    }
}
