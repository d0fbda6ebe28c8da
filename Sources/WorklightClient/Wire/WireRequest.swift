/// A request before the protocol's own headers and fields are put on it.
struct WireRequest: Sendable {
    enum Target: Sendable, Equatable {
        /// Under the application's own path.
        case action(String)
        /// `/invoke` at the context root.
        case invoke
        /// Under `/apps/services/`.
        case service(String)
        /// A login form's address: absolute, or relative to the application's path.
        case form(String)
    }

    let target: Target
    var method = "POST"
    var fields: [WireField] = []
    /// Instead of a form.
    var body: [UInt8]?
    var headers: [WireField] = []
    /// How long to wait for the whole answer; `nil` for ever.
    var timeout: Duration? = Self.standardTimeout

    /// `WLRequestOptions`' default (seed 004, 2.2.4).
    static let standardTimeout = Duration.seconds(10)

    static func action(_ name: String, _ fields: [WireField] = [], timeout: Duration? = standardTimeout) -> WireRequest
    {
        WireRequest(target: .action(name), fields: fields, timeout: timeout)
    }
}
