/// Gathers ``ScriptFacts``.
struct FactsReader {
    let tree: SyntaxTree
    let names: NameTable
    /// Names that are assigned and nowhere declared.
    private let assignedFreely: Set<String>
    /// The functions in source order, and each one's index.
    private var functions: [(id: NodeID, outer: Int?, name: String?)] = []
    private var indices: [NodeID: Int] = [:]
    private var calls: [(id: NodeID, function: Int?)] = []
    private var declarations: [NodeID: (kind: DeclarationKind, range: SourceRange)] = [:]
    /// Identifiers whose values are changed in place.
    private var changed: Set<NodeID> = []
    /// The values of the variables that are declared once, with a value, and assigned nowhere, by index into the bindings.
    let constants: [Int: NodeID]
    /// The operands of `typeof`: the script expects that they may be undefined.
    private var guarded: Set<String> = []

    init(_ tree: SyntaxTree) {
        self.tree = tree
        names = NameTable(tree)
        assignedFreely = Set(names.free.filter(\.isWrite).map(\.name))
        constants = Dictionary(
            uniqueKeysWithValues: names.constants(in: tree).map { ($0.binding, tree.child($0.declarator, 1)) })
        gather()
    }

    private mutating func gather() {
        var functionNames = FunctionNames()
        var stack: [Int] = []
        var work: [(id: NodeID, isLeaving: Bool)] = [(tree.root, false)]
        while let (id, isLeaving) = work.popLast() {
            if isLeaving {
                stack.removeLast()
                continue
            }
            functionNames.read(id, in: tree)
            note(id, function: stack.last)
            if tree.isFunction(id) {
                indices[id] = functions.count
                stack.append(functions.count)
                functions.append((id, stack.dropLast().last, functionNames.name(of: id, in: tree)))
                work.append((id, true))
            }
            for child in tree.children(id).reversed() where !child.isAbsent { work.append((child, false)) }
        }
    }

    private mutating func note(_ id: NodeID, function: Int?) {
        if let object = tree.objectChanged(by: id) { noteChange(object) }
        switch tree.kind(id) {
        case .variableDeclaration:
            for declarator in tree.children(id) {
                for name in tree.names(in: declarator) {
                    declarations[name] = (tree.declarationKind(id), tree.range(declarator))
                }
            }
        case .unary where tree.operation(id) == .typeof:
            let operand = tree.unwrapped(tree.child(id, 0))
            if tree.kind(operand) == .identifier { guarded.insert(tree.name(operand)) }
        case .call: calls.append((id, function))
        default: break
        }
    }

    /// Notes whose value it is that changes when an object is changed: `a` in `a.b[c]`.
    private mutating func noteChange(_ object: NodeID) {
        var id = object
        while tree.kind(id) == .member || tree.kind(id) == .index { id = tree.unwrapped(tree.child(id, 0)) }
        if tree.kind(id) == .identifier { changed.insert(id) }
    }

    func read() -> ScriptFacts {
        var free: [String: [SourceRange]] = [:]
        var undeclared: [String: [SourceRange]] = [:]
        for reference in names.free {
            free[reference.name, default: []].append(tree.range(reference.node))
            if reference.isWrite { undeclared[reference.name, default: []].append(tree.range(reference.node)) }
        }
        let uses = usesByFunction()
        return ScriptFacts(
            functions: functions.indices.map { fact(of: $0, uses[$0]) }, variables: variables(),
            serverCalls: calls.compactMap(serverCall), freeNames: free, undeclaredAssignments: undeclared,
            guardedNames: guarded)
    }

    // MARK: Functions

    private struct Uses {
        var free: Set<String> = []
        var read: Set<String> = []
        var written: Set<String> = []
        var changed: Set<String> = []
    }

    private func isOfTopLevel(_ reference: NameTable.Reference) -> Bool {
        reference.binding.map { names.bindings[$0].scope == 0 } ?? true
    }

