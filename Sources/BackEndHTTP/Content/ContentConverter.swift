import Core
import Foundation
import WorklightProject

/// Converts a back end's body into the value for scripts (server-api 2.2).
///
/// The kind is that of `returnedContentType`, else of the Content-Type header, else plain text. JSON objects and arrays
/// are passed on as JSON without a check; a JSON scalar is passed on unchanged, as a string. XML and HTML become a JSON object.
/// Binary content, which only the header can announce, becomes base64.
struct ContentConverter {
    let request: BackEndRequest
    /// The header.
    let contentType: String?
    let stylesheets: Stylesheets
    let deadline: ContinuousClock.Instant
    /// The CPU time that work on other threads may take; `nil` if it is not limited.
    var cpu: CPUBudget?

    /// - Parameter onWrongBytes: called when the bytes of a string are not in its encoding.
    func convert(
        _ bytes: [UInt8], onWrongBytes: () -> Void = {}
    ) throws(ConversionError) -> BackEndResponse.Content {
        guard !bytes.isEmpty else { return .empty }
        let kind =
            request.returnedContentType.flatMap(ContentKind.init) ?? contentType.flatMap(ContentKind.init) ?? .plain
        if kind == .binary, request.returnedContentType == nil, request.returnedContentEncoding == nil {
            return .text(Data(bytes).base64EncodedString())
        }
        let header = contentType.flatMap { HeaderRules.parameter("charset", of: $0) }
        if kind == .json, request.transformation == .standard {
            return try Self.json(
                Charset.utf8(
                    bytes, requested: request.returnedContentEncoding, header: header, onWrongBytes: onWrongBytes))
        }
        let text = Charset.decode(
            bytes, requested: request.returnedContentEncoding, header: header, isMarkup: kind.isMarkup,
            onWrongBytes: onWrongBytes)
        switch request.transformation {
        case .void:
            return .text(text)
        case .stylesheet(let file):
            // A stylesheet can only be meant for XML, whatever the header says.
            let result = try stylesheets.transform(
                text, isHTML: kind == .html, with: file, deadline: deadline, cpu: cpu)
            guard let json = try Stylesheets.json(result, madeBy: file) else {
                throw .transformation("\(file) wrote nothing; expected a JavaScript object such as {'items': []}")
            }
            let bytes = UncheckedJSON(Array(json.utf8))
            return json.hasPrefix("[") ? .array(json: bytes) : .object(json: bytes)
        case .standard:
            break
        }
        switch kind {
        case .xml, .html:
            guard !text.trimmed.isEmpty else { return .empty }
            return .object(json: UncheckedJSON(try Self.markup(text, isHTML: kind == .html)))
        case .json, .css, .csv, .plain, .binary: return .text(text)
        }
    }

    /// Converts markup to JSON. Scripts ask for HTML while their back end sends SOAP, and read `Envelope.Body` of it: content that begins as XML and
    /// is not an HTML page is read as XML.
    private static func markup(_ text: String, isHTML: Bool) throws(ConversionError) -> [UInt8] {
        if isHTML, text.trimmed.prefixMatch(of: /<\?xml\s|<[A-Za-z_][\w.-]*:/) != nil,
            let json = try? XMLToJSON.convert(text, isHTML: false),
            String(decoding: json.prefix(8), as: UTF8.self).lowercased() != #"{"html":"#
        {
            return json
        }
        return try XMLToJSON.convert(text, isHTML: isHTML)
    }

    private static func json(_ bytes: [UInt8]) throws(ConversionError) -> BackEndResponse.Content {
        switch bytes.first(where: { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }) {
        case nil: return .empty
        case UInt8(ascii: "{"): return .object(json: UncheckedJSON(bytes))
        case UInt8(ascii: "["): return .array(json: UncheckedJSON(bytes))
        default:
            let text = String(decoding: bytes, as: UTF8.self)
            do throws(JSONSyntaxError) { try JSONValue.check(text) } catch { throw .json(error, in: text) }
            return .text(text.trimmed)
        }
    }
}

/// The kind of a body: the types of `returnedContentType` (server-api 2.2), and two that none of them names.
enum ContentKind: Sendable, Hashable {
    case json, xml, html, css, csv, plain
    /// Pictures, archives and the like.
    case binary

    private static let names: [(String, ContentKind)] = [
        ("json", .json), ("html", .html), ("javascript", .json), ("xml", .xml), ("css", .css), ("csv", .csv),
        ("plain", .plain),
    ]

    /// The kinds of those that nearly all requests and responses name.
    private static let usual: [String: ContentKind] = Dictionary(
        uniqueKeysWithValues: names.map { ($0.0, $0.1) } + [
            ("application/json", .json), ("text/xml", .xml), ("application/xml", .xml), ("text/html", .html),
            ("text/plain", .plain),
        ])

    /// The kind of a media type or of a short name. XHTML counts as HTML, because much of it is not well-formed XML.
    init?(_ type: String) {
        let named = String(Substring(type.utf8.prefix { $0 != UInt8(ascii: ";") }))
        if let usual = Self.usual[named] {
            self = usual
            return
        }
        let essence = named.trimmed.lowercased()
        if let match = Self.names.first(where: { essence.contains($0.0) }) {
            self = match.1
        } else if essence.hasPrefix("text/") {
            self = .plain
        } else if ["image/", "audio/", "video/", "font/"].contains(where: essence.hasPrefix)
            || ["octet-stream", "pdf", "zip", "x-tar", "protobuf"].contains(where: essence.contains)
        {
            self = .binary
        } else {
            return nil
        }
    }

    var isMarkup: Bool { self == .xml || self == .html }
}

/// The reason why a body cannot be converted, usually because it does not match its headers. The codes are the original's (server-api 4).
struct ConversionError: Error, Hashable, CustomStringConvertible {
    let description: String
    /// The same without what is in the adapter's folder; `nil` when the description has nothing of it.
    var summary: String?

    static func coding(_ reason: String) -> ConversionError {
        ConversionError(description: "the back end's response cannot be decompressed: \(reason)")
    }

    static func json(_ error: JSONSyntaxError, in text: String) -> ConversionError {
        let before = Array(text.utf8.prefix(error.offset))
        let line = before.count { $0 == 0x0A } + 1
        let column = error.offset - (before.lastIndex(of: 0x0A) ?? -1)
        return ConversionError(
            description: "FWLSE0310E: the back end's response is not JSON: \(error.reason) at line \(line), "
                + "column \(column)")
    }

    static func xml(_ reason: String) -> ConversionError {
        ConversionError(description: "FWLSE0311E: the back end's response is not XML: \(reason)")
    }

    static func transformation(_ reason: String) -> ConversionError {
        let summary = "FWLSE0311E: the XSL transformation failed"
        return ConversionError(description: "\(summary): \(reason)", summary: summary)
    }
}
