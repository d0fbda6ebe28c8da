/// Translates access to XML into access to properties: the runtime's XML objects know keys like `@name`, `..name` and
/// `{uri}name`, so that reading, assigning, deleting and calling all work unchanged.
extension Translator {
    /// An expression whose value is a key: code around another expression.
    private struct Key {
        var before: String
        var expression: NodeID?
        var after = ""
    }

    mutating func translateXMLAccess(_ id: NodeID) {
        find(.xmlAccess, tree.range(tree.child(id, 1)))
        helpers.insert(.xml)
        guard let key = key(of: tree.child(id, 1)) else { return }
        let descends = tree.kind(id) == .xmlDescendants ? "\"..\" + " : ""
        let start = tree.range(tree.child(id, 0)).end
        put(key, SourceRange(start, tree.range(id).end), "[\(descends)", "]")
    }

    /// A name without an object before it: in a filter it is looked up on what is being filtered.
    mutating func translateXMLSelector(_ id: NodeID) {
        guard !seenSelectors.contains(id) else { return }
        find(.xmlAccess, tree.range(id))
        helpers.insert(.xml)
        guard filters > 0 else {
            return refuse(.xmlAccess, tree.range(id), "it has no object before it and is not in a filter")
        }
        guard let key = key(of: id) else { return }
        put(key, tree.range(id), "\(RuntimeHelper.name)_item[", "]")
    }

    private mutating func put(_ key: Key, _ range: SourceRange, _ before: String, _ after: String) {
        guard let expression = key.expression else {
            return edits.replace(range, before + key.before + key.after + after)
        }
        edits.replace(SourceRange(range.start, tree.range(expression).start), before + key.before)
        edits.replace(SourceRange(tree.range(expression).end, range.end), key.after + after)
    }

    private mutating func key(of selector: NodeID) -> Key? {
        seenSelectors.insert(selector)
        switch tree.kind(selector) {
        case .xmlWildcard: return Key(before: "\"*\"")
        case .xmlAttribute:
            guard var key = key(of: tree.child(selector, 0)) else { return nil }
            key.before = "\"@\" + " + key.before
            return key
        case .xmlComputed:
            return Key(
                before: "\(RuntimeHelper.name).key(", expression: tree.child(selector, 0), after: ")")
        case .xmlQualified:
            let namespace = tree.child(selector, 0)
            seenSelectors.insert(namespace)
            let isWildcard = tree.kind(namespace) == .xmlWildcard
            if !isWildcard, tree.name(namespace) == "function" {
                refuse(.xmlAccess, tree.range(selector), "function:: is not supported")
                return nil
            }
            guard var key = key(of: tree.child(selector, 1)) else { return nil }
            let uri = isWildcard ? "\"*\"" : tree.text(namespace)
            key.before = "\(RuntimeHelper.name).qualified(\(uri), \(key.before)"
            key.after += ")"
            return key
        default: return Key(before: "\"\(tree.name(selector))\"")
        }
    }

    // MARK: Filters

    /// `list.(condition)` becomes `list["()"]((item) => { with (scope(item)) return (condition) })`.
    mutating func translateXMLFilter(_ id: NodeID) {
        let condition = tree.range(tree.child(id, 1))
        find(.xmlFilter, condition)
        helpers.insert(.xml)
        let isStrict = tree.functionTraits(function ?? tree.root).contains(.strict)
        guard !isStrict else {
            return refuse(.xmlFilter, condition, "it does not work in strict mode")
        }
        let item = "\(RuntimeHelper.name)_item"
        // Names that nothing declares may be those of elements which not every item has.
        let unknown = Set(freeNames(in: condition)).sorted().joined(separator: " ")
        edits.replace(
            SourceRange(tree.range(tree.child(id, 0)).end, condition.start),
            "[\"()\"]((\(item)) => { with (\(RuntimeHelper.name).scope(\(item), \"\(unknown)\")) return (")
        edits.replace(SourceRange(condition.end, tree.range(id).end), ") })")
    }

    private func freeNames(in range: SourceRange) -> [String] {
        var low = 0
        var high = names.free.count
        while low < high {
            let middle = (low + high) / 2
            if tree.range(names.free[middle].node).start < range.start { low = middle + 1 } else { high = middle }
        }
        let assigned = Set(names.free.filter(\.isWrite).map(\.name))
        return names.free[low...].prefix { tree.range($0.node).end <= range.end }.map(\.name).filter {
            !assigned.contains($0)
        }
    }

