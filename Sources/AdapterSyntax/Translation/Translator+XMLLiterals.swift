extension Translator {
    /// `<a b={c}>{d}</a>` becomes `xml("<a b=" + attribute(c) + ">" + text(d) + "</a>")`: the runtime reads the XML, as
    /// Rhino did, when the expression is evaluated.
    mutating func translateXMLLiteral(_ id: NodeID) {
        let range = tree.range(id)
        find(.xmlLiteral, SourceRange(range.start, range.start + 1))
        helpers.insert(.xml)
        let name = RuntimeHelper.name
        var piece = Array("\(name).xml(\"".utf8)
        var position = range.start
        for hole in tree.children(id) {
            let place = tree.range(hole)
            let function =
                switch XMLHole(rawValue: tree.detail(hole)) {
                case .attributeValue: "attribute"
                case .name: "name"
                case .text, nil: "text"
                }
            piece += quoted(SourceRange(position, place.start)) + Array("\" + \(name).\(function)(".utf8)
            edits.rewrite(SourceRange(position, place.start + 1), piece)
            piece = Array(") + \"".utf8)
            position = place.end - 1
            // The brace that ends the expression is a part of the next piece.
            edits.rewrite(SourceRange(position, position + 1), piece)
            position += 1
            piece = []
        }
        piece += quoted(SourceRange(position, range.end)) + Array("\")".utf8)
        edits.rewrite(SourceRange(position, range.end), piece)
    }

    /// Returns a piece of the literal as the inside of a quoted string; the string is ended and resumed at each end of a line.
    private func quoted(_ range: SourceRange) -> [UInt8] {
        var result: [UInt8] = []
        let bytes = tree.source.bytes
        var index = range.start
        while index < range.end {
            let byte = bytes[index]
            if let width = SourceText.lineTerminatorWidth(in: bytes, at: index) {
                result += Array("\\n\" +".utf8) + bytes[index..<index + width] + Array("\"".utf8)
                index += width
                continue
            }
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): result += [UInt8(ascii: "\\"), byte]
            case 0..<0x20: result += Array("\\x\(byte < 16 ? "0" : "")\(String(byte, radix: 16))".utf8)
            default: result.append(byte)
            }
            index += 1
        }
        return result
    }

    // MARK: default xml namespace

    /// The namespace that names without prefix have from here on; it ends with the function.
    mutating func translateNamespace(_ id: NodeID) {
        let value = tree.child(id, 0)
        find(.defaultXMLNamespace, SourceRange(tree.range(id).start, tree.range(value).start))
        helpers.insert(.xml)
        edits.replace(
            SourceRange(tree.range(id).start, tree.range(value).start), "\(RuntimeHelper.name).setNamespace(")
        edits.close(tree.range(value).end, ")")
    }

    /// Returns whether a function's body, without nested functions, sets the namespace.
    func hasNamespace(_ body: NodeID) -> Bool {
        xml.isUsed && tree.kind(body) == .functionBody && tree.contains(body, .defaultXMLNamespace)
    }

    mutating func restoreNamespace(_ body: NodeID) {
        let name = RuntimeHelper.name
        edits.open(tree.range(body).start + 1, "var \(name)_namespace = \(name).namespace(); try {")
        edits.close(tree.range(body).end - 1, "} finally { \(name).setNamespace(\(name)_namespace) }")
    }
}
