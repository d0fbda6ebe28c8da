public import Foundation

/// A Worklight project's folder, as far as the adapters need it.
///
/// Reading it never fails as a whole: what is wrong is in ``problems``, and the adapters it concerns are left out.
public struct Project: Sendable {
    /// An adapter with its script, ready to be loaded.
    public struct Adapter: Sendable, Hashable {
        public let descriptor: AdapterDescriptor
        public let script: String
    }

    public let folder: URL
    /// Sorted by name.
    public let adapters: [Adapter]
    public let properties: WorklightProperties
    public let problems: [ProjectProblem]

    /// Reads the project in `folder`.
    public init(reading folder: URL) {
        var reader = ProjectReader(folder: folder)
        reader.readAdapters()
        reader.readProperties()
        self.folder = folder
        adapters = reader.adapters
        properties = reader.properties
        problems = reader.problems
    }
}

private struct ProjectReader {
    let folder: URL
    var adapters: [Project.Adapter] = []
    var properties = WorklightProperties()
    var problems: [ProjectProblem] = []

    mutating func readAdapters() {
        let folders: [String]
        do {
            folders = try FileManager.default.contentsOfDirectory(atPath: folder.appending(path: "adapters").path)
        } catch {
            problems.append(
                ProjectProblem(
                    .error, file: "adapters",
                    "there is no such folder in \(folder.path); a Worklight project has its adapters there, each as "
                        + "adapters/<Name>/<Name>.xml with adapters/<Name>/<Name>-impl.js"))
            return
        }
        for name in folders.sorted() where !name.hasPrefix(".") && isFolder("adapters/\(name)") {
            readAdapter(named: name)
        }
    }

    private mutating func readAdapter(named name: String) {
        let path = "adapters/\(name)/\(name).xml"
        guard FileManager.default.fileExists(atPath: folder.appending(path: path).path) else {
            problems.append(
                ProjectProblem(
                    .warning, file: "adapters/\(name)", "there is no \(name).xml here; this folder is ignored"))
            return
        }
        do throws(ProjectProblem) {
            var warnings: [ProjectProblem] = []
            let descriptor = try AdapterDescriptor(reading: try read(path), path: path) { warnings.append($0) }
            problems += warnings
            guard FileManager.default.fileExists(atPath: folder.appending(path: descriptor.scriptPath).path) else {
                throw ProjectProblem(
                    .error, file: path, "its implementation \(descriptor.scriptPath) is missing; create that file")
            }
            guard let script = String(validating: try read(descriptor.scriptPath), as: UTF8.self) else {
                throw ProjectProblem(
                    .error, file: descriptor.scriptPath, "the file is not UTF-8 text; save it as UTF-8")
            }
            // A byte order mark is no part of the script.
            let text = script.hasPrefix("\u{FEFF}") ? String(script.dropFirst()) : script
            adapters.append(Project.Adapter(descriptor: descriptor, script: text))
        } catch {
            problems.append(error)
        }
    }

    mutating func readProperties() {
        let path = WorklightProperties.path
        guard FileManager.default.fileExists(atPath: folder.appending(path: path).path) else { return }
        do throws(ProjectProblem) {
            properties = WorklightProperties(parsing: String(decoding: try read(path), as: UTF8.self))
        } catch {
            problems.append(error)
        }
    }

    private func read(_ path: String) throws(ProjectProblem) -> Data {
        do {
            return try Data(contentsOf: folder.appending(path: path))
        } catch {
            throw ProjectProblem(.error, file: path, "cannot be read: \(error.localizedDescription)")
        }
    }

    private func isFolder(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        let exists = FileManager.default.fileExists(atPath: folder.appending(path: path).path, isDirectory: &isFolder)
        return exists && isFolder.boolValue
    }
}
