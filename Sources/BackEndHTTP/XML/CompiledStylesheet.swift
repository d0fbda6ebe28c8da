import CLibXML
import Synchronization

/// A stylesheet that libxslt has compiled.
///
/// libxslt keeps a compiled stylesheet unchanged while it is applied, so any number of threads may apply it; it is freed
/// when the last of them lets go. That makes the pointer safe to share.
final class CompiledStylesheet: @unchecked Sendable {
    private let pointer: xsltStylesheetPtr
    private let name: String
    /// The memory for compilation errors. Its address is a setting of the process, so one stylesheet is compiled at a time. Concurrent
    /// transformations may report there too, such as a wrong pattern of format-number(), and do so late: so this memory stays.
    private static let compiling = Mutex(UnsafeMutablePointer<LamplighterComplaint>.allocate(capacity: 1))

    /// Reads and compiles a file, on a thread that may read it.
    init(path: String, name: String) throws(ConversionError) {
        self.name = name
        let mistake = FirstMistake()
        let (pointer, complaint) = Self.compiling.withLock { complaint -> (UInt, String) in
            complaint.initialize(to: LamplighterComplaint())
            lamplighterSetCompilationErrors(complaint)
            defer { lamplighterSetCompilationErrors(nil) }
            xmlResetLastError()
            mistake.beginListening()
            let pointer = xsltParseStylesheetFile(path)
            FirstMistake.endListening()
            return (UInt(bitPattern: pointer), Self.text(complaint))
        }
        guard let stylesheet = xsltStylesheetPtr(bitPattern: pointer) else {
            // libxslt only says that it cannot parse the file.
            throw .transformation("\(name) is not an XSL stylesheet: \(mistake.text ?? Self.reason(complaint))")
        }
        guard stylesheet.pointee.errors == 0 else {
            xsltFreeStylesheet(stylesheet)
            throw .transformation("\(name) has an error: \(Self.reason(complaint))")
        }
        self.pointer = stylesheet
    }

    deinit {
        xsltFreeStylesheet(pointer)
    }

    /// Returns the result of applying the stylesheet to `document`.
    func apply(
        to document: MarkupDocument, run: TransformationRun, permission: LibXML.Permission
    ) throws(ConversionError) -> String {
        guard let context = xsltNewTransformContext(pointer, document.pointer) else {
            throw .transformation("no memory")
        }
        // Of these, a call of a template takes one, and so does each xsl:choose or xsl:if around it. The thread's stack has
        // room for them.
        context.pointee.maxTemplateDepth = 10_000
        run.begin(context)
        defer { xsltFreeTransformContext(context) }
        var complaint = LamplighterComplaint()
        let (result, text) = withUnsafeMutablePointer(to: &complaint) { complaint in
            lamplighterSetTransformErrors(context, complaint)
            xmlSetStructuredErrorFunc(nil) { _, _ in }
            let result = xsltApplyStylesheetUser(pointer, document.pointer, nil, nil, nil, context)
            // From here on nobody else writes to the context.
            run.end()
            return (result, Self.text(complaint))
        }
        defer { if let result { xmlFreeDoc(result) } }
        if let refused = permission.refusals.first {
            throw .transformation("\(name) asks for '\(refused)', which is not in the adapter's folder")
        }
        guard let result, context.pointee.state == XSLT_STATE_OK else {
            throw .transformation("\(name): \(Self.reason(text))")
        }
        // A buffer without an encoder: UTF-8, whatever encoding the stylesheet asks for, since nobody saves it.
        guard let buffer = xmlAllocOutputBuffer(nil) else { throw .transformation("no memory") }
        defer { xmlOutputBufferClose(buffer) }
        guard xsltSaveResultTo(buffer, result, pointer) >= 0 else {
            throw .transformation("\(name): its output cannot be written")
        }
        guard let bytes = xmlOutputBufferGetContent(buffer) else { return "" }
        return String(
            decoding: UnsafeBufferPointer(start: bytes, count: xmlOutputBufferGetSize(buffer)), as: UTF8.self)
    }

    /// The root elements that templates of this stylesheet name, such as `/rss` and `/soap:Envelope/soap:Body`.
    var roots: [(name: String, namespace: String?)] {
        var roots: [(name: String, namespace: String?)] = []
        var template = pointer.pointee.templates
        while let current = template?.pointee {
            template = current.next
            guard let match = current.match.map({ String(cString: $0) }),
                let path = match.prefixMatch(of: /\/(?:([A-Za-z_][\w.-]*):)?([A-Za-z_][\w.-]*)(?!\()/)
            else { continue }
            let prefix = path.1.map(String.init)
            let namespace = prefix.flatMap { prefix in
                xmlSearchNs(current.elem.pointee.doc, current.elem, prefix).map { String(cString: $0.pointee.href) }
            }
            roots.append((String(path.2), namespace))
        }
        return roots
    }

    private static func text(_ complaint: UnsafeMutablePointer<LamplighterComplaint>) -> String {
        complaint.withMemoryRebound(to: CChar.self, capacity: MemoryLayout<LamplighterComplaint>.size) {
            String(cString: $0)
        }
    }

    private static func reason(_ complaint: String) -> String {
        let line = complaint.split(separator: "\n").prefix(3).map(\.trimmed).joined(separator: ": ")
        if !line.isEmpty { return line }
        guard let error = xmlGetLastError(), let message = error.pointee.message else { return "unknown error" }
        return "\(String(cString: message).trimmed) at line \(error.pointee.line)"
    }
}

/// The first mistake that libxml2 finds in a file, with its line; the others follow from it.
private final class FirstMistake {
    private(set) var text: String?

    /// Receives what libxml2 reports on this thread, until ``endListening()``.
    func beginListening() {
        xmlSetStructuredErrorFunc(Unmanaged.passUnretained(self).toOpaque()) { data, error in
            guard let data, let error, let message = error.pointee.message else { return }
            let mistake = Unmanaged<FirstMistake>.fromOpaque(data).takeUnretainedValue()
            guard mistake.text == nil else { return }
            mistake.text = "\(String(cString: message).trimmed) at line \(error.pointee.line)"
        }
    }

    static func endListening() {
        xmlSetStructuredErrorFunc(nil) { _, _ in }
    }
}
