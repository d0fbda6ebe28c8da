import CLibXML
import Core

/// Converts XML to JSON (server-api 2.2):
///
/// - The root element's name is the only key of the object. Names lose their prefix: `soap:Body` is `Body`, as the clients of the original read it.
///   Declarations of namespaces are left out.
/// - An element with neither attributes nor child elements is its character data, `""` when it is empty.
/// - Any other is an object: attributes first, then elements in the order in which their names first appear; a name that comes more than once, be it
///   as an attribute, is an array.
/// - The character data of such an element, all pieces of mixed content joined, is its `CDATA`; it is left out when blank.
/// - Blanks at the ends of character data are cut, inside they stay. CDATA sections are character data. Comments and processing instructions are left
///   out.
enum XMLToJSON {
    /// Returns the object in UTF-8.
    static func convert(_ text: String, isHTML: Bool) throws(ConversionError) -> [UInt8] {
        let document = try MarkupDocument.parse(text, isHTML: isHTML)
        guard let root = document.root else { throw .xml("it has no element") }
        var json: [UInt8] = [UInt8(ascii: "{")]
        json.reserveCapacity(text.utf8.count)
        JSONValue.write(string: Text(nameOf: root).bytes, to: &json)
        json.append(UInt8(ascii: ":"))
        write(root, to: &json)
        json.append(UInt8(ascii: "}"))
        return withExtendedLifetime(document) { json }
    }

    /// A string of libxml2's, which lives as long as the document.
    private struct Text: Hashable {
        let bytes: UnsafeBufferPointer<UInt8>

        init(_ bytes: UnsafeBufferPointer<UInt8>) {
            self.bytes = bytes
        }

        init(_ start: UnsafePointer<xmlChar>?) {
            bytes = UnsafeBufferPointer(start: start, count: start.map { Int(xmlStrlen($0)) } ?? 0)
        }

        /// HTML knows no namespaces: there `o:p` is a name.
        init(nameOf node: xmlNodePtr) {
            let name = Text(node.pointee.name).bytes
            let start = name.lastIndex(of: UInt8(ascii: ":")).map { $0 + 1 } ?? 0
            bytes = UnsafeBufferPointer(rebasing: name[start...])
        }

        static func == (one: Text, other: Text) -> Bool { one.bytes.elementsEqual(other.bytes) }

        func hash(into hasher: inout Hasher) { hasher.combine(bytes: UnsafeRawBufferPointer(bytes)) }
    }

    private enum Value {
        case attribute(xmlAttrPtr)
        case element(xmlNodePtr)
        case text([UInt8])
    }

    /// The members of an element's object, in the order in which their names first appear.
    private struct Members {
        struct Member {
            let name: Text
            let first: Value
            var others: [Value] = []
        }

        var list: [Member] = []
        private var places: [Text: Int] = [:]
        /// The number of names above which they are found by their hash.
        private static let few = 8

        mutating func add(_ value: Value, as name: Text) {
            if let last = list.last, last.name == name {
                list[list.count - 1].others.append(value)
            } else if let place = place(of: name) {
                list[place].others.append(value)
            } else {
                if list.count == Self.few { for (place, member) in list.enumerated() { places[member.name] = place } }
                if list.count >= Self.few { places[name] = list.count }
                list.append(Member(name: name, first: value))
            }
        }

        private func place(of name: Text) -> Int? {
            list.count > Self.few ? places[name] : list.firstIndex { $0.name == name }
        }
    }

    /// The parser's limit on depth bounds the recursion.
    private static func write(_ element: xmlNodePtr, to json: inout [UInt8]) {
        let first = element.pointee.children
        if element.pointee.properties == nil, first?.pointee.next == nil, first.map(isText) ?? true {
            return write(trimming: Text(first?.pointee.content).bytes, to: &json)
        }
        var members = Members()
        var attribute = element.pointee.properties
        while let current = attribute {
            members.add(.attribute(current), as: Text(current.pointee.name))
            attribute = current.pointee.next
        }
        var text: [UInt8] = []
        var child = first
        while let current = child {
            if current.pointee.type == XML_ELEMENT_NODE {
                members.add(.element(current), as: Text(nameOf: current))
            } else if isText(current) {
                text += Text(current.pointee.content).bytes
            }
            child = current.pointee.next
        }
        text.withUnsafeBufferPointer { text in
            guard !members.list.isEmpty else { return write(trimming: text, to: &json) }
            cdata.withUnsafeBufferPointer { name in
                if !text.allSatisfy(isBlank) { members.add(.text(Array(text)), as: Text(name)) }
                write(members, to: &json)
            }
        }
    }

    private static let cdata = Array("CDATA".utf8)

    private static func write(_ members: Members, to json: inout [UInt8]) {
        json.append(UInt8(ascii: "{"))
        for (index, member) in members.list.enumerated() {
            if index > 0 { json.append(UInt8(ascii: ",")) }
            JSONValue.write(string: member.name.bytes, to: &json)
            json.append(UInt8(ascii: ":"))
            guard !member.others.isEmpty else {
                write(member.first, to: &json)
                continue
            }
            json.append(UInt8(ascii: "["))
            write(member.first, to: &json)
            for value in member.others {
                json.append(UInt8(ascii: ","))
                write(value, to: &json)
            }
            json.append(UInt8(ascii: "]"))
        }
        json.append(UInt8(ascii: "}"))
    }

    private static func write(_ value: Value, to json: inout [UInt8]) {
        switch value {
        case .element(let node): write(node, to: &json)
        case .text(let text): text.withUnsafeBufferPointer { write(trimming: $0, to: &json) }
        case .attribute(let attribute):
            let first = attribute.pointee.children
            if first?.pointee.next == nil, first.map(isText) ?? true {
                return JSONValue.write(string: Text(first?.pointee.content).bytes, to: &json)
            }
            let content = xmlNodeListGetString(attribute.pointee.doc, first, 1)
            JSONValue.write(string: Text(content).bytes, to: &json)
            if let content { lamplighterFree(content) }
        }
    }

    private static func isText(_ node: xmlNodePtr) -> Bool {
        node.pointee.type == XML_TEXT_NODE || node.pointee.type == XML_CDATA_SECTION_NODE
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (byte >= 0x09 && byte <= 0x0D) }

    private static func write(trimming text: UnsafeBufferPointer<UInt8>, to json: inout [UInt8]) {
        let start = text.firstIndex { !isBlank($0) } ?? text.endIndex
        let end = (text[start...].lastIndex { !isBlank($0) }).map { $0 + 1 } ?? start
        JSONValue.write(string: UnsafeBufferPointer(rebasing: text[start..<end]), to: &json)
    }
}
