/// E4X (ECMA-357): XML as a part of the language.
extension Parser {
    // MARK: Looking into XML

    /// Parses `name`, `*`, `@name`, `ns::name` or `[...]` behind `.`, `..`, `@` or `::`.
    mutating func xmlSelector() throws(ParserError) -> NodeID {
        let start = token.start
        switch token.kind {
        case .at:
            try advance()
            if try take(.leftBracket) {
                let computed = try xmlComputed(from: previousEnd - 1)
                return finish(.xmlAttribute, from: start, [computed])
            }
            let name = try xmlSelector()
            guard kind(name) != .xmlAttribute else {
                throw ParserError("expected an attribute's name after @", at: start)
            }
            return finish(.xmlAttribute, from: start, [name])
        case .times:
            try advance()
            let wildcard = finish(.xmlWildcard, from: start)
            return at(.doubleColon) ? try xmlQualified(wildcard) : wildcard
        default:
            guard at(.identifier) || token.kind.isKeyword else {
                throw unexpected("expected the name of an element or attribute")
            }
            try advance()
            let name = finish(.identifier, from: start)
            return at(.doubleColon) ? try xmlQualified(name) : name
        }
    }

    /// Parses `::name` behind a namespace.
    mutating func xmlQualified(_ namespace: NodeID) throws(ParserError) -> NodeID {
        let start = self.start(namespace)
        try expect(.doubleColon, "::")
        let nameStart = token.start
        let name: NodeID
        if try take(.leftBracket) {
            name = try xmlComputed(from: nameStart)
        } else if try take(.times) {
            name = finish(.xmlWildcard, from: nameStart)
        } else {
            guard at(.identifier) || token.kind.isKeyword else { throw unexpected("expected a name after ::") }
            try advance()
            name = finish(.identifier, from: nameStart)
        }
        return finish(.xmlQualified, from: start, [namespace, name])
    }

    private mutating func xmlComputed(from start: Int) throws(ParserError) -> NodeID {
        let key = try bracketed()
        return finish(.xmlComputed, from: start, [key])
    }

    // MARK: Literals

    private struct OpenElement {
        /// `nil` when the name is an expression.
        let name: String?
        let start: Int
    }

    /// Parses an XML literal. It is read by character, not by token; expressions in braces are the parser's again.
    mutating func xmlLiteral() throws(ParserError) -> NodeID {
        try descend()
        defer { ascend() }
        let start = token.start
        let outer = allowsIn
        allowsIn = true
        defer { allowsIn = outer }
        var holes: [NodeID] = []
        var open: [OpenElement] = []
        lexer.position = start
        repeat {
            guard lexer.position < lexer.count else { throw unclosed(open.last, from: start) }
            let byte = lexer.bytes[lexer.position]
            if byte == UInt8(ascii: "<") {
                try xmlMarkup(&open, &holes, literal: start)
            } else if byte == UInt8(ascii: "{") {
                holes.append(try xmlHole(.text))
            } else {
                lexer.position += 1
            }
        } while !open.isEmpty
        token.end = lexer.position
        try advance()
        return finish(.xmlLiteral, from: start, holes)
    }

    private func unclosed(_ element: OpenElement?, from start: Int) -> ParserError {
        let end = element.map { "</\($0.name ?? "...")>" } ?? ">"
        return ParserError(
            "the XML that begins here has no end: expected \(end)",
            at: SourceRange(element?.start ?? start, (element?.start ?? start) + 1))
    }

    private mutating func xmlMarkup(
        _ open: inout [OpenElement], _ holes: inout [NodeID], literal: Int
    ) throws(ParserError) {
        let start = lexer.position
        if lexer.take("<!--") {
            try skip(to: "-->", from: start)
        } else if lexer.take("<![CDATA[") {
            try skip(to: "]]>", from: start)
        } else if lexer.take("<?") {
            try skip(to: "?>", from: start)
        } else if lexer.take("</") {
            try xmlEndTag(&open, &holes, from: start)
        } else {
            lexer.position += 1
            if open.isEmpty, lexer.take(">") {
                open.append(OpenElement(name: "", start: start))
            } else {
                try xmlStartTag(&open, &holes, from: start)
            }
        }
        if open.count > Self.deepest {
            throw ParserError("the XML is nested too deeply: at most \(Self.deepest) levels are read", at: start)
        }
    }

