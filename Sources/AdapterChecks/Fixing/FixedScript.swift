import AdapterSyntax
import Foundation
import WorklightProject

/// A script with all mechanical fixes applied.
public struct FixedScript: Sendable {
    /// The adapter's script, relative to the project's folder.
    public let path: String
    /// The script before the fixes, without a byte order mark.
    public let before: String
    public let after: String
    /// The changes, each as `file:line:column: title` with its position before the change.
    public let changes: [String]
    let file: AtomicFile

    /// - Returns: `nil` when nothing is to be done, or the script cannot be read.
    init?(_ adapter: Project.Adapter, of project: Project) {
        path = adapter.descriptor.scriptPath
        guard let mended = try? FixedSource(adapter.script, file: path), !mended.fixes.isEmpty else { return nil }
        before = adapter.script
        after = mended.source
        changes = mended.fixes.map { [path] fix in "\(path):\(fix.position): \(fix.title)" }
        file = AtomicFile(project.folder.appending(path: path))
    }

    /// Replaces the file's content, at once or not at all. Its permissions, its line ends and a byte order mark stay.
    ///
    /// - Throws: ``FixError``.
    public func write() throws(FixError) {
        try file.replace(before, by: after)
    }

    func refusal(because problem: ProjectError) -> ProjectError {
        ProjectError(
            .error, file: path,
            "--fix leaves this script unchanged, because the engine rejects the fixed script (\(problem.message)); "
                + "make these changes yourself: \(changes.joined(separator: ", "))")
    }

    /// The changes as `diff -u` writes them, a byte order mark included.
    public var difference: String {
        let mark = file.hasByteOrderMark ? "\u{FEFF}" : ""
        return UnifiedDiff.text(from: mark + before, to: mark + after, path: path)
    }
}

/// The error of a fixed script that could not be written.
public struct FixError: Error, CustomStringConvertible {
    public let description: String
}
