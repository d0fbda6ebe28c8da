public import HTTPTypes

/// Decides whether a header that comes from elsewhere (an adapter, a back end) may go into a response.
///
/// `HTTPField` itself turns CR, LF and NUL of a value into blanks, so nothing can split a response, but it does so without
/// a word and sends what nobody meant. Here such a header is refused with a reason, to be logged.
public enum ResponseHeader {
    /// Headers that say how the message is framed or how the connection goes on. The server alone writes these.
    private static let reserved: Set<String> = [
        "connection", "content-length", "keep-alive", "proxy-connection", "te", "trailer", "transfer-encoding",
        "upgrade",
    ]

    /// - Returns: the field to send.
    /// - Throws: ``ResponseHeaderError`` saying what is wrong with it.
    public static func field(name: String, value: String) throws(ResponseHeaderError) -> HTTPField {
        guard let fieldName = HTTPField.Name(name) else { throw ResponseHeaderError(name: name, problem: .name) }
        guard !reserved.contains(fieldName.canonicalName) else {
            throw ResponseHeaderError(name: name, problem: .reserved)
        }
        for byte in value.utf8 where byte < 0x20 && byte != 0x09 || byte == 0x7F {
            throw ResponseHeaderError(name: name, problem: .value(byte))
        }
        return HTTPField(name: fieldName, value: value)
    }
}

/// A header that may not go into a response.
public struct ResponseHeaderError: Error, Equatable, CustomStringConvertible {
    public enum Problem: Sendable, Equatable {
        case name
        case reserved
        /// The value holds this control character.
        case value(UInt8)
    }

    public let name: String
    public let problem: Problem

    public var description: String {
        let shown = name.unicodeScalars.map { $0.escaped(asASCII: true) }.joined()
        switch problem {
        case .name:
            return "header '\(shown)': that is not a header name; expected letters, digits and '-'"
        case .reserved:
            return "header '\(shown)': the server alone writes this one"
        case .value(let byte):
            let code = String(byte, radix: 16, uppercase: true)
            return "header '\(shown)': its value holds the control character 0x\(byte < 16 ? "0" : "")\(code)"
        }
    }
}
