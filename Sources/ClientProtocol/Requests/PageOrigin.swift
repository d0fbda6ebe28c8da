import HTTPTypes

/// The page in a browser that sent a request, from the headers `Origin`, `Referer` and `Sec-Fetch-Site`.
///
/// Other clients than browsers send none of them. Hybrid apps, whose pages are files, send an `Origin` of `null` or `file://`.
struct PageOrigin: Sendable {
    private enum Page {
        case own
        case foreign
        /// A file, as the pages of hybrid apps are. No website can say that of itself.
        case file
        /// Another page without a host, such as a sandboxed frame.
        case opaque
    }

    /// The pages that `Origin` and `Referer` name.
    private let pages: [Page]
    /// `Sec-Fetch-Site`, which a page cannot set.
    private let site: String?
    private let isAjax: Bool

    /// - Parameter host: the host and port that the request is for, as the client sees them.
    init(of head: HTTPRequest, for host: String) {
        let fields = head.headerFields
        pages = [fields[.origin], fields[.referer]].compactMap { $0.map { Self.page($0, host: host) } }
        site = fields[.fetchSite]
        isAjax = fields[.requestedWith] == "XMLHttpRequest"
    }

    /// True if the request may come from another site's page, by any of the three headers.
    var isForeign: Bool {
        pages.contains { $0 != .own } || site.map { $0 != "none" && $0 != "same-origin" } ?? false
    }

    /// True if another site's page may have sent a request that needs no proof: a login form, or one with credentials that a browser adds by itself.
    ///
    /// The browser's statement `same-origin` is trusted, and so is `X-Requested-With: XMLHttpRequest`, which clients send:
    /// a page of another site can add a header only when the server has allowed it, and this one never does. Other values prove
    /// nothing: Android's WebView adds the name of its app to every request. With the browser's statement `cross-site`
    /// the header counts only for files.
    var isCrossSite: Bool {
        guard isForeign, site != "same-origin" else { return false }
        return !isAjax || site == "cross-site" && !pages.contains(.file)
    }

    /// True if it is unknown whether a browser sent the request. Current browsers always send one of the three with a form.
    var isUnknown: Bool { pages.isEmpty && site == nil && !isAjax }

    private static func page(_ text: String, host: String) -> Page {
        guard let colon = text.firstIndex(of: ":") else { return .opaque }
        let scheme = text[..<colon].lowercased()
        let rest = text[colon...].dropFirst()
        guard scheme == "http" || scheme == "https", rest.hasPrefix("//") else {
            return scheme == "file" ? .file : .opaque
        }
        let authority = rest.dropFirst(2).prefix { $0 != "/" && $0 != "?" && $0 != "#" && $0 != "\\" }
        return plain(authority) == plain(host[...]) ? .own : .foreign
    }

    /// Without the port where it is the usual one: pages leave it out, and some clients do not.
    private static func plain(_ authority: Substring) -> String {
        for port in [":80", ":443"] where authority.hasSuffix(port) {
            return authority.dropLast(port.count).lowercased()
        }
        return authority.lowercased()
    }
}

extension HTTPField.Name {
    fileprivate static let fetchSite = HTTPField.Name("Sec-Fetch-Site") ?? .origin
    fileprivate static let referer = HTTPField.Name("Referer") ?? .origin
}