    private func usesByFunction() -> [Uses] {
        var uses = [Uses](repeating: Uses(), count: functions.count)
        for reference in names.references {
            guard isOfTopLevel(reference) else { continue }
            var function = self.function(of: reference.scope)
            while let index = function {
                if changed.contains(reference.node) { uses[index].changed.insert(reference.name) }
                if reference.binding == nil {
                    uses[index].free.insert(reference.name)
                } else if reference.isWrite {
                    uses[index].written.insert(reference.name)
                } else {
                    uses[index].read.insert(reference.name)
                }
                function = functions[index].outer
            }
        }
        return uses
    }

    /// Returns the index of the function that a scope belongs to.
    private func function(of scope: Int) -> Int? {
        indices[names.scopes[names.scopes[scope].function].node]
    }

    private func fact(of index: Int, _ uses: Uses) -> ScriptFacts.Function {
        let (id, outer, name) = functions[index]
        let range = tree.range(id)
        return ScriptFacts.Function(
            name: name, parameters: tree.children(tree.child(id, 1)).map { tree.text($0) }, range: range,
            position: tree.source.position(at: range.start), outer: outer, isGlobal: isGlobal(id, outer, name),
            freeNames: uses.free,
            globalsRead: uses.read, globalsWritten: uses.written, globalsChanged: uses.changed)
    }

    private func isGlobal(_ id: NodeID, _ outer: Int?, _ name: String?) -> Bool {
        guard outer == nil, let name else { return false }
        guard let binding = names.scopes[0].names[name] else { return assignedFreely.contains(name) }
        return tree.kind(id) == .functionDeclaration
            || tree.range(names.bindings[binding].declaration).end <= tree.range(id).start
    }

    // MARK: Variables

    private func variables() -> [ScriptFacts.Variable] {
        names.bindings.filter { $0.scope == 0 }.compactMap { binding in
            guard let declaration = declarations[binding.declaration] else { return nil }
            let writes = binding.references.map { names.references[$0] }.filter(\.isWrite)
            return ScriptFacts.Variable(
                name: binding.name, declaration: declaration.kind, range: declaration.range,
                position: tree.source.position(at: declaration.range.start),
                assignments: writes.compactMap(assignment))
        }
    }

    private func assignment(_ reference: NameTable.Reference) -> ScriptFacts.Assignment? {
        guard let function = function(of: reference.scope) else { return nil }
        let range = tree.range(reference.node)
        return ScriptFacts.Assignment(
            function: functions[function].name, range: range, position: tree.source.position(at: range.start))
    }

    // MARK: Calls

    private func serverCall(_ call: (id: NodeID, function: Int?)) -> ScriptFacts.ServerCall? {
        guard let path = tree.path(tree.child(call.id, 0)) else { return nil }
        let parts = path.split(separator: ".")
        guard parts.count == 3, parts[0] == "WL" || parts[0] == "MFP", parts[1] == "Server" else { return nil }
        let range = tree.range(call.id)
        return ScriptFacts.ServerCall(
            name: String(parts[2]), arguments: tree.children(call.id).dropFirst().map { value(of: $0) },
            range: range, position: tree.source.position(at: range.start), function: call.function)
    }
}

/// The names of functions without a name: those of the variables and members to which they are assigned.
struct FunctionNames {
    private var names: [NodeID: String] = [:]

    /// Records the names that a node assigns. The nodes around a function must come before it.
    mutating func read(_ id: NodeID, in tree: SyntaxTree) {
        switch tree.kind(id) {
        case .variableDeclaration:
            for declarator in tree.children(id) where tree.kind(tree.child(declarator, 0)) == .identifier {
                names[tree.unwrapped(tree.child(declarator, 1))] = tree.name(tree.child(declarator, 0))
            }
        case .assignment: names[tree.unwrapped(tree.child(id, 1))] = tree.path(tree.child(id, 0))
        case .property, .classMember:
            guard !tree.propertyTraits(id).contains(.computed) else { return }
            names[tree.unwrapped(tree.child(id, 1))] = tree.key(tree.child(id, 0))
        default: break
        }
    }

    /// Returns a function's own name, or else that of the variable or member it is assigned to; `nil` when it has neither.
    func name(of function: NodeID, in tree: SyntaxTree) -> String? {
        let own = tree.child(function, 0)
        return own.isAbsent ? names[function] : tree.name(own)
    }
}
