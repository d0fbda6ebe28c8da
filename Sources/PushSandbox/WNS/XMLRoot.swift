import Foundation
import FoundationXML

/// Reads XML to its end.
final class XMLRoot: NSObject, XMLParserDelegate {
    private var root: String?
    private var depth = 0

    /// The name of the outermost element; nil when the text is not well-formed.
    static func name(of bytes: [UInt8]) -> String? {
        let parser = XMLParser(data: Data(bytes))
        let reader = XMLRoot()
        parser.delegate = reader
        // An end that is missing is no error to the parser.
        return parser.parse() && reader.depth == 0 ? reader.root : nil
    }

    func parser(
        _ parser: XMLParser, didStartElement elementName: String, namespaceURI: String?, qualifiedName: String?,
        attributes: [String: String]
    ) {
        if root == nil { root = elementName }
        depth += 1
    }

    func parser(
        _ parser: XMLParser, didEndElement elementName: String, namespaceURI: String?, qualifiedName: String?
    ) {
        depth -= 1
    }
}
