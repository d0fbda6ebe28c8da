/// A request without the headers and fields that the protocol adds.
struct WireRequest: Sendable {
    /// The address of a request.
    enum Target: Sendable, Equatable {
        /// An action, under the application's path.
        case action(String)
        /// The address `/invoke` under the context root.
        case invoke
        /// A service, under `/apps/services/`.
        case service(String)
        /// A login form's URL: absolute, relative to the context root if it begins with a slash, or relative to the application's path.
        case form(String)
    }

    let target: Target
    var method = "POST"
    var fields: [WireField] = []
    /// The body; `nil` for a form with the fields.
    var body: [UInt8]?
    var headers: [WireField] = []
    var timeout = RequestTimeout.standard

    static func action(
        _ name: String, _ fields: [WireField] = [], timeout: RequestTimeout = .standard
    ) -> WireRequest {
        WireRequest(target: .action(name), fields: fields, timeout: timeout)
    }
}

/// The timeout of the complete response to a request.
enum RequestTimeout: Sendable, Equatable {
    /// The timeout ``WorklightSettings/requestTimeout``.
    case standard
    case after(Duration)
    case never

    init(_ duration: Duration?) {
        self = duration.map { .after($0) } ?? .never
    }

    /// Creates a timeout from milliseconds (seed 004, 2.9.5).
    ///
    /// - Parameter milliseconds: below 0 for ``standard``, 0 for no limit.
    init(milliseconds: Int) {
        self = milliseconds < 0 ? .standard : milliseconds == 0 ? .never : .after(.milliseconds(milliseconds))
    }

    /// Returns the duration; `nil` for no limit.
    ///
    /// - Parameter standard: the duration of ``standard``.
    func duration(standard: Duration) -> Duration? {
        switch self {
        case .standard: standard
        case .after(let duration): duration
        case .never: nil
        }
    }
}

/// The encoding of forms in native clients (wire-protocol 2): UTF-8 in percent encoding, a space as `+`.
enum FormText {
    static func encode(_ fields: [WireField]) -> String {
        fields.map { "\(encoded($0.name, space: "+"))=\(encoded($0.value, space: "+"))" }.joined(separator: "&")
    }

    /// Returns a string in percent encoding.
    ///
    /// - Parameter space: the encoding of a space; `+` is valid in forms and not in paths.
    static func encoded(_ text: String, space: String = "%20") -> String {
        var result = ""
        result.reserveCapacity(text.utf8.count + text.utf8.count / 4)
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."),
                UInt8(ascii: "*"):
                result.unicodeScalars.append(Unicode.Scalar(byte))
            case UInt8(ascii: " "): result += space
            default:
                let digits = String(byte, radix: 16, uppercase: true)
                result += digits.count == 1 ? "%0\(digits)" : "%\(digits)"
            }
        }
        return result
    }
}

/// A field of a form, or a header: a name and a value.
struct WireField: Sendable, Equatable {
    let name: String
    let value: String

    init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}
