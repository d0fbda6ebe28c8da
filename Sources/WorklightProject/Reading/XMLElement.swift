import Foundation
import FoundationXML

/// An element of a configuration file, with the line it starts on.
package struct XMLElement: Sendable {
    /// The name without its prefix; Worklight's files use any prefix.
    package let name: String
    let namespace: String
    package fileprivate(set) var attributes: [String: String]
    package let line: Int
    package fileprivate(set) var children: [XMLElement] = []
    fileprivate(set) var text = ""
    /// The keys of placeholders without a value, in its attributes and its own contents.
    private(set) var unresolvedKeys: [String] = []

    /// The first child of that name.
    package subscript(name: String) -> XMLElement? { children.first { $0.name == name } }

    /// The children of that name.
    package func all(_ name: String) -> [XMLElement] { children.filter { $0.name == name } }

    /// The contents without the white space around them; `nil` when nothing is left.
    var content: String? {
        let trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines)
        return trimmed.isEmpty ? nil : trimmed
    }

    /// Returns the attribute of that name, with any prefix.
    func attribute(_ name: String) -> String? {
        attributes[name] ?? attributes.first { $0.key.hasSuffix(":" + name) }?.value
    }

    /// Returns the value of an attribute or, if there is none, of a child: both forms occur.
    func value(_ name: String) -> String? { attributes[name] ?? self[name]?.content }

    /// The unresolved keys of the element and of all inside it.
    var allUnresolvedKeys: [String] { unresolvedKeys + children.flatMap(\.allUnresolvedKeys) }

    /// Returns the element with all placeholders replaced, also in its children.
    ///
    /// - Parameter expand: replaces the placeholders of a string and adds the keys without a value to the list.
    func expanded(by expand: (String, inout [String]) -> String) -> XMLElement {
        var copy = self
        var unresolved: [String] = []
        copy.attributes = attributes.mapValues { expand($0, &unresolved) }
        copy.text = expand(text, &unresolved)
        copy.unresolvedKeys = Set(unresolved).sorted()
        copy.children = children.map { $0.expanded(by: expand) }
        return copy
    }

    /// Parses a file's contents; the encoding that its XML declaration names is ignored.
    ///
    /// - Parameter path: the name of the file in problems.
    /// - Throws: ``ProjectError`` with the line at which it stops being XML.
    package static func read(_ text: String, path: String) throws(ProjectError) -> XMLElement {
        if let declaration = text.range(of: "<!ENTITY") {
            let line = text.utf8[..<declaration.lowerBound].count { $0 == UInt8(ascii: "\n") } + 1
            throw ProjectError(
                .error, file: path, line: line,
                "an entity is declared; entities are not allowed here, write their values"
            )
        }
        let builder = Builder()
        let parser = XMLParser(data: Data(withoutEncoding(text).utf8))
        parser.shouldProcessNamespaces = true
        parser.shouldResolveExternalEntities = false
        parser.delegate = builder
        let succeeded = parser.parse()
        if let problem = builder.problem { throw ProjectError(.error, file: path, line: problem.line, problem.text) }
        guard succeeded, let root = builder.root else {
            if let conflict = ProjectError.mergeConflict(in: text, file: path) { throw conflict }
            let mistake = builder.mistake
            throw ProjectError(
                .error, file: path, line: mistake?.line ?? 1, column: mistake?.column ?? 1,
                "not well-formed XML: \(mistake.map { Self.describe($0, in: text) } ?? "it is empty")")
        }
        return root
    }

    /// Returns the contents with blanks instead of `encoding="…"` in the XML declaration, so that every position keeps its line and column.
    private static func withoutEncoding(_ text: String) -> String {
        guard let match = text.prefixMatch(of: /<\?xml[^>]*?(\sencoding\s*=\s*(?:"[^"]*"|'[^']*'))/) else {
            return text
        }
        return text.replacingCharacters(
            in: match.1.startIndex..<match.1.endIndex, with: String(repeating: " ", count: match.1.count))
    }

    /// Describes libxml2's error code, for frequent mistakes.
    private static func describe(_ mistake: Mistake, in text: String) -> String {
        let opening = mistake.open.map { "<\($0.name)> of line \($0.line)" }
        switch mistake.code {
        case 4, 5, 77: return opening.map { "\($0) is not closed" } ?? "the file is empty or ends too soon"
        case 76:
            guard let opening else { return "a closing tag has no opening one" }
            return closingName(before: mistake, in: text).map { "the closing tag </\($0)> does not match \(opening)" }
                ?? "a closing tag does not match \(opening)"
        default: return describe(mistake.code)
        }
    }

    /// The name of the closing tag at which the parser stopped.
    private static func closingName(before mistake: Mistake, in text: String) -> String? {
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        guard lines.indices.contains(mistake.line - 1) else { return nil }
        // Behind the tag or within it.
        let tags = lines[mistake.line - 1].matches(of: /<\/\s*([^\s<>]+)/)
        let column = { (index: Substring.Index) in
            lines[mistake.line - 1].utf8.distance(from: lines[mistake.line - 1].startIndex, to: index)
        }
        return (tags.last { column($0.range.lowerBound) < mistake.column } ?? tags.first).map { String($0.1) }
    }

    private static func describe(_ code: Int) -> String {
        switch code {
        case 38, 39, 40: "an attribute's value is not quoted as it should be"
        case 42: "an attribute occurs twice"
        case 64: "characters precede <?xml, which must be at the very beginning of the file"
        case 65: "white space is missing between attributes"
        case 68: "a name is missing, perhaps after a '<' or '&' that should be written &lt; or &amp;"
        case 80: "a comment has '--' in it"
        case 73: "a '>' is missing"
        case 26: "an entity is used that is not declared"
        case 201: "a prefix is used that no xmlns attribute declares"
        default: "libxml2 error \(code)"
        }
    }

    /// The position at which the contents stop being XML.
    private struct Mistake {
        /// libxml2's.
        let code: Int
        let line: Int
        let column: Int
        /// The element that is open there.
        let open: (name: String, line: Int)?
    }

    /// Builds the tree.
    private final class Builder: NSObject, XMLParserDelegate {
        var root: XMLElement?
        var problem: (line: Int, text: String)?
        /// The first syntax error: later ones are mostly its consequences, and the parser ends elsewhere.
        var mistake: Mistake?
        private var open: [XMLElement] = []
        /// The names of ``open`` with their prefixes.
        private var names: [String] = []

        func parser(
            _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
            attributes: [String: String]
        ) {
            guard open.count < 200 else {
                problem = (parser.lineNumber, "elements nest deeper than 200 levels")
                return parser.abortParsing()
            }
            names.append(qualifiedName ?? name)
            open.append(
                XMLElement(
                    name: name, namespace: namespaceURI ?? "", attributes: attributes, line: parser.lineNumber))
        }

        func parser(_ parser: XMLParser, parseErrorOccurred error: any Error) {
            guard mistake == nil else { return }
            mistake = Mistake(
                code: (error as NSError).code, line: max(1, parser.lineNumber), column: max(1, parser.columnNumber),
                open: open.last.map { (names.last ?? $0.name, $0.line) })
        }

        func parser(_ parser: XMLParser, foundCharacters string: String) {
            guard !open.isEmpty else { return }
            open[open.count - 1].text += string
        }

        func parser(_ parser: XMLParser, foundCDATA block: Data) {
            self.parser(parser, foundCharacters: String(decoding: block, as: UTF8.self))
        }

        func parser(
            _ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?
        ) {
            guard let element = open.popLast() else { return }
            names.removeLast()
            if open.isEmpty {
                root = element
            } else {
                open[open.count - 1].children.append(element)
            }
        }
    }
}
