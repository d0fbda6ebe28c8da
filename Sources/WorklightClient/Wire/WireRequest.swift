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
    var timeout = RequestTimeout.standard

    static func action(
        _ name: String, _ fields: [WireField] = [], timeout: RequestTimeout = .standard
    ) -> WireRequest {
        WireRequest(target: .action(name), fields: fields, timeout: timeout)
    }
}

/// How long a request waits for its whole answer.
enum RequestTimeout: Sendable, Equatable {
    /// As long as ``WorklightSettings/requestTimeout`` says.
    case standard
    case after(Duration)
    case never

    init(_ duration: Duration?) {
        self = duration.map { .after($0) } ?? .never
    }

    /// - Parameter milliseconds: under 0 for the standard, 0 for no limit (seed 004, 2.9.5).
    init(milliseconds: Int) {
        self = milliseconds < 0 ? .standard : milliseconds == 0 ? .never : .after(.milliseconds(milliseconds))
    }

    /// - Returns: the time, `nil` for no limit.
    func duration(standard: Duration) -> Duration? {
        switch self {
        case .standard: standard
        case .after(let duration): duration
        case .never: nil
        }
    }
}
