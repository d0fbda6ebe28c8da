import AdapterSyntax
import Foundation
import WorklightProject

/// A script with what is mechanical mended.
public struct FixedScript: Sendable {
    /// The adapter's script, relative to the project's folder.
    public let path: String
    /// The text as it is, without a byte order mark.
    public let before: String
    public let after: String
    /// What is done, each as `file:line:column: title` with the place where it was.
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

    /// Puts the new text into the file's place, at once or not at all. Its permissions, its line ends and a byte order mark
    /// stay.
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

    /// What changes, as `diff -u` writes it of the files, a byte order mark included.
    public var difference: String {
        let mark = file.hasByteOrderMark ? "\u{FEFF}" : ""
        return UnifiedDiff.text(from: mark + before, to: mark + after, path: path)
    }
}

/// Why a mended script could not be written.
public struct FixError: Error, CustomStringConvertible {
    public let description: String
}
