extension SyntaxTree {
    /// Returns whether a loop's target takes key and value: JavaScript 1.7's `for ([key, value] in object)`.
    func isPair(_ target: NodeID) -> Bool {
        let pattern = kind(target) == .variableDeclaration ? child(child(target, 0), 0) : target
        return kind(pattern) == .arrayPattern && childCount(pattern) == 2
    }

    /// Returns the first value of a loop's variable, which ES5 allowed: `0` in `for (var i = 0 in object)`.
    func loopInitializer(_ target: NodeID) -> NodeID? {
        guard kind(target) == .variableDeclaration else { return nil }
        let value = child(child(target, 0), 1)
        return value.isAbsent ? nil : value
    }

    /// Returns whether `id` or its descendants, without nested functions, have a node of that kind.
    func contains(_ id: NodeID, _ wanted: NodeKind) -> Bool {
        var result = false
        walk(
            from: id,
            enter: { node in
                if kind(node) == wanted { result = true }
                return node == id || !isFunction(node)
            }, leave: { _ in })
        return result
    }

    /// Returns the end of the directives at the beginning of a function's body, such as "use strict"; `nil` when there are none.
    func endOfDirectives(_ body: NodeID) -> Int? {
        children(body).prefix(while: isDirective).last.map { range($0).end }
    }

    /// Returns whether a statement is nothing but a string, and so a directive at the beginning of a function or script.
    func isDirective(_ statement: NodeID) -> Bool {
        kind(statement) == .expressionStatement && kind(child(statement, 0)) == .stringLiteral
    }

    /// Returns the object that an expression changes in place: by assigning to a property, deleting it, or calling a method such as
    /// `push`.
    func objectChanged(by id: NodeID) -> NodeID? {
        let target: NodeID
        switch kind(id) {
        case .assignment, .prefixUpdate, .postfixUpdate: target = unwrapped(child(id, 0))
        case .unary where operation(id) == .delete: target = unwrapped(child(id, 0))
        case .call:
            target = child(id, 0)
            guard kind(target) == .member, Self.changingMethods.contains(text(child(target, 1))) else { return nil }
        default: return nil
        }
        return kind(target) == .member || kind(target) == .index ? unwrapped(child(target, 0)) : nil
    }

    /// Methods of lists, maps and sets that change them.
    private static let changingMethods: Set<String> = [
        "add", "clear", "copyWithin", "delete", "fill", "pop", "push", "reverse", "set", "shift", "sort", "splice",
        "unshift",
    ]
}
