extension StateReader {
    /// Reads an expression for its value.
    func read(_ id: NodeID) throws(Doubt) -> Value {
        try step(at: id) { () throws(Doubt) in try readExpression(id) }
    }

    private func readExpression(_ id: NodeID) throws(Doubt) -> Value {
        switch tree.kind(id) {
        case .identifier: return readIdentifier(id)
        case .parenthesized: return try read(tree.child(id, 0))
        case .thisExpression: return readThis(id)
        case .nullLiteral, .trueLiteral, .falseLiteral, .numberLiteral, .bigIntLiteral, .stringLiteral, .hole:
            return .primitive
        case .templateLiteral:
            for child in tree.children(id) { _ = try read(child) }
            return .primitive
        case .regularExpression:
            noteMatcher(flags: String(tree.text(id).reversed().prefix { $0 != "/" }))
            return .fresh
        case .functionExpression, .arrowFunction, .method:
            try readFunction(id)
            noteOwnName(id)
            if let index = functionIndices[id] { escaping.insert(index) }
            return .fresh
        case .arrayLiteral:
            for child in tree.children(id) { store(try read(child), in: nil) }
            return .fresh
        case .spread:
            let value = try read(tree.child(id, 0))
            return element(of: value)
        case .objectLiteral: return try readObject(id)
        case .unary: return try readUnary(id)
        case .prefixUpdate, .postfixUpdate:
            try assign(tree.child(id, 0), .primitive)
            return .primitive
        case .binary: return try readBinary(id)
        case .assignment: return try readAssignment(id)
        case .conditional:
            _ = try read(tree.child(id, 0))
            return joined(try read(tree.child(id, 1)), try read(tree.child(id, 2)))
        case .call: return try readCall(id)
        case .new: return try readNew(id)
        case .member: return try readMember(id, tree.name(tree.child(id, 1)))
        case .index: return try readIndex(id)
        case .sequence:
            var last = Value.primitive
            for child in tree.children(id) { last = try read(child) }
            return last
        case .yield:
            if !tree.child(id, 0).isAbsent {
                let value = try read(tree.child(id, 0))
                graph.connect(value.node, to: functions[current].result)
                graph.connect(value.node, to: anyNamed)
            }
            return Value(node: unknownArguments)
        case .letExpression:
            for child in tree.children(id).dropLast() { try readDeclarator(child) }
            return try read(tree.child(id, tree.childCount(id) - 1))
        case .arrayComprehension, .generatorExpression: return try readComprehension(id)
        case .xmlLiteral:
            // What is put into a literal may be the object itself.
            let holes = try tree.children(id).map { (hole) throws(Doubt) in try read(tree.child(hole, 0)) }
            return Value(node: graph.join(holes.map(\.node)))
        case .xmlAccess, .xmlDescendants:
            let object = try read(tree.child(id, 0))
            try readSelector(tree.child(id, 1))
            return Value(node: graph.join(object.node, anyField))
        case .xmlFilter:
            let object = try read(tree.child(id, 0))
            _ = try read(tree.child(id, 1))
            return Value(node: graph.join(object.node, anyField))
        case .xmlAttribute, .xmlQualified, .xmlWildcard, .xmlComputed:
            // In a filter, of the object that is filtered.
            try readSelector(id)
            return Value(node: ValueGraph.shared)
        default: throw Doubt(node: id, reason: "this expression is not analysed")
        }
    }

    private func readSelector(_ id: NodeID) throws(Doubt) {
        switch tree.kind(id) {
        case .xmlComputed: _ = try read(tree.child(id, 0))
        case .xmlAttribute, .xmlQualified: for child in tree.children(id) { try readSelector(child) }
        case .index: _ = try read(id)
        default: break
        }
    }

    func joined(_ values: Value...) -> Value { joined(values) }

    func joined(_ values: [Value]) -> Value {
        Value(node: graph.join(values.map(\.node)), isPrimitive: values.allSatisfy(\.isPrimitive))
    }

    /// Something in a list, a map or a set.
    func element(of value: Value) -> Value { Value(node: graph.join(value.node, anyNamed)) }

    /// Something in an object, under any name.
    func part(of value: Value) -> Value {
        readsAnyField = true
        return Value(node: graph.join(value.node, anyField))
    }

    private func readIdentifier(_ id: NodeID) -> Value {
        let variable = variable(id)
        if case .undeclared(let name) = variable, !isAssigned(variable) {
            if NativeNames.primitives.contains(name) { return .primitive }
            if name == "arguments", current != 0 {
                refuse(id, "\(place) hands 'arguments' on")
                return Value(node: functions[current].arguments)
            }
            if name == "RegExp" { refuse(id, "\(place) uses what 'RegExp' remembers of the last match") }
            return .shared
        }
        variablesReadAsValues.insert(variable)
        return value(of: variable)
    }

    /// What a variable holds where the running function reads it.
    func value(of variable: Variable) -> Value {
        let owner = owner(variable)
        guard owner != 0, owner != current else { return Value(node: node(variable)) }
        return Value(node: graph.join(node(variable), functions[owner].load))
    }

    /// Whether the script assigns a name that it does not declare.
    func isAssigned(_ variable: Variable) -> Bool {
        switch variable {
        case .declared: true
        case .undeclared(let name): assignedNames.contains(name)
        }
    }

    private func readThis(_ id: NodeID) -> Value {
        var index = current
        while functions[index].isArrow { index = functions[index].outer }
        guard index != 0 else {
            refuse(id, "'this' is the global object here")
            return .shared
        }
        note(id, if: functions[index].thisIsGlobal, "'this' in \(place) may be the global object")
        return Value(node: functions[index].this)
    }

