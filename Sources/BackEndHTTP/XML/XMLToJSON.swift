import CLibXML
import PushModel

/// How XML becomes JSON (server-api 2.2):
///
/// - The root element's name is the only key of the object. Names lose their prefix: `soap:Body` is `Body`, as the clients
///   of the original read it. Declarations of namespaces are left out.
/// - An element with neither attributes nor elements in it is its text, `""` when it is empty.
/// - Any other is an object: attributes first, then elements in the order in which their names first appear; a name that
///   comes more than once, be it as an attribute, is an array.
/// - The text of such an element, all pieces of mixed content joined, is its `CDATA`; it is left out when blank.
/// - Blanks at the ends of a text are cut, inside they stay. CDATA sections are text. Comments and processing instructions
///   are left out.
enum XMLToJSON {
    /// The object's text.
    static func convert(_ text: String, isHTML: Bool) throws(ConversionError) -> String {
        let document = try MarkupDocument.parse(text, isHTML: isHTML)
        guard let root = document.root else { throw .xml("it has no element") }
        var json: [UInt8] = [UInt8(ascii: "{")]
        json.reserveCapacity(text.utf8.count)
        write(name(root), to: &json)
        json.append(UInt8(ascii: ":"))
        write(root, to: &json)
        json.append(UInt8(ascii: "}"))
        return String(decoding: json, as: UTF8.self)
    }

    private enum Value {
        case attribute(String)
        case element(xmlNodePtr)
        case text(String)
    }

    private struct Member {
        let name: String
        var values: [Value]
    }

    /// The parser's limit on depth bounds the recursion.
    private static func write(_ element: xmlNodePtr, to json: inout [UInt8]) {
        var members: [Member] = []
        var places: [String: Int] = [:]
        func add(_ value: Value, as name: String) {
            if members.last?.name == name {
                members[members.count - 1].values.append(value)
            } else if let place = places[name] {
                members[place].values.append(value)
            } else {
                places[name] = members.count
                members.append(Member(name: name, values: [value]))
            }
        }

        var attribute = element.pointee.properties
        while let current = attribute {
            let content = xmlNodeListGetString(element.pointee.doc, current.pointee.children, 1)
            add(.attribute(content.map { String(cString: $0) } ?? ""), as: String(cString: current.pointee.name))
            if let content { lamplighterFree(content) }
            attribute = current.pointee.next
        }
        var text = ""
        var child = element.pointee.children
        while let current = child {
            switch current.pointee.type {
            case XML_ELEMENT_NODE: add(.element(current), as: name(current))
            case XML_TEXT_NODE, XML_CDATA_SECTION_NODE:
                if let content = current.pointee.content { text += String(cString: content) }
            default: break
            }
            child = current.pointee.next
        }
        text = text.trimmed
        guard !members.isEmpty else { return write(text, to: &json) }
        if !text.isEmpty { add(.text(text), as: "CDATA") }

        json.append(UInt8(ascii: "{"))
        for (index, member) in members.enumerated() {
            if index > 0 { json.append(UInt8(ascii: ",")) }
            write(member.name, to: &json)
            json.append(UInt8(ascii: ":"))
            if member.values.count > 1 { json.append(UInt8(ascii: "[")) }
            for (index, value) in member.values.enumerated() {
                if index > 0 { json.append(UInt8(ascii: ",")) }
                switch value {
                case .attribute(let text), .text(let text): write(text, to: &json)
                case .element(let node): write(node, to: &json)
                }
            }
            if member.values.count > 1 { json.append(UInt8(ascii: "]")) }
        }
        json.append(UInt8(ascii: "}"))
    }

    private static func write(_ text: String, to json: inout [UInt8]) {
        JSONValue.string(text).write(to: &json)
    }

    private static func name(_ node: xmlNodePtr) -> String {
        // HTML knows no namespaces: there `o:p` is a name.
        let name = String(cString: node.pointee.name)
        guard let colon = name.lastIndex(of: ":") else { return name }
        return String(name[name.index(after: colon)...])
    }
}
