import BackEndHTTP
import Foundation
public import WorklightProject

extension Project {
    /// What will fail in the adapters' stylesheets: each is compiled, and run once on an empty document. Blocks.
    ///
    /// One that its adapter's script does not name is only a note: Worklight Studio put one into every HTTP adapter.
    public func stylesheetProblems() -> [ProjectError] {
        adapters.flatMap { adapter in
            let path = "adapters/\(adapter.descriptor.name)"
            return StylesheetCheck(folder: folder.appending(path: path)).findings().map { finding in
                let isUsed = adapter.script.contains(finding.file)
                let severity: ProjectError.Severity = !isUsed ? .note : finding.isCertain ? .error : .warning
                return ProjectError(
                    severity, file: "\(path)/\(finding.file)", line: finding.line,
                    (finding.isCertain ? "" : "on an empty document: ") + finding.message
                        + (isUsed ? "" : "; no script names this stylesheet"))
            }
        }
    }
}