    private func readObject(_ id: NodeID) throws(Doubt) -> Value {
        var spread: [Value] = []
        for child in tree.children(id) {
            guard tree.kind(child) == .property else {
                spread.append(try read(child))
                continue
            }
            if tree.propertyTraits(child).contains(.computed) {
                _ = try read(tree.child(child, 0))
                try store(tree.child(child, 1), in: nil)
            } else {
                let key = tree.key(tree.child(child, 0))
                try store(tree.child(child, 1), in: key == "__proto__" ? nil : key)
            }
        }
        return Value(node: graph.join(spread.map(\.node)))
    }

    private func readUnary(_ id: NodeID) throws(Doubt) -> Value {
        let operand = tree.unwrapped(tree.child(id, 0))
        if tree.operation(id) == .delete {
            if tree.kind(operand) == .identifier {
                if owner(variable(operand)) == 0 {
                    refuse(id, variable: tree.name(operand), "\(place) deletes '\(tree.name(operand))'")
                }
            } else {
                try change(operand, at: id, verb: "deletes a part of")
            }
            return .primitive
        }
        if tree.operation(id) == .typeof, tree.kind(operand) == .identifier { return .primitive }
        if [.typeof, .not].contains(tree.operation(id)), tree.kind(operand) == .member {
            // Asks whether there is one.
            _ = try read(tree.child(operand, 0))
            return .primitive
        }
        _ = try read(operand)
        return .primitive
    }

    /// The left operands of a long sum are taken off one after the other: they are nested as deeply as the sum is long.
    private func readBinary(_ id: NodeID) throws(Doubt) -> Value {
        var operands: [Value] = []
        var left = id
        while tree.kind(left) == .binary {
            let right = tree.unwrapped(tree.child(left, 1))
            if tree.operation(left) == .instanceof, tree.kind(right) == .identifier {
                left = tree.child(left, 0)
                continue
            }
            let value = try read(right)
            let isChoice = [.and, .or, .coalesce].contains(tree.operation(left))
            if isChoice || (usesXML && tree.operation(left) == .plus) { operands.append(value) }
            // `a * (b || c)` is a number whatever its parts are, but then the parts do no harm.
            left = tree.child(left, 0)
        }
        operands.append(try read(left))
        let isResult = [.and, .or, .coalesce].contains(tree.operation(id)) || (usesXML && tree.operation(id) == .plus)
        return isResult ? joined(operands) : .primitive
    }

    private func readMember(_ id: NodeID, _ name: String) throws(Doubt) -> Value {
        let object = tree.unwrapped(tree.child(id, 0))
        if isArguments(object) {
            return name == "length" ? .primitive : Value(node: functions[current].arguments)
        }
        if name == "prototype", tree.kind(object) == .identifier { return .shared }
        if let path = nativePath(id) {
            if path.hasPrefix("Math.") || path.hasPrefix("Number.") { return .primitive }
            if path.hasPrefix("Object."), name != "prototype" { refuse(id, "\(place) hands '\(path)' on") }
        }
        return property(name, of: try read(object))
    }

    /// A property's value.
    func property(_ name: String, of object: Value) -> Value {
        if NativeNames.inheritedMembers.contains(name) { return .shared }
        let value = graph.makeNode()
        for source in [object.node, field(name), anyNamed] { graph.connect(source, to: value) }
        pendingReads.append((name, value))
        return Value(node: value)
    }

    private func readIndex(_ id: NodeID) throws(Doubt) -> Value {
        let object = tree.unwrapped(tree.child(id, 0))
        let key = tree.unwrapped(tree.child(id, 1))
        if isArguments(object) {
            _ = try read(key)
            return Value(node: functions[current].arguments)
        }
        if tree.kind(key) == .stringLiteral { return property(tree.key(key), of: try read(object)) }
        let value = try read(object)
        _ = try read(key)
        if isNumeric(key) { return element(of: value) }
        if isOwnKey(key, of: object) { return part(of: value) }
        // `__proto__` and `constructor` lead to what all objects have in common.
        readsAnyField = true
        return .shared
    }

    /// Whether the key is one that a loop over that object gave, and so one of its own.
    private func isOwnKey(_ key: NodeID, of object: NodeID) -> Bool {
        tree.kind(key) == .identifier && loopKeys[variable(key)] == tree.text(object)
    }

    /// Whether an identifier is the arguments of the running function.
    func isArguments(_ id: NodeID) -> Bool {
        tree.kind(id) == .identifier && tree.name(id) == "arguments" && freeReferences.contains(id) && current != 0
            && !functions[current].isArrow
    }

    private func readComprehension(_ id: NodeID) throws(Doubt) -> Value {
        if tree.kind(id) == .generatorExpression {
            note(id, if: functions[current].load, "a generator made while the script is loaded keeps its place")
        }
        for child in tree.children(id).dropFirst() where !child.isAbsent {
            if tree.kind(child) == .comprehensionLoop {
                let source = try read(tree.child(child, 1))
                let value = tree.loopKind(child) == .keys ? Value.primitive : part(of: source)
                try assign(tree.child(child, 0), value)
            } else {
                _ = try read(child)
            }
        }
        store(try read(tree.child(id, 0)), in: nil)
        return .fresh
    }

    /// Notes a regular expression, which keeps its place if it has the flag `g` or `y`.
    func noteMatcher(flags: String) {
        if flags.contains("g") || flags.contains("y") { graph.connect(functions[current].load, to: sharedMatcher) }
    }
}
