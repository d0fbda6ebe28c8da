extension ServiceEndpoint {
    /// An address with its scheme, host and port replaced by these; path and query stay byte for byte.
    func replacingOrigin(of url: String) -> String {
        guard let schemeEnd = url.firstRange(of: "://")?.upperBound else { return url }
        let rest = url[schemeEnd...]
        let path = rest.firstIndex { "/?#".contains($0) }.map { rest[$0...] } ?? ""
        return description + (path.hasPrefix("/") ? "" : "/") + path
    }
}
