/// The path of a file of a web app, below `/apps/services/` (archives of the original: `www/APP/ENVIRONMENT/…` for browsers,
/// `preview/APP/ENVIRONMENT/VERSION/…` for the console's preview).
package struct WebAppPath: Sendable, Hashable {
    package enum Kind: Sendable, Hashable {
        case www
        /// The preview of one version, in development.
        case preview(version: String)
    }

    package let kind: Kind
    /// The application's id.
    package let application: String
    package let environment: String
    /// The decoded segments below the environment or the version, with or without the skin; empty for the main file.
    package let segments: [String]
    /// True if the path ends with a slash.
    package let isFolder: Bool

    /// - Parameter segments: those below `/apps/services/`; the last is empty for a path that ends with a slash.
    init?(_ segments: ArraySlice<String>) {
        var rest = segments
        isFolder = rest.last?.isEmpty ?? false
        if isFolder { rest.removeLast() }
        guard rest.count >= 3, let kind = rest.popFirst(), let application = rest.popFirst(),
            let environment = rest.popFirst()
        else { return nil }
        switch kind {
        case "www": self.kind = .www
        case "preview":
            guard let version = rest.popFirst() else { return nil }
            self.kind = .preview(version: version)
        default: return nil
        }
        (self.application, self.environment, self.segments) = (application, environment, Array(rest))
    }

    /// True for the target of a login page's form, which is relative to the page.
    var isLoginForm: Bool { segments.last == ApplicationAction.loginForm.rawValue }
}
