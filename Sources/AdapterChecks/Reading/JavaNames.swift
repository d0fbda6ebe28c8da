import AdapterSyntax

/// The names in a script that refer to Java's: `var Store = com.acme.Store`, `var A = { Api: com.acme.Api }`, `importClass(…)`.
struct JavaNames {
    private static let roots = Set(JavaLibrary.roots)

    private let script: ParsedScript
    /// The Java names by variable and, where its value is an object, by that object's member; the variable itself by the empty name.
    private var aliases: [Int: [String: String]] = [:]
    private var importedClasses: [String: String] = [:]
    private var importedPackages: [String] = []

    init(_ script: ParsedScript) {
        self.script = script
        readImports()
        readVariables()
    }

    /// Returns the Java name that a path such as `Store.get` refers to, without `Packages`; `nil` when it does not refer to Java.
    func javaPath(_ id: NodeID) -> String? {
        let tree = script.tree
        guard let path = tree.path(id), let root = tree.root(ofPath: id), let use = script.names[root] else {
            return nil
        }
        let parts = path.split(separator: ".").map(String.init)
        let name = use.name
        if Self.roots.contains(name), script.isRuntimeName(id) {
            guard parts.count > 1 else { return nil }
            return parts.dropFirst(name == "Packages" ? 1 : 0).joined(separator: ".")
        }
        if name == "JavaAdapter", script.isRuntimeName(id) { return path }
        guard let binding = use.binding else { return imported(parts, id) }
        guard let known = aliases[binding] else { return nil }
        if let path = known[""] { return ([path] + parts.dropFirst()).joined(separator: ".") }
        guard parts.count > 1, let path = known[parts[1]] else { return nil }
        return ([path] + parts.dropFirst(2)).joined(separator: ".")
    }

    private func imported(_ parts: [String], _ id: NodeID) -> String? {
        guard script.isRuntimeName(id) else { return nil }
        let name = parts[0]
        if let path = importedClasses[name] { return ([path] + parts.dropFirst()).joined(separator: ".") }
        guard !importedPackages.isEmpty, name.first?.isUppercase == true, !RuntimeNames.all.contains(name),
            !script.facts.guardedNames.contains(name)
        else { return nil }
        let homes = JavaLibrary.packages(of: name)
        if !homes.isEmpty {
            return homes.first(where: importedPackages.contains).map { ([$0] + parts).joined(separator: ".") }
        }
        guard importedPackages.count == 1 else { return parts.joined(separator: ".") }
        return (importedPackages + parts).joined(separator: ".")
    }

    private mutating func readImports() {
        let tree = script.tree
        var calls: [(call: NodeID, importer: String)] = []
        for id in tree.all {
            if tree.kind(id) == .call || tree.kind(id) == .new, let importer = tree.path(tree.child(id, 0)),
                Self.importers.contains(importer), script.isRuntimeName(tree.child(id, 0))
            {
                calls.append((id, importer))
            }
        }
        for (call, importer) in calls {
            for argument in tree.children(call).dropFirst() {
                guard let path = javaPath(argument), let name = path.split(separator: ".").last else { continue }
                let isClass =
                    importer == "importClass" || (importer == "JavaImporter" && name.first?.isUppercase == true)
                if isClass { importedClasses[String(name)] = path } else { importedPackages.append(path) }
            }
        }
    }

    /// The functions that make the names of classes known: everywhere, or to `with`.
    private static let importers: Set = ["importClass", "importPackage", "JavaImporter"]

    /// Reads variables in source order, so that one may refer to an earlier one. A variable that is declared twice or assigned
    /// is ignored.
    private mutating func readVariables() {
        let tree = script.tree
        for constant in script.names.constants {
            let value = tree.unwrapped(constant.value)
            if let path = javaPath(value) { aliases[constant.binding] = ["": path] }
            guard tree.kind(value) == .objectLiteral else { continue }
            for property in tree.children(value) where isPlain(property) {
                guard let path = javaPath(tree.child(property, 1)) else { continue }
                aliases[constant.binding, default: [:]][tree.key(tree.child(property, 0))] = path
            }
        }
    }

    private func isPlain(_ property: NodeID) -> Bool {
        let tree = script.tree
        return tree.kind(property) == .property
            && tree.propertyTraits(property).isDisjoint(with: [.computed, .getter, .setter])
    }
}
