extension StateReader {
    // MARK: Assignments

    /// - Parameter isUsed: whether something else gets the assigned value as well.
    func readAssignment(_ id: NodeID, isUsed: Bool = true) throws(Doubt) -> Value {
        let target = tree.unwrapped(tree.child(id, 0))
        let source = tree.child(id, 1)
        let operation = tree.operation(id)
        if operation == .assign {
            if isUsed, tree.isFunction(tree.unwrapped(source)), let index = functionIndices[tree.unwrapped(source)] {
                escaping.insert(index)
            }
            return try assign(target, of: source)
        }
        let value = try read(source)
        let isChoice = [.andAssign, .orAssign, .coalesceAssign].contains(operation)
        guard isChoice || (usesXML && operation == .plusAssign) else {
            try assign(target, .primitive)
            return .primitive
        }
        let result = joined(value, try read(target))
        try assign(target, result)
        return result
    }

    /// Assigns the value of an expression.
    @discardableResult
    func assign(_ target: NodeID, of source: NodeID) throws(Doubt) -> Value {
        let expression = tree.unwrapped(source)
        let target = tree.unwrapped(target)
        if tree.isFunction(expression), let index = functionIndices[expression] {
            try readFunction(expression)
            noteOwnName(expression)
            switch tree.kind(target) {
            case .identifier:
                functionsOfVariable[variable(target), default: []].insert(index)
                assign(target, variable: variable(target), .fresh, mayBeFunction: false)
            case .member: try assign(target, .fresh, function: index)
            default:
                escaping.insert(index)
                try assign(target, .fresh)
            }
            return .fresh
        }
        let value = try read(expression)
        if tree.kind(target) == .identifier {
            assign(target, variable: variable(target), value, mayBeFunction: mayBeFunction(expression))
        } else {
            try assign(target, value)
        }
        if current == 0, tree.kind(target) == .member { inherit(tree.name(tree.child(target, 1)), expression) }
        return value
    }

    /// `F.prototype = …` at the top level: objects of the class have what it has.
    private func inherit(_ name: String, _ source: NodeID) {
        guard NativeNames.inheritedMembers.contains(name) else { return }
        guard tree.kind(source) == .objectLiteral else { return graph.connect(ValueGraph.shared, to: anyNamed) }
        for child in tree.children(source) {
            let isSimple = tree.kind(child) == .property && !tree.propertyTraits(child).contains(.computed)
            guard isSimple else { return graph.connect(ValueGraph.shared, to: anyNamed) }
            graph.connect(ValueGraph.shared, to: field(tree.key(tree.child(child, 0))))
        }
    }

    /// Assigns a value to a variable, a property, or the parts of a pattern.
    ///
    /// - Parameter function: the function that the value is.
    func assign(_ target: NodeID, _ value: Value, function: Int? = nil) throws(Doubt) {
        switch tree.kind(target) {
        case .identifier: assign(target, variable: variable(target), value, mayBeFunction: !value.isPrimitive)
        case .absent, .hole: break
        case .parenthesized, .declarator: try assign(tree.child(target, 0), value)
        case .assignmentPattern:
            let standard = try read(tree.child(target, 1))
            try assign(tree.child(target, 0), joined(value, standard))
        case .arrayPattern:
            for child in tree.children(target) where !child.isAbsent {
                let isRest = tree.kind(child) == .restElement
                try assign(isRest ? tree.child(child, 0) : child, isRest ? part(of: value) : element(of: value))
            }
        case .objectPattern:
            for child in tree.children(target) {
                if tree.kind(child) == .restElement {
                    try assign(tree.child(child, 0), part(of: value))
                } else if tree.propertyTraits(child).contains(.computed) {
                    _ = try read(tree.child(child, 0))
                    readsAnyField = true
                    try assign(tree.child(child, 1), .shared)
                } else {
                    try assign(tree.child(child, 1), property(tree.key(tree.child(child, 0)), of: value))
                }
            }
        case .member, .index, .xmlAccess, .xmlDescendants, .xmlFilter:
            try change(target, at: target, verb: "changes")
            try store(value, function, in: target)
        default: throw Doubt(node: target, reason: "this assignment is not analysed")
        }
    }

    private func assign(_ id: NodeID, variable: Variable, _ value: Value, mayBeFunction: Bool) {
        let node = node(variable)
        if mayBeFunction { variablesOfUnknownFunctions.insert(variable) }
        let owner = owner(variable)
        if case .undeclared(let name) = variable, NativeNames.isKnown(name) {
            refuse(id, variable: name, "\(place) replaces '\(name)' of the runtime")
        }
        guard current == 0 else {
            graph.connect(value.node, to: node)
            if owner != 0, owner != current {
                note(
                    id, if: functions[owner].load, variable: name(variable),
                    "\(place) changes '\(name(variable))', which a function keeps that ran while the script was loaded")
            }
            return
        }
        // The value of the top level is never read by a call where functions assign the variable.
        if !value.isPrimitive, !temporaries.contains(variable) { graph.connect(ValueGraph.shared, to: node) }
    }

