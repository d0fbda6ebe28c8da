extension Translator {
    /// Translates names: constants that are assigned, and Rhino's names in the global scope.
    mutating func translateNames() {
        for binding in names.bindings where binding.kind == .const { translateConst(binding) }
        for reference in names.free { translateFree(reference) }
        translateConstsUsedOutside()
    }

    private mutating func translateFree(_ reference: NameTable.Reference) {
        let range = tree.range(reference.node)
        switch reference.name {
        case "XML", "XMLList", "QName", "Namespace", "isXMLName":
            helpers.insert(.xml)
            find(.xmlObject, range, reference.name)
        case "Iterator", "StopIteration":
            helpers.insert(.iteration)
            find(.iterator, range, reference.name)
        case "uneval":
            helpers.insert(.source)
            find(.toSource, range, "uneval")
        case "JavaAdapter":
            helpers.insert(.java)
            find(.javaAdapter, range, reference.name)
        case "JavaImporter":
            find(.javaImport, range, reference.name)
            // A name that the script assigns is like any other.
            if !names.free.contains(where: { $0.name == reference.name && $0.isWrite }) {
                translateImporter(reference.node)
            }
        case RuntimeHelper.name:
            problems.append(
                SourceSyntaxError(
                    "the name \(RuntimeHelper.name) belongs to the translation of Rhino's syntax: use another name",
                    at: range,
                    in: tree.source))
        default: break
        }
    }

    // MARK: Constants

    /// Rhino evaluates the right side of an assignment to a constant, returns it as the value, and leaves the constant unchanged.
    private mutating func translateConst(_ binding: NameTable.Binding) {
        for index in binding.references where names.references[index].isWrite {
            let target = names.references[index].node
            find(.assignedConst, tree.range(target), "assignment to the const \(binding.name)")
            constWrites.insert(target)
        }
    }

    /// Changes an assignment or update of a constant into its value.
    mutating func translateConstWrite(_ id: NodeID) {
        let target = tree.child(id, 0)
        let range = tree.range(id)
        switch tree.kind(id) {
        case .assignment where tree.kind(target) == .identifier:
            guard constWrites.remove(target) != nil else { return }
            let value = tree.range(tree.child(id, 1))
            if tree.operation(id) == .assign {
                edits.replace(SourceRange(range.start, value.start), "(")
                edits.close(value.end, ")")
            } else if let operation = token(at: tree.range(target).end) {
                let text = tree.source.text(in: operation.range).dropLast()
                edits.open(range.start, "(")
                edits.replace(operation.range, "\(text) (")
                edits.close(range.end, "))")
            }
        case .postfixUpdate where tree.kind(target) == .identifier:
            guard constWrites.remove(target) != nil else { return }
            edits.open(range.start, "(+")
            edits.replace(SourceRange(tree.range(target).end, range.end), ")")
        case .prefixUpdate where tree.kind(target) == .identifier:
            guard constWrites.remove(target) != nil else { return }
            edits.replace(SourceRange(range.start, tree.range(target).start), "(+")
            edits.close(range.end, tree.operation(id) == .increment ? " + 1)" : " - 1)")
        default: break
        }
    }

    /// Refuses assignments to a constant that have no translation: by a pattern or a loop.
    mutating func refuseOtherConstWrites() {
        for target in constWrites {
            refuse(
                .assignedConst, tree.range(target),
                "\(tree.text(target)) is a const and is assigned by a pattern or loop")
        }
    }

    /// In Rhino a constant is known in its whole function, and undefined before its declaration has run.
    private mutating func translateConstsUsedOutside() {
        var wanted: [String: [NameTable.Reference]] = [:]
        for reference in names.free { wanted[reference.name, default: []].append(reference) }
        var declarations: Set<NodeID> = []
        for binding in names.bindings where binding.kind == .const {
            let function = names.scopes[binding.scope].function
            guard binding.scope != function, let references = wanted[binding.name],
                references.contains(where: { isInside($0.scope, function) })
            else { continue }
            declarations.insert(binding.declaration)
        }
        guard !declarations.isEmpty else { return }
        for id in tree.all {
            guard tree.kind(id) == .variableDeclaration, tree.declarationKind(id) == .const,
                tree.names(in: id).contains(where: declarations.contains)
            else { continue }
            let start = tree.range(id).start
            constsMadeVar.append(SourceRange(start, start + 5))
        }
        for range in constsMadeVar {
            find(.constOutsideBlock, range)
            edits.replace(range, "var")
        }
    }

    private func isInside(_ scope: Int, _ outer: Int) -> Bool {
        var scope: Int? = scope
        while let current = scope {
            if current == outer { return true }
            scope = names.scopes[current].parent
        }
        return false
    }

    // MARK: Generics

    /// `Array.forEach(list, f)`, `list.map(String.trim)`
    mutating func translateGeneric(_ id: NodeID) {
        let object = tree.child(id, 0)
        guard tree.kind(object) == .identifier, isFree(object) else { return }
        let owner = tree.name(object)
        let name = tree.name(tree.child(id, 1))
        guard RuntimeHelper.genericNames[owner]?.contains(name) == true else { return }
        helpers.insert(.generics)
        if !overriddenBuiltIns.replaces(owner, name) { find(.generics, tree.range(id), "\(owner).\(name)") }
    }

    /// `text.replace("a", "b", "g")`, whose last argument JavaScript ignores.
    mutating func translateReplace(_ call: NodeID) {
        let callee = tree.child(call, 0)
        guard tree.childCount(call) == 4, tree.kind(callee) == .member,
            tree.name(tree.child(callee, 1)) == "replace",
            !tree.children(call).contains(where: { tree.kind($0) == .spread }),
            tree.kind(tree.child(callee, 0)) != .superExpression,
            tree.kind(tree.unwrapped(tree.child(call, 1))) != .regularExpression
        else { return }
        let object = tree.range(tree.child(callee, 0))
        let between = SourceRange(object.end, tree.range(tree.child(call, 1)).start)
        guard !tree.source.text(in: between).contains("?.") else { return }
        helpers.insert(.generics)
        find(.replaceFlags, tree.range(callee), "replace with flags")
        edits.open(object.start, "\(RuntimeHelper.name).replace(")
        edits.replace(between, ", ")
    }

    /// `value.toSource()`
    mutating func translateCall(_ id: NodeID) {
        let callee = tree.child(id, 0)
        guard tree.kind(callee) == .member, tree.name(tree.child(callee, 1)) == "toSource" else { return }
        helpers.insert(.source)
        find(.toSource, tree.range(callee), "toSource")
    }

    /// Returns whether an identifier refers to nothing that the script declares.
    func isFree(_ identifier: NodeID) -> Bool { freeNodes.contains(identifier) }
}
