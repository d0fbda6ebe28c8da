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

/// A form's text, as native clients write it (wire-protocol 2): UTF-8 in percent encoding, a space as `+`.
enum FormText {
    static func encode(_ fields: [WireField]) -> String {
        fields.map { "\(encoded($0.name, space: "+"))=\(encoded($0.value, space: "+"))" }.joined(separator: "&")
    }

    /// - Parameter space: the encoding of a space; in paths `+` is not one.
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

/// One name and its value in a form.
struct WireField: Sendable, Equatable {
    let name: String
    let value: String

    init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}
