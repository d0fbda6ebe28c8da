/// What a body is taken for: the types of `returnedContentType` (server-api 2.2), and two that none of them names.
enum ContentKind: Sendable, Hashable {
    case json, xml, html, css, csv, javascript, plain
    /// Pictures, archives and the like.
    case binary

    private static let names: [(String, ContentKind)] = [
        ("json", .json), ("html", .html), ("javascript", .javascript), ("xml", .xml), ("css", .css), ("csv", .csv),
        ("plain", .plain),
    ]

    /// What nearly all back ends and scripts say.
    private static let usual: [String: ContentKind] = [
        "application/json": .json, "application/xml": .xml, "text/xml": .xml, "text/html": .html, "text/plain": .plain,
        "json": .json, "xml": .xml, "html": .html, "plain": .plain,
    ]

    /// The kind that a media type, or one of the short names, stands for. XHTML counts as HTML, as much of it is not XML.
    init?(_ type: String) {
        let essence = String(Substring(type.utf8.prefix { $0 != UInt8(ascii: ";") })).trimmed.lowercased()
        if let kind = Self.usual[essence] {
            self = kind
        } else if let match = Self.names.first(where: { essence.contains($0.0) }) {
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