    /// Notes that an object is changed: the one that has the property which `target` is.
    func change(_ target: NodeID, at id: NodeID, verb: String) throws(Doubt) {
        let object = tree.unwrapped(tree.child(target, 0))
        if isArguments(object) { return refuse(id, "\(place) changes 'arguments'") }
        let value = try read(object)
        if tree.kind(target) == .index { _ = try read(tree.child(target, 1)) }
        note(changeOf: object, value.node, at: id, verb: verb)
    }

    /// Notes that an object is changed if it is one that outlives the call.
    func note(
        changeOf object: NodeID, _ value: Node, at id: NodeID, verb: String, if condition: Node = ValueGraph.shared
    ) {
        let root = rootVariable(of: object)
        if current == 0 {
            if let path = nativePath(object), !path.contains(".prototype") {
                refuse(id, "the script changes '\(path)' of the runtime")
            }
            return
        }
        let name = root.map(name) ?? String(tree.text(object).prefix(40))
        let isTop = root.map { owner($0) == 0 } ?? false
        let text = isTop ? "'\(name)'" : "'\(name)', which may be or hold an object of the top level"
        note(id, if: value, and: condition, variable: isTop ? name : nil, "\(place) \(verb) \(text)")
    }

    /// The variable that a path begins with.
    private func rootVariable(of id: NodeID) -> Variable? {
        var id = tree.unwrapped(id)
        while tree.kind(id) == .member || tree.kind(id) == .index { id = tree.unwrapped(tree.child(id, 0)) }
        return tree.kind(id) == .identifier ? variable(id) : nil
    }

    // MARK: Properties

    /// Stores a value in the property that `target` is.
    private func store(_ value: Value, _ function: Int?, in target: NodeID) throws(Doubt) {
        var name: String?
        if tree.kind(target) == .member { name = tree.name(tree.child(target, 1)) }
        let key = tree.kind(target) == .index ? tree.unwrapped(tree.child(target, 1)) : NodeID.absent
        if tree.kind(key) == .stringLiteral { name = tree.key(key) }
        if name == "__proto__" { name = nil }
        if let function {
            if let name { functionsOfField[name, default: []].insert(function) } else { escaping.insert(function) }
        } else if !value.isPrimitive {
            if let name { fieldsOfUnknownFunctions.insert(name) } else { anyFieldHasUnknownFunctions = true }
        }
        // An object of the top level may be a prototype of one that a call makes.
        store(current == 0 && function == nil && !value.isPrimitive ? .shared : value, in: name)
    }

    /// Stores a value under a name; `nil` for any name, or an index.
    func store(_ value: Value, in name: String?) {
        graph.connect(value.node, to: name.flatMap { $0.first?.isNumber == true ? nil : field($0) } ?? anyNamed)
    }

    /// Stores the value of an expression in a property of an object literal.
    func store(_ source: NodeID, in name: String?) throws(Doubt) {
        let expression = tree.unwrapped(source)
        if tree.isFunction(expression), let index = functionIndices[expression] {
            try readFunction(expression)
            noteOwnName(expression)
            if let name { functionsOfField[name, default: []].insert(index) } else { functionsOfAnyField.insert(index) }
            return
        }
        if tree.kind(expression) == .identifier, isAssigned(variable(expression)) {
            pendingFields.append((name, variable(expression)))
            return store(value(of: variable(expression)), in: name)
        }
        let value = try read(expression)
        if mayBeFunction(expression) {
            if let name { fieldsOfUnknownFunctions.insert(name) } else { anyFieldHasUnknownFunctions = true }
        }
        store(value, in: name)
    }

    /// A function expression's own name leads to it.
    func noteOwnName(_ id: NodeID) {
        guard tree.kind(id) == .functionExpression, !tree.child(id, 0).isAbsent, let index = functionIndices[id] else {
            return
        }
        let name = variable(tree.child(id, 0))
        functionsOfVariable[name, default: []].insert(index)
        graph.connect(functions[functions[index].outer].load, to: node(name))
    }

    /// Whether an expression that is not a function's text can be a function.
    private func mayBeFunction(_ id: NodeID) -> Bool {
        switch tree.kind(id) {
        case .nullLiteral, .trueLiteral, .falseLiteral, .numberLiteral, .bigIntLiteral, .stringLiteral,
            .templateLiteral,
            .arrayLiteral, .objectLiteral, .regularExpression, .unary, .prefixUpdate, .postfixUpdate, .xmlLiteral,
            .thisExpression:
            false
        case .binary: [.and, .or, .coalesce].contains(tree.operation(id))
        default: true
        }
    }
}

extension NativeNames {
    /// Whether the runtime has something of that name.
    static func isKnown(_ name: String) -> Bool {
        freshFunctions.contains(name) || wrappers.contains(name) || primitives.contains(name)
            || freshStatics[name] != nil
            || ["WL", "MFP", "RegExp", "console", "arguments"].contains(name) || JavaLibrary.roots.contains(name)
    }
}
