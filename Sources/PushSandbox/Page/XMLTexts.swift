import Foundation
import FoundationXML

/// The outermost element of a message to WNS, the strings of a toast or a tile, and the value of a badge.
final class XMLTexts: NSObject, XMLParserDelegate {
    private(set) var root = ""
    private(set) var texts: [String] = []
    private(set) var badge: String?
    private var isInText = false
    private var depth = 0

    /// - Returns: `nil` when the bytes are not well-formed XML.
    static func read(_ bytes: [UInt8]) -> XMLTexts? {
        let parser = XMLParser(data: Data(bytes))
        let reader = XMLTexts()
        parser.delegate = reader
        // A missing end is not an error to the parser.
        return parser.parse() && reader.depth == 0 ? reader : nil
    }

    func parser(
        _ parser: XMLParser, didStartElement elementName: String, namespaceURI: String?, qualifiedName: String?,
        attributes: [String: String]
    ) {
        if depth == 0 { root = elementName }
        depth += 1
        if elementName == "badge" { badge = attributes["value"] }
        isInText = elementName == "text"
        if isInText { texts.append("") }
    }

    func parser(_ parser: XMLParser, foundCharacters string: String) {
        if isInText, let last = texts.popLast() { texts.append(last + string) }
    }

    func parser(
        _ parser: XMLParser, didEndElement elementName: String, namespaceURI: String?, qualifiedName: String?
    ) {
        isInText = false
        depth -= 1
    }
}
