extension Translator {
    /// `importClass(java.util.HashMap)` and `importPackage(java.util)` become variables that hold the runtime's stand-ins
    /// for Java's classes, which fail when they are called.
    mutating func translateImport(_ statement: NodeID) {
        let call = tree.child(statement, 0)
        guard tree.kind(call) == .call, let importer = importer(of: call) else { return }
        find(.javaImport, tree.range(call), importer)
        imports.insert(call)
        var variables: [String] = []
        for argument in tree.children(call).dropFirst() {
            guard let path = javaPath(argument) else {
                return refuse(.javaImport, tree.range(argument), "only a name like java.util.HashMap can be imported")
            }
            guard JavaLibrary.roots.contains(path[0]) else {
                return refuse(
                    .javaImport, tree.range(argument),
                    "of Java's packages only the names under \(JavaLibrary.roots.joined(separator: ", ")) exist")
            }
            let names = path[0] == "Packages" ? path.count - 1 : path.count
            guard names > (importer == "importClass" && path[0] != "Packages" ? 1 : 0) else {
                return refuse(
                    .javaImport, tree.range(argument),
                    "\(path[0]) holds packages and no classes: name what is imported, as in "
                        + (importer == "importClass" ? "java.util.HashMap" : "java.util"))
            }
            if importer == "importClass" {
                variables.append("\(path[path.count - 1]) = \(path.joined(separator: "."))")
            } else {
                variables += classes(of: path)
            }
        }
        let text = variables.isEmpty ? "void 0" : "var \(variables.joined(separator: ", "))"
        edits.replace(tree.range(call), text)
    }

    /// Imports within an expression cannot become variables.
    mutating func refuseImport(_ call: NodeID) {
        guard !imports.contains(call), let importer = importer(of: call) else { return }
        find(.javaImport, tree.range(call), importer)
        refuse(.javaImport, tree.range(call), "\(importer) must be a separate statement")
    }

    private func importer(of call: NodeID) -> String? {
        let callee = tree.child(call, 0)
        guard tree.kind(callee) == .identifier, isFree(callee) else { return nil }
        let name = tree.name(callee)
        return name == "importClass" || name == "importPackage" ? name : nil
    }

    /// Returns the names in a path such as `java.util.HashMap`.
    private func javaPath(_ id: NodeID) -> [String]? {
        var path: [String] = []
        var id = tree.unwrapped(id)
        while tree.kind(id) == .member {
            path.append(tree.name(tree.child(id, 1)))
            id = tree.unwrapped(tree.child(id, 0))
        }
        guard tree.kind(id) == .identifier else { return nil }
        path.append(tree.name(id))
        return path.reversed()
    }

    /// Returns the known classes of a package that the script uses. An unknown class that may come from several packages keeps
    /// its simple name.
    private func classes(of path: [String]) -> [String] {
        let package = path.first == "Packages" ? Array(path.dropFirst()) : path
        let name = package.joined(separator: ".")
        var result: [String] = []
        var seen: Set<String> = []
        for reference in names.free where seen.insert(reference.name).inserted {
            guard JavaLibrary.mayBeClass(reference.name) else { continue }
            let homes = JavaLibrary.packages(of: reference.name)
            if homes.contains(name) || (homes.isEmpty && importedPackages == 1) {
                result.append("\(reference.name) = \(path.joined(separator: ".")).\(reference.name)")
            } else if homes.isEmpty {
                result.append("\(reference.name) = Packages.\(reference.name)")
            }
        }
        return result
    }

    private var importedPackages: Int {
        names.free.count { $0.name == "importPackage" }
    }

    /// `JavaImporter` returns objects for `with` that have the classes of packages. Only the source of the script shows which names may
    /// be such classes, so the importer gets all undeclared names.
    mutating func translateImporter(_ identifier: NodeID) {
        var seen: Set<String> = []
        let classes = names.free.filter { !$0.isWrite && JavaLibrary.mayBeClass($0.name) }.map(\.name)
            .filter { seen.insert($0).inserted }
        let homes = classes.map {
            "\"\($0)\": [\(JavaLibrary.packages(of: $0).map { "\"\($0)\"" }.joined(separator: ", "))]"
        }
        helpers.insert(.java)
        edits.replace(tree.range(identifier), "(\(RuntimeHelper.name).importer({\(homes.joined(separator: ", "))}))")
    }
}
