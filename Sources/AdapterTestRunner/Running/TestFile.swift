public import Foundation

/// A file of tests of one adapter: `adapters/<Name>/<anything>.test.js`.
public struct TestFile: Sendable, Hashable {
    /// Relative to the project's folder.
    public let path: String
    /// The adapter in whose folder it lies.
    public let adapter: String

    /// Those of a project, sorted by path.
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
