extension StateReader {
    /// Reads the top level and, from there, every function.
    func readProgram() throws(Doubt) {
        for statement in tree.children(tree.root) { try readStatement(statement) }
    }

    /// Reads a function's code once. Its value is new in each call of the function around it.
    func readFunction(_ id: NodeID) throws(Doubt) {
        guard let index = functionIndices[id] else { throw Doubt(node: id, reason: "a function is not analysed") }
        let outer = current
        current = index
        defer { current = outer }
        let function = functions[index]
        if tree.functionTraits(id).contains(.generator) || tree.functionTraits(id).contains(.plainGenerator) {
            note(id, if: function.load, "a generator made while the script is loaded keeps its place")
        }
        let parameters = tree.children(tree.child(id, 1))
        for (position, parameter) in parameters.enumerated() {
            let given = Value(node: function.parameters[position])
            if tree.kind(parameter) == .restElement {
                graph.connect(function.arguments, to: anyNamed)
                try assign(tree.child(parameter, 0), Value(node: function.arguments))
            } else {
                try assign(parameter, given)
                // `arguments` follows what is assigned to a parameter.
                for name in tree.names(in: parameter) { graph.connect(node(variable(name)), to: function.arguments) }
            }
        }
        let body = tree.child(id, 2)
        if tree.kind(body) == .functionBody {
            for statement in tree.children(body) { try readStatement(statement) }
        } else {
            graph.connect(try read(body).node, to: function.result)
        }
    }

    func readStatement(_ id: NodeID) throws(Doubt) {
        guard !id.isAbsent else { return }
        try step(at: id) { () throws(Doubt) in
            switch tree.kind(id) {
            case .emptyStatement, .debuggerStatement, .breakStatement, .continueStatement: break
            case .variableDeclaration: for child in tree.children(id) { try readDeclarator(child) }
            case .functionDeclaration:
                let variable = variable(tree.child(id, 0))
                if let index = functionIndices[id] { functionsOfVariable[variable, default: []].insert(index) }
                if current == 0 { graph.connect(ValueGraph.shared, to: node(variable)) }
                try readFunction(id)
            case .labeledStatement: try readStatement(tree.child(id, 1))
            case .returnStatement:
                guard !tree.child(id, 0).isAbsent else { return }
                graph.connect(try read(tree.child(id, 0)).node, to: functions[current].result)
            case .throwStatement: graph.connect(try read(tree.child(id, 0)).node, to: thrown)
            case .forInStatement: try readForIn(id)
            case .catchClause:
                if !tree.child(id, 0).isAbsent { try assign(tree.child(id, 0), Value(node: thrown)) }
                if !tree.child(id, 1).isAbsent { _ = try read(tree.child(id, 1)) }
                try readStatement(tree.child(id, 2))
            case .letBlock:
                for child in tree.children(id).dropLast() { try readDeclarator(child) }
                if let body = tree.children(id).last { try readStatement(body) }
            case .expressionStatement where tree.kind(tree.child(id, 0)) == .assignment:
                _ = try readAssignment(tree.child(id, 0), isUsed: false)
            case .expressionStatement where tree.kind(tree.child(id, 0)) == .call:
                unusedCall = tree.child(id, 0)
                _ = try read(tree.child(id, 0))
            case .block, .ifStatement, .forStatement, .whileStatement, .doWhileStatement, .switchStatement, .switchCase,
                .tryStatement, .expressionStatement:
                for child in tree.children(id) where !child.isAbsent { try readPart(child) }
            default: throw Doubt(node: id, reason: "this statement is not analysed")
            }
        }
    }

    /// A child of a statement that is a statement or an expression.
    private func readPart(_ id: NodeID) throws(Doubt) {
        switch tree.kind(id) {
        case .variableDeclaration, .functionDeclaration, .block, .emptyStatement, .expressionStatement, .ifStatement,
            .forStatement, .forInStatement, .whileStatement, .doWhileStatement, .continueStatement, .breakStatement,
            .returnStatement, .switchStatement, .switchCase, .labeledStatement, .throwStatement, .tryStatement,
            .catchClause, .debuggerStatement, .letBlock:
            try readStatement(id)
        default: _ = try read(id)
        }
    }

    func readDeclarator(_ id: NodeID) throws(Doubt) {
        guard tree.kind(id) == .declarator else { return try readPart(id) }
        let value = tree.child(id, 1)
        if !value.isAbsent { try assign(tree.child(id, 0), of: value) }
    }

    private func readForIn(_ id: NodeID) throws(Doubt) {
        let target = tree.child(id, 0)
        let source = tree.child(id, 1)
        let value = try read(source)
        let targets =
            tree.kind(target) == .variableDeclaration ? tree.children(target).map { tree.child($0, 0) } : [target]
        if tree.kind(target) == .variableDeclaration {
            for child in tree.children(target) { try readDeclarator(child) }
        }
        for target in targets {
            if tree.loopKind(id) == .keys {
                try assign(target, tree.isPair(target) ? part(of: value) : .primitive)
                if tree.kind(target) == .identifier {
                    let key = variable(target)
                    let text = tree.text(tree.unwrapped(source))
                    // In two loops it may be a key of the other's object.
                    loopKeys[key] = loopKeys[key] == nil || loopKeys[key] == text ? text : ""
                }
            } else {
                try assign(target, tree.loopKind(id) == .each ? part(of: value) : element(of: value))
            }
        }
        if usesIterators { note(id, if: value.node, "\(place) loops over what may be an iterator of the top level") }
        try readStatement(tree.child(id, 2))
    }

    /// Whether loops may ask objects of the script for an iterator.
    private var usesIterators: Bool { names.free.contains { $0.name == "Iterator" } }
}
