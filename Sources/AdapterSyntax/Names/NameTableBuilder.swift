/// Walks a tree and notes scopes, declarations and references.
struct NameTableBuilder {
    private let tree: SyntaxTree
    private(set) var scopes: [NameTable.Scope] = []
    private(set) var bindings: [NameTable.Binding] = []
    private(set) var references: [NameTable.Reference] = []
    /// The binding that each declaring identifier declares: an index into ``bindings``.
    private(set) var declarations: [NodeID: Int] = [:]
    /// Identifiers that are no references: properties, labels, declared names.
    private var silent: Set<NodeID> = []
    private var written: Set<NodeID> = []
    private var stack: [Int] = []

    init(_ tree: SyntaxTree) {
        self.tree = tree
    }

    mutating func build() {
        // The closures of a walk cannot both change self.
        var work: [(id: NodeID, isLeaving: Bool)] = [(tree.root, false)]
        while let (id, isLeaving) = work.popLast() {
            if isLeaving {
                stack.removeLast()
                continue
            }
            let opens = opensScope(id)
            if opens { open(id) }
            enter(id)
            if opens { work.append((id, true)) }
            for child in tree.children(id).reversed() where !child.isAbsent { work.append((child, false)) }
        }
    }

    private func opensScope(_ id: NodeID) -> Bool {
        switch tree.kind(id) {
        case .program, .functionDeclaration, .functionExpression, .arrowFunction, .method, .staticBlock, .block,
            .forStatement, .forInStatement, .catchClause, .switchStatement, .letBlock, .letExpression,
            .arrayComprehension, .generatorExpression, .classExpression, .classDeclaration:
            true
        default: false
        }
    }

    private mutating func open(_ id: NodeID) {
        let index = scopes.count
        var function = index
        if let outer = stack.last, !tree.isFunction(id), tree.kind(id) != .staticBlock {
            function = scopes[outer].function
        }
        // A declaration's name belongs to the scope around it.
        if tree.kind(id) == .functionDeclaration || tree.kind(id) == .classDeclaration, !tree.child(id, 0).isAbsent {
            declareOutside(id)
        }
        scopes.append(NameTable.Scope(node: id, parent: stack.last, function: function))
        stack.append(index)
    }

    private mutating func declareOutside(_ id: NodeID) {
        guard let around = stack.last else { return }
        if tree.kind(id) == .classDeclaration {
            declare(tree.child(id, 0), .class, in: around)
        } else {
            // In a block it is visible there and, as sloppy mode has it, in the whole function.
            declare(tree.child(id, 0), .function, in: scopes[around].function)
        }
    }

    private mutating func declare(_ identifier: NodeID, _ kind: NameTable.BindingKind, in scope: Int) {
        silent.insert(identifier)
        let name = tree.name(identifier)
        if let earlier = scopes[scope].names[name] {
            declarations[identifier] = earlier
            bindings[earlier].isDeclaredAgain = true
            return
        }
        scopes[scope].names[name] = bindings.count
        declarations[identifier] = bindings.count
        bindings.append(NameTable.Binding(name: name, kind: kind, declaration: identifier, scope: scope))
    }

    private mutating func enter(_ id: NodeID) {
        guard let scope = stack.last else { return }
        switch tree.kind(id) {
        case .identifier:
            guard !silent.contains(id) else { return }
            references.append(
                NameTable.Reference(
                    node: id, name: tree.name(id), scope: scope, isWrite: written.contains(id), binding: nil))
        case .functionDeclaration, .functionExpression, .arrowFunction, .method: enterFunction(id, scope)
        case .classExpression:
            if !tree.child(id, 0).isAbsent { declare(tree.child(id, 0), .own, in: scope) }
        case .variableDeclaration: enterDeclaration(id, scope)
        case .letBlock, .letExpression:
            for declarator in tree.children(id).dropLast() { declareAll(declarator, .let, in: scope) }
        case .comprehensionLoop: declareAll(tree.child(id, 0), .let, in: scope)
        case .catchClause: declareAll(tree.child(id, 0), .caught, in: scope)
        case .assignment: written.formUnion(tree.names(in: tree.child(id, 0)))
        case .prefixUpdate, .postfixUpdate: written.formUnion(tree.names(in: tree.child(id, 0)))
        case .forInStatement:
            if tree.kind(tree.child(id, 0)) != .variableDeclaration {
                written.formUnion(tree.names(in: tree.child(id, 0)))
            }
        case .member: silent.insert(tree.child(id, 1))
        case .property, .propertyPattern, .classMember:
            if !tree.propertyTraits(id).contains(.computed) { silent.insert(tree.child(id, 0)) }
        case .labeledStatement, .breakStatement, .continueStatement: silent.insert(tree.child(id, 0))
        case .xmlAccess, .xmlDescendants, .xmlQualified: silent.insert(tree.child(id, 1))
        case .xmlAttribute: silent.insert(tree.child(id, 0))
        default: break
        }
    }

    private mutating func enterFunction(_ id: NodeID, _ scope: Int) {
        for parameter in tree.children(tree.child(id, 1)) { declareAll(parameter, .parameter, in: scope) }
        if tree.kind(id) == .functionExpression, !tree.child(id, 0).isAbsent {
            declare(tree.child(id, 0), .own, in: scope)
        }
    }

    private mutating func enterDeclaration(_ id: NodeID, _ scope: Int) {
        switch tree.declarationKind(id) {
        case .var: declareAll(id, .var, in: scopes[scope].function)
        case .let: declareAll(id, .let, in: scope)
        case .const: declareAll(id, .const, in: scope)
        }
    }

    private mutating func declareAll(_ target: NodeID, _ kind: NameTable.BindingKind, in scope: Int) {
        for name in tree.names(in: target) { declare(name, kind, in: scope) }
    }
}
