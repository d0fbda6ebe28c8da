/// What a body is taken for: the types of `returnedContentType` (server-api 2.2), and two that none of them names.
enum ContentKind: Sendable, Hashable {
    case json, xml, html, css, csv, javascript, plain
    /// Pictures, archives and the like.
    case binary

    /// The kind that a media type, or one of the short names, stands for. XHTML counts as HTML, as much of it is not XML.
    init?(_ type: String) {
        let essence = String(type.prefix { $0 != ";" }).trimmed.lowercased()
        let names: [(String, ContentKind)] = [
            ("json", .json), ("html", .html), ("javascript", .javascript), ("xml", .xml), ("css", .css), ("csv", .csv),
            ("plain", .plain),
        ]
        if let match = names.first(where: { essence.contains($0.0) }) {
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
