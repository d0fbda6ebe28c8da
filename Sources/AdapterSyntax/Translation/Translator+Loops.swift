extension Translator {
    /// `for each`, loops over pairs, and loops over what may be one of Rhino's iterators.
    mutating func translateLoop(_ id: NodeID) {
        let target = tree.child(id, 0)
        let object = tree.child(id, 1)
        let helper: String
        switch tree.loopKind(id) {
        case .values: return
        case .each:
            let head = SourceRange(tree.range(id).start, tree.range(object).end)
            find(.forEach, SourceRange(head.start, min(head.end, head.start + 8)))
            if let each = token(at: tree.range(id).start + 3) { edits.replace(each.range, "") }
            helper = "values"
        case .keys where tree.isPair(target):
            find(.pairLoop, tree.range(target))
            helper = "pairs"
        case .keys:
            guard hasIterators else { return }
            helper = "keys"
        }
        helpers.insert(.iteration)
        guard let word = token(at: tree.range(target).end) else { return }
        if let initializer = tree.loopInitializer(target) {
            return translateLoop(id, from: initializer, word, helper)
        }
        edits.replace(word.range, "of")
        wrap(object, "\(RuntimeHelper.name).\(helper)(", ")")
    }

    /// `for (var x = a in o)` becomes `for (var x of keys((x = a, o)))`: a loop with `of` cannot have a first value.
    private mutating func translateLoop(_ id: NodeID, from initializer: NodeID, _ word: Token, _ helper: String) {
        let name = tree.child(tree.child(tree.child(id, 0), 0), 0)
        guard let text = line(name) else {
            return refuse(
                tree.loopKind(id) == .each ? .forEach : .pairLoop, tree.range(name),
                "a pattern with a first value must be on one line")
        }
        edits.replace(
            SourceRange(tree.range(name).end, tree.range(initializer).start),
            " of \(RuntimeHelper.name).\(helper)((\(text) = ")
        edits.replace(word.range, ",")
        edits.close(tree.range(tree.child(id, 1)).end, "))")
    }

    /// Puts an expression into a call: a sequence needs additional parentheses.
    mutating func wrap(_ id: NodeID, _ before: String, _ after: String) {
        let isSequence = tree.kind(id) == .sequence
        edits.open(tree.range(id).start, before + (isSequence ? "(" : ""))
        edits.close(tree.range(id).end, (isSequence ? ")" : "") + after)
    }

    // MARK: Comprehensions

    /// `[body for (x in a) for (y in b) if (c)]` becomes a call whose parts are in the same order:
    /// `list((x, y) => (body), ["keys", () => (a)], ["keys", (x) => (b)], (x, y) => (c))`.
    mutating func translateComprehension(_ id: NodeID) {
        let isArray = tree.kind(id) == .arrayComprehension
        let construct: RhinoConstruct = isArray ? .arrayComprehension : .generatorExpression
        find(construct, tree.range(id))
        let parts = Array(tree.children(id))
        let body = parts[0]
        let loops = parts[1..<parts.count - 1]
        let condition = parts[parts.count - 1]
        guard !tree.contains(id, .yield) else { return refuse(construct, tree.range(id), "yield is not allowed in it") }
        var parameters: [String] = []
        for loop in loops {
            guard let text = line(tree.child(loop, 0)) else {
                return refuse(construct, tree.range(loop), "the pattern must be on one line")
            }
            parameters.append(text)
        }
        helpers.insert(.iteration)
        let all = parameters.joined(separator: ", ")
        let head = "\(RuntimeHelper.name).\(isArray ? "list" : "lazy")((\(all)) => ("
        if isArray {
            edits.replace(SourceRange(tree.range(id).start, tree.range(body).start), head)
        } else {
            edits.open(tree.range(id).start, head)
        }
        var position = tree.range(body).end
        for (index, loop) in loops.enumerated() {
            let source = tree.range(tree.child(loop, 1))
            let kind =
                tree.isPair(tree.child(loop, 0)) && tree.loopKind(loop) == .keys ? "pairs" : "\(tree.loopKind(loop))"
            let known = parameters[..<index].joined(separator: ", ")
            edits.replace(
                SourceRange(position, source.start), (index == 0 ? ")" : ")]") + ", [\"\(kind)\", (\(known)) => (")
            position = source.end
        }
        let end = tree.range(id).end
        if condition.isAbsent {
            edits.replace(SourceRange(position, end), ")])")
        } else {
            edits.replace(SourceRange(position, tree.range(condition).start), ")], (\(all)) => (")
            edits.replace(SourceRange(tree.range(condition).end, end), "))")
        }
    }
}
