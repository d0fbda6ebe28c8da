import AdapterSyntax
import WorklightProject

/// Keys of `WL.Server.configuration` that worklight.properties does not have: their values are `undefined`, without an error.
enum MissingPropertyCheck: ScriptCheck {
    /// An expression that reads a property.
    private struct PropertyRead {
        let key: String
        let node: NodeID
        /// The value for a missing property.
        let missing: String
    }

    private static let owners: Set = ["WL.Server", "MFP.Server"]
    /// The members of every object: `configuration.hasOwnProperty("a")`.
    private static let ofObjects: Set = [
        "constructor", "hasOwnProperty", "isPrototypeOf", "propertyIsEnumerable", "toLocaleString", "toString",
        "valueOf",
        "__proto__",
    ]

    static func problems(in script: ParsedScript, of project: ParsedProject) -> [ProjectError] {
        let tree = script.tree
        let properties = project.project.properties
        let aliases = aliases(in: script)
        var reads: [PropertyRead] = []
        var tested: Set<NodeID> = []
        var testedPaths: Set<String> = []
        var holders: [NodeID: String] = [:]
        var known: Set<String> = []
        for id in tree.all {
            if let subject = ExistenceGuards.subject(of: id, tree).map(tree.unwrapped) {
                tested.insert(subject)
                if let path = tree.path(subject) { testedPaths.insert(path) }
            }
            switch tree.kind(id) {
            case .declarator where !tree.child(id, 1).isAbsent, .assignment:
                let target = tree.child(id, 0)
                if let path = tree.path(target) { holders[tree.unwrapped(tree.child(id, 1))] = path }
                // A property that the script itself sets exists.
                if tree.kind(id) == .assignment, let key = configurationKey(target, script, aliases) {
                    known.insert(key)
                }
            case .member, .index:
                if let key = configurationKey(id, script, aliases), !ofObjects.contains(key) {
                    reads.append(PropertyRead(key: key, node: id, missing: "undefined"))
                }
            case .call:
                if let key = argumentOfGetPropertyValue(id, script) {
                    reads.append(PropertyRead(key: key, node: id, missing: "null"))
                }
            default: break
            }
        }
        // A script that checks a value anywhere expects that it may be missing.
        known.formUnion(
            reads.filter { read in
                tested.contains(read.node) || holders[read.node].map(testedPaths.contains) ?? false
            }.map(\.key))
        return reads.compactMap { read in
            guard properties[read.key] == nil, known.insert(read.key).inserted else { return nil }
            let keys = properties.entries.map(\.key)
            let hint =
                Suggestion.nearest(to: read.key, among: keys).map { "; is '\($0)' meant?" }
                ?? "; add a line \(read.key)=… there"
            return script.problem(
                .missingProperty, at: tree.range(read.node),
                "\(WorklightProperties.path) has no '\(read.key)', so the value is \(read.missing)\(hint)")
        }
    }

    /// Returns the key that `WL.Server.configuration.key` or `WL.Server.configuration["key"]` reads.
    private static func configurationKey(_ id: NodeID, _ script: ParsedScript, _ aliases: Set<Int>) -> String? {
        let tree = script.tree
        let id = tree.unwrapped(id)
        guard tree.kind(id) == .member || tree.kind(id) == .index,
            isConfiguration(tree.child(id, 0), script, aliases)
        else { return nil }
        let key = tree.unwrapped(tree.child(id, 1))
        if tree.kind(id) == .member { return tree.kind(key) == .identifier ? tree.name(key) : nil }
        return tree.kind(key) == .stringLiteral ? tree.key(key) : nil
    }

    private static func isConfiguration(_ id: NodeID, _ script: ParsedScript, _ aliases: Set<Int>) -> Bool {
        let tree = script.tree
        guard let path = tree.path(id) else { return false }
        if owners.contains(where: { path == "\($0).configuration" }) { return script.isRuntimeName(id) }
        return script.names[tree.unwrapped(id)]?.binding.map(aliases.contains) ?? false
    }

    /// Returns the variables that hold the configuration, and nothing else ever.
    private static func aliases(in script: ParsedScript) -> Set<Int> {
        Set(script.names.constants.filter { isConfiguration($0.value, script, []) }.map(\.binding))
    }

    private static func argumentOfGetPropertyValue(_ call: NodeID, _ script: ParsedScript) -> String? {
        let tree = script.tree
        let callee = tree.child(call, 0)
        guard let path = tree.path(callee), owners.contains(where: { path == "\($0).getPropertyValue" }),
            script.isRuntimeName(callee), tree.childCount(call) > 1
        else { return nil }
        let key = tree.unwrapped(tree.child(call, 1))
        return tree.kind(key) == .stringLiteral ? tree.key(key) : nil
    }
}
