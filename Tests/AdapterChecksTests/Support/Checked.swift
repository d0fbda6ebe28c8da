import AdapterChecks
import Foundation
import TestSupport
import Testing
import WorklightProject

/// A project that is checked.
struct Checked {
    static let http = """
        <connectivity><connectionPolicy xsi:type="http:HTTPConnectionPolicyType"><protocol>http</protocol>
        <domain>127.0.0.1</domain></connectionPolicy></connectivity>
        """
    static let sql = """
        <connectivity><connectionPolicy xsi:type="sql:SQLConnectionPolicy"><dataSourceDefinition>
        <url>jdbc:sqlite:a.db</url></dataSourceDefinition></connectionPolicy></connectivity>
        """

    let problems: [ProjectError]

    /// A project with the adapter `A` and further files.
    init(
        _ script: String, procedures: [String] = ["run"], connectivity: String = "", files: [String: String] = [:]
    ) async throws {
        var all = files
        all["adapters/A/A-impl.js"] = script
        if all["adapters/A/A.xml"] == nil {
            all["adapters/A/A.xml"] = adapterXML("A", procedures: procedures, connectivity: connectivity)
        }
        let folder = try TemporaryFolder(all)
        let project = Project(reading: folder.url)
        try #require(project.problems.filter { $0.severity == .error } == [])
        problems = await StrictCheck.problems(of: project)
        withExtendedLifetime(folder) {}
    }

    /// Each as `line:column id`, those of the adapter's XML as `xml:line id`.
    var places: [String] {
        problems.map { problem in
            let id = problem.id ?? "-"
            guard let column = problem.column else { return "xml:\(problem.line ?? 0) \(id)" }
            return "\(problem.line ?? 0):\(column) \(id)"
        }
    }

    /// The problem of a kind, of which there must be one.
    func only(_ id: CheckID) throws -> ProjectError {
        let found = problems.filter { $0.id == id.rawValue }
        try #require(found.count == 1, "\(problems)")
        return found[0]
    }
}
