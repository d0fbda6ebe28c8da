import Foundation
import WorklightProject

/// The state of a project's folder: the stamp of every file that matters.
struct ProjectSnapshot: Equatable {
    /// The files of one adapter's folder, by their paths in it.
    typealias Folder = [String: FileStamp]

    /// The adapters' folders, keyed by name; `nil` when the folder of the adapters cannot be listed, as when a drive is unavailable for a moment.
    let adapters: [String: Folder]?
    /// The files that are read at the start only, by their paths in the project.
    let others: [String: FileStamp]

    /// Deeper folders are ignored: adapters do not have them, and a link to its own folder would never end.
    private static let greatestDepth = 8

    /// Reads the state of the folder. Blocks.
    ///
    /// - Parameter includesTests: whether the adapters' tests matter as well.
    init(of project: URL, includesTests: Bool = false) {
        let root = project.path
        adapters = Self.names(in: root + "/adapters").map { names in
            var folders: [String: Folder] = [:]
            for name in names where Self.isFolder("\(root)/adapters/\(name)") {
                var files: Folder = [:]
                Self.add(
                    "\(root)/adapters/\(name)", as: "", to: &files, depth: 0, includesTests: includesTests)
                folders[name] = files
            }
            return folders
        }
        let applications = (Self.names(in: root + "/apps") ?? []).map { "apps/\($0)/application-descriptor.xml" }
        let configuration = ["authenticationConfig.xml", "worklight.properties", "SMSConfig.xml"]
            .map { "server/conf/\($0)" }
        let scripts = (Self.names(in: root + "/server/authentication") ?? []).map { "server/authentication/\($0)" }
        var others: [String: FileStamp] = [:]
        for path in ["lamplighter.yaml", "lamplighter.yml"] + configuration + scripts + applications {
            others[path] = FileStamp(path: "\(root)/\(path)")
        }
        // Files that the tests of several adapters share.
        if includesTests {
            for name in Self.names(in: root + "/adapters") ?? [] where !Self.isFolder("\(root)/adapters/\(name)") {
                others["adapters/\(name)"] = FileStamp(path: "\(root)/adapters/\(name)")
            }
            var shared: Folder = [:]
            Self.add(root + "/tests", as: "tests/", to: &shared, depth: 0, includesTests: true)
            others.merge(shared) { $1 }
        }
        self.others = others
    }

    /// The folders with an adapter's descriptor.
    var describedAdapters: Set<String> {
        Set((adapters ?? [:]).filter { $0.value["\($0.key).xml"] != nil }.keys)
    }

    private static func add(
        _ folder: String, as prefix: String, to files: inout Folder, depth: Int, includesTests: Bool
    ) {
        for name in names(in: folder) ?? [] {
            let path = "\(folder)/\(name)"
            if isFolder(path) {
                guard depth < greatestDepth else { continue }
                add(path, as: "\(prefix)\(name)/", to: &files, depth: depth + 1, includesTests: includesTests)
            } else if includesTests || !name.hasSuffix(".test.js") {
                files[prefix + name] = FileStamp(path: path)
            }
        }
    }

    /// Returns the folder's file names without hidden files and editors' temporary files; `nil` if it cannot be listed.
    private static func names(in folder: String) -> [String]? {
        let names = try? FileManager.default.contentsOfDirectory(atPath: folder)
        return names?.filter { name in
            !name.hasPrefix(".") && !name.hasPrefix("#") && !name.hasSuffix("~") && !name.hasSuffix(".swp")
                && !name.hasSuffix(".tmp")
        }
    }

    private static func isFolder(_ path: String) -> Bool {
        var isFolder = ObjCBool(false)
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
    }
}
