import WorklightProject

/// The project with its adapters in the versions that are deployed, and what is wrong with them.
struct DeployedProject: Sendable {
    var project: Project
    /// What running the scripts has brought to light, by adapter; under an empty name what concerns none.
    var scriptProblems: [String: [ProjectError]] = [:]

    var problems: [ProjectError] {
        (project.problems + scriptProblems.sorted { $0.key < $1.key }.flatMap(\.value)).inOrder
    }
}
