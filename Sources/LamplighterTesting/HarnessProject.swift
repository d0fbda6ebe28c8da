public import AdapterRuntime
public import Foundation
public import WorklightProject

/// A project that many tests are about, read once.
///
///     static let shop = Task { try await HarnessProject(reading: folder) }
///
///     let harness = try await AdapterHarness(Self.shop.value)
///
/// A harness of it runs the top level of ``AdapterHarness/Options/adapter`` at its beginning, and those of others when they are
/// first called.
public struct HarnessProject: Sendable {
    public let project: Project
    let scripts: ScriptReadings

    /// Reads a project's folder. What is wrong with it, each harness of it tells.
    ///
    /// - Throws: `StoreError`.
    public init(reading folder: URL) async throws {
        try await self.init(Project(reading: folder))
    }

    /// - Parameter coverage: learns which lines are run, in the harnesses as well.
    /// - Throws: `StoreError`.
    public init(_ project: Project, coverage: CoverageCollector? = nil) async throws {
        var options = AdapterHarness.Options()
        options.toleratesProblems = true
        options.coverage = coverage
        let harness = try await AdapterHarness(
            project: project, folder: nil, scripts: nil, options: options,
            place: TestPlace(fileID: #fileID, line: #line))
        self.project = project
        scripts = harness.runtime.readScripts
    }
}

/// Files that exist as long as this object does: a project is read from a folder.
final class HarnessFolder: Sendable {
    let url: URL

    init(_ files: [String: String]) throws {
        url = FileManager.default.temporaryDirectory.appending(path: "lamplighter-\(UUID().uuidString)")
        for (path, text) in files {
            let file = url.appending(path: path)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: file)
        }
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }
}
