import Foundation
import FoundationXML

/// The texts of a toast or a tile, and the value of a badge.
final class XMLTexts: NSObject, XMLParserDelegate {
    private(set) var texts: [String] = []
    private(set) var badge: String?
    private var isInText = false

    static func read(_ bytes: [UInt8]) -> XMLTexts? {
        let parser = XMLParser(data: Data(bytes))
        let reader = XMLTexts()
        parser.delegate = reader
        return parser.parse() ? reader : nil
    }

    func parser(
        _ parser: XMLParser, didStartElement elementName: String, namespaceURI: String?, qualifiedName: String?,
        attributes: [String: String]
    ) {
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
    }
}