    // MARK: Operators

    mutating func translateXMLOperator(_ id: NodeID) {
        guard xml.isUsed else { return }
        switch (tree.kind(id), tree.operation(id)) {
        case (.binary, .plus): joinXML(id)
        case (.binary, .equal), (.binary, .notEqual): compareXML(id)
        case (.assignment, .plusAssign): appendXML(id)
        case (.unary, .typeof):
            let operand = tree.child(id, 0)
            guard xml.isXML(operand) else { return }
            helpers.insert(.xml)
            edits.replace(
                SourceRange(tree.range(id).start, tree.range(operand).start),
                "\(RuntimeHelper.name).type(\(orUndefined(tree.unwrapped(operand)))")
            edits.close(tree.range(id).end, ")")
        default: break
        }
    }

    /// Returns a guard for `typeof` of a variable that does not exist, which would fail in a call.
    private func orUndefined(_ operand: NodeID) -> String {
        guard tree.kind(operand) == .identifier, isFree(operand) else { return "" }
        return "typeof \(tree.text(operand)) === \"undefined\" ? void 0 : "
    }

    private func operatorRange(_ id: NodeID) -> SourceRange {
        SourceRange(tree.range(tree.child(id, 0)).end, tree.range(tree.child(id, 1)).start)
    }

    /// The sum of XML and XML is a list; the sum of XML and a string is a string.
    private mutating func joinXML(_ id: NodeID) {
        guard xml.isXML(tree.child(id, 0)), xml.isXML(tree.child(id, 1)) else { return }
        call("add", id)
    }

    private mutating func call(_ helper: String, _ id: NodeID, before: String = "") {
        helpers.insert(.xml)
        edits.open(tree.range(id).start, "\(before)\(RuntimeHelper.name).\(helper)(")
        let range = operatorRange(id)
        edits.replace(range, ", ")
        edits.close(tree.range(id).end, ")")
    }

    private mutating func compareXML(_ id: NodeID) {
        let sides = [tree.child(id, 0), tree.child(id, 1)]
        guard let other = xml.isXML(sides[0]) ? sides[1] : xml.isXML(sides[1]) ? sides[0] : nil else { return }
        switch tree.kind(tree.unwrapped(other)) {
        // The engine compares an object with a string or number in the same way.
        case .stringLiteral, .numberLiteral, .templateLiteral: return
        default: call("equal", id, before: tree.operation(id) == .notEqual ? "!" : "")
        }
    }

    private mutating func appendXML(_ id: NodeID) {
        let target = tree.child(id, 0)
        let value = tree.child(id, 1)
        guard xml.isXML(value), tree.kind(target) == .identifier || xml.isXML(target) else { return }
        guard let text = line(target), !tree.contains(target, .call), !tree.contains(target, .xmlFilter) else {
            return refuse(.xmlLiteral, tree.range(id), "+= needs a variable or property on one line before it")
        }
        helpers.insert(.xml)
        var again = text
        if tree.kind(target) != .identifier {
            // The left side of += is evaluated twice, so it must read alike both times.
            guard let plain = translatedText(of: target) else {
                return refuse(.xmlLiteral, tree.range(id), "+= needs a plain variable or property before it")
            }
            again = plain
        }
        let range = operatorRange(id)
        edits.replace(range, "= \(RuntimeHelper.name).add(\(again), ")
        edits.close(tree.range(id).end, ")")
    }

    /// Returns the translated source of a chain of properties and plain E4X accesses.
    private mutating func translatedText(of id: NodeID) -> String? {
        switch tree.kind(id) {
        case .identifier, .thisExpression: return tree.text(id)
        case .member:
            return translatedText(of: tree.child(id, 0)).map { "\($0).\(tree.text(tree.child(id, 1)))" }
        case .index:
            guard let key = line(tree.child(id, 1)), let object = translatedText(of: tree.child(id, 0)),
                [.numberLiteral, .stringLiteral, .identifier].contains(tree.kind(tree.child(id, 1)))
            else { return nil }
            return "\(object)[\(key)]"
        case .xmlAccess:
            guard let object = translatedText(of: tree.child(id, 0)), let key = key(of: tree.child(id, 1)),
                key.expression == nil
            else { return nil }
            return "\(object)[\(key.before)\(key.after)]"
        default: return nil
        }
    }
}
