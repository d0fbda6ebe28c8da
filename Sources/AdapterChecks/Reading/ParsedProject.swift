import AdapterSyntax
import Foundation
import WorklightProject

/// A project with its scripts read.
struct ParsedProject: Sendable {
    let project: Project
    /// The scripts by the adapters' names.
    let scripts: [String: ParsedScript]
    /// The adapters whose folders exist, also those that cannot be loaded.
    let folders: Set<String>
    /// True if the project declares who may do what: then a missing declaration is worth a warning.
    let hasSecurity: Bool
    let allowances: CheckSuppressions
    /// True if the descriptors of all applications could be read, and there is one.
    let hasAllApplications: Bool
    /// True if there is an authenticationConfig.xml, whose realms call functions.
    let hasRealms: Bool

    init(_ project: Project) {
        self.project = project
        scripts = Dictionary(
            project.adapters.compactMap { adapter in ParsedScript(adapter).map { (adapter.descriptor.name, $0) } },
            uniquingKeysWith: { first, _ in first })
        allowances = CheckSuppressions(project)
        hasAllApplications =
            !project.applications.isEmpty
            && !project.problems.contains { $0.severity == .error && $0.file.hasPrefix("apps/") }
        let files = FileManager.default
        folders = Set(
            (try? files.contentsOfDirectory(atPath: project.folder.appending(path: "adapters").path)) ?? [])
        hasRealms = files.fileExists(atPath: project.folder.appending(path: AuthenticationConfiguration.path).path)
        hasSecurity = !project.applications.isEmpty || hasRealms
    }

    func adapter(named name: String) -> AdapterDescriptor? {
        project.adapters.first { $0.descriptor.name == name }?.descriptor
    }

    /// Returns the functions of an adapter that realms call: `login-function` and `logout-function`.
    func realmFunctions(of adapter: String) -> Set<String> { project.realmFunctions(of: adapter) }
}

/// A function that a realm calls, as authenticationConfig.xml names it.
struct RealmFunction {
    let parameter: String
    let adapter: String
    let function: String

    static func all(of realm: AuthenticationConfiguration.Realm) -> [RealmFunction] {
        ["login-function", "logout-function"].compactMap { parameter in
            guard let parts = realm.parameter(parameter)?.split(separator: ".", maxSplits: 1), parts.count == 2 else {
                return nil
            }
            return RealmFunction(parameter: parameter, adapter: String(parts[0]), function: String(parts[1]))
        }
    }
}
