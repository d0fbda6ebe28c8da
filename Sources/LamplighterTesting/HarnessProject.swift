public import AdapterRuntime
public import Foundation
public import WorklightProject

/// A project that is read once, for many tests.
///
/// ```swift
/// static let shop = Task { try await HarnessProject(reading: folder) }
///
/// let harness = try await AdapterHarness(Self.shop.value)
/// ```
///
/// A harness of it runs the top level of ``AdapterHarness/Options/adapter`` when it is created, and the top level of another adapter at
/// its first call.
public struct HarnessProject: Sendable {
    public let project: Project
    let scripts: ScriptReadings

    /// Reads the project in a folder. Problems of the project do not fail the reading; each harness of the project reports them.
    ///
    /// - Throws: `StoreError`.
    public init(reading folder: URL) async throws {
        try await self.init(Project(reading: folder))
    }

    /// Reads the scripts of a project.
    ///
    /// - Parameter coverage: the collector that counts the lines that run, also those that run in the harnesses.
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

/// A temporary folder with files, for a project that is passed as strings. It is removed with this object.
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
