/// Why a body is not what its headers say. The codes are the original's (server-api 4).
struct ConversionError: Error, Hashable, CustomStringConvertible {
    let description: String
    /// The same without what is in the adapter's folder; `nil` when the description has nothing of it.
    var summary: String?

    static func coding(_ reason: String) -> ConversionError {
        ConversionError(description: "the back end's answer cannot be decompressed: \(reason)")
    }

    static func json(_ reason: String) -> ConversionError {
        ConversionError(description: "FWLSE0310E: the back end's answer is not JSON: \(reason)")
    }

    static func xml(_ reason: String) -> ConversionError {
        ConversionError(description: "FWLSE0311E: the back end's answer is not XML: \(reason)")
    }

    static func transformation(_ reason: String) -> ConversionError {
        let summary = "FWLSE0311E: the XSL transformation failed"
        return ConversionError(description: "\(summary): \(reason)", summary: summary)
    }
}
