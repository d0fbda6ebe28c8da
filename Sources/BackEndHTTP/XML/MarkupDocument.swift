import CLibXML

/// A parsed XML or HTML document. To be used by one thread only.
final class MarkupDocument {
    let pointer: xmlDocPtr

    /// Takes the document over.
    init(owning pointer: xmlDocPtr) {
        self.pointer = pointer
    }

    deinit {
        xmlFreeDoc(pointer)
    }

    var root: xmlNodePtr? { xmlDocGetRootElement(pointer) }

    /// Parses a decoded string; the encoding that it declares is ignored. HTML is tidied: a broken page is read as browsers would. Entities that the
    /// document declares are expanded, up to libxml2's limit; anything outside of the document is refused, and so are more than 256 nested elements.
    static func parse(_ text: String, isHTML: Bool) throws(ConversionError) -> MarkupDocument {
        var text = text
        return try LibXML.withPermission(folder: nil) { permission throws(ConversionError) in
            let parsed = text.withUTF8 { bytes in Self.parse(bytes, isHTML: isHTML) }
            if let refused = permission.refusals.first {
                if let pointer = parsed.pointer { xmlFreeDoc(pointer) }
                throw .xml("it refers to '\(refused)' outside of itself, which is not read")
            }
            guard let pointer = parsed.pointer else { throw .xml(parsed.error) }
            return MarkupDocument(owning: pointer)
        }
    }

    private static func parse(_ bytes: UnsafeBufferPointer<UInt8>, isHTML: Bool) -> (pointer: xmlDocPtr?, error: String)
    {
        guard let start = bytes.baseAddress, let size = Int32(exactly: bytes.count) else {
            return (nil, "it is too large")
        }
        return start.withMemoryRebound(to: CChar.self, capacity: bytes.count) { start in
            guard let context = isHTML ? htmlNewParserCtxt() : xmlNewParserCtxt() else { return (nil, "no memory") }
            defer { isHTML ? htmlFreeParserCtxt(context) : xmlFreeParserCtxt(context) }
            let silent = Int32(XML_PARSE_NOERROR.rawValue | XML_PARSE_NOWARNING.rawValue | XML_PARSE_NONET.rawValue)
            let pointer: xmlDocPtr?
            if isHTML {
                let options = silent | Int32(HTML_PARSE_RECOVER.rawValue | HTML_PARSE_COMPACT.rawValue)
                pointer = htmlCtxtReadMemory(context, start, size, nil, "UTF-8", options)
            } else {
                let options =
                    silent | Int32(XML_PARSE_NOENT.rawValue | XML_PARSE_NOCDATA.rawValue | XML_PARSE_COMPACT.rawValue)
                pointer = xmlCtxtReadMemory(context, start, size, nil, "UTF-8", options)
            }
            let error = context.pointee.lastError
            let isTooDeep = isHTML && error.level == XML_ERR_FATAL && context.pointee.disableSAX != 0
            guard let pointer, !isTooDeep else {
                if let pointer { xmlFreeDoc(pointer) }
                let message = error.message.map { String(cString: $0).trimmed } ?? "it has no content"
                return (nil, "\(message) at line \(error.line), column \(error.int2)")
            }
            return (pointer, "")
        }
    }
}
