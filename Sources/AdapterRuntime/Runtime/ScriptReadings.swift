import WorklightProject

/// What reading a project's scripts has found: what the engine is given, what they declare, and what is wrong with them.
///
/// Many runtimes of one project, such as those of its tests, need not find it out many times.
public struct ScriptReadings: Sendable {
    struct Adapter: Sendable {
        let script: AdapterScript
        let declarations: ScriptDeclarations
    }

    /// By name; without those that cannot be loaded.
    let adapters: [String: Adapter]
    /// By adapter.
    let problems: [String: [ProjectError]]
}
