import AdapterTestRunner
import ArgumentParser
import Foundation

/// The selected test files of a project.
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
            guard !argument.isEmpty else { throw ValidationError("a path is empty; '.' is the current folder") }
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

    /// The selected adapters; `nil` for all.
    var adapters: Set<String>? {
        adapter == nil && paths == nil ? nil : Set(files().map(\.adapter))
    }

    private static func isFolder(_ place: URL) -> Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: place.path, isDirectory: &isFolder) && isFolder.boolValue
    }
}
