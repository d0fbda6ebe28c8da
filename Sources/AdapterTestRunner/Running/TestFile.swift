public import Foundation

/// A file with tests of an adapter: `adapters/<Name>/<anything>.test.js`.
public struct TestFile: Sendable, Hashable {
    /// The path relative to the project's folder.
    public let path: String
    /// The name of the adapter whose folder contains the file.
    public let adapter: String

    /// Returns the test files of a project, sorted by path.
    public static func all(in project: URL) -> [TestFile] {
        let folder = project.appending(path: "adapters")
        let names = { (folder: URL) in
            ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).sorted()
        }
        return names(folder).flatMap { adapter in
            names(folder.appending(path: adapter)).filter { $0.hasSuffix(".test.js") }
                .map { TestFile(path: "adapters/\(adapter)/\($0)", adapter: adapter) }
        }
    }
}