    private mutating func skip(to end: StaticString, from start: Int) throws(ParserError) {
        while lexer.position < lexer.count {
            if lexer.take(end) { return }
            lexer.position += 1
        }
        throw ParserError("the markup that begins here has no end: expected \(end)", at: SourceRange(start, start + 2))
    }

    private mutating func xmlEndTag(
        _ open: inout [OpenElement], _ holes: inout [NodeID], from start: Int
    ) throws(ParserError) {
        guard let element = open.popLast() else {
            throw ParserError("an XML literal does not begin with </", at: SourceRange(start, start + 2))
        }
        var name = "…"
        if lexer.position < lexer.count, lexer.bytes[lexer.position] == UInt8(ascii: "{") {
            // Only the computed name shows whether it is the open element's.
            holes.append(try xmlHole(.name))
        } else {
            name = xmlName()
            // "</>" closes whatever is open when its name was computed.
            if let expected = element.name, expected != name {
                throw ParserError(
                    "</\(name)> does not close <\(expected)>: expected </\(expected)>",
                    at: SourceRange(start, lexer.position))
            }
        }
        skipXMLBlanks()
        guard lexer.take(">") else { throw ParserError("expected > to end </\(name)", at: lexer.position) }
    }

    private mutating func xmlStartTag(
        _ open: inout [OpenElement], _ holes: inout [NodeID], from start: Int
    ) throws(ParserError) {
        var name: String?
        if lexer.bytes[lexer.position] == UInt8(ascii: "{") {
            holes.append(try xmlHole(.name))
        } else {
            let text = xmlName()
            guard !text.isEmpty else { throw ParserError("\"<\" is not expected here: expected a value", at: start) }
            name = text
        }
        while true {
            skipXMLBlanks()
            let place = lexer.position
            guard place < lexer.count else { throw unclosed(nil, from: start) }
            if lexer.take("/>") { return }
            if lexer.take(">") {
                open.append(OpenElement(name: name, start: start))
                return
            }
            if lexer.bytes[place] == UInt8(ascii: "{") {
                holes.append(try xmlHole(.name))
            } else if xmlName().isEmpty {
                throw ParserError("expected an attribute, > or /> in the tag \(name.map { "<\($0)" } ?? "")", at: place)
            }
            skipXMLBlanks()
            guard lexer.take("=") else {
                throw ParserError("expected = after the attribute's name", at: lexer.position)
            }
            skipXMLBlanks()
            try xmlAttributeValue(&holes)
        }
    }

    private mutating func xmlAttributeValue(_ holes: inout [NodeID]) throws(ParserError) {
        let start = lexer.position
        let quote = lexer.bytes[start]
        if quote == UInt8(ascii: "{") {
            holes.append(try xmlHole(.attributeValue))
            return
        }
        guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
            throw ParserError("expected the attribute's value in quotes or braces", at: start)
        }
        lexer.position += 1
        while lexer.position < lexer.count {
            lexer.position += 1
            if lexer.bytes[lexer.position - 1] == quote { return }
        }
        throw ParserError("the attribute's value has no end", at: SourceRange(start, start + 1))
    }

    /// Parses an expression in braces. The lexer is before the opening brace, and behind the closing one afterwards.
    private mutating func xmlHole(_ place: XMLHole) throws(ParserError) -> NodeID {
        let start = lexer.position
        lexer.position += 1
        try advance()
        let value = try expression()
        guard at(.rightBrace) else { throw unexpected("expected } to end the expression in the XML") }
        lexer.position = token.end
        return add(.xmlHole, start, token.end, [value], detail: place.rawValue)
    }

    private mutating func skipXMLBlanks() {
        while lexer.position < lexer.count {
            switch lexer.bytes[lexer.position] {
            case 0x20, 0x09, 0x0A, 0x0D: lexer.position += 1
            default: return
            }
        }
    }

    private mutating func xmlName() -> String {
        let start = lexer.position
        while lexer.position < lexer.count {
            let byte = lexer.bytes[lexer.position]
            guard
                Lexer.isNamePart(byte) && byte != UInt8(ascii: "$") || byte >= 0x80 || byte == UInt8(ascii: ":")
                    || lexer.position > start && (byte == UInt8(ascii: "-") || byte == UInt8(ascii: "."))
            else { break }
            if lexer.position == start, Lexer.isDigit(byte) { break }
            lexer.position += 1
        }
        return source.text(in: SourceRange(start, lexer.position))
    }
}
