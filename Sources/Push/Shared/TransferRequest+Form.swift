import Core
import HTTPTransfer

extension TransferRequest {
    /// A POST of a form, as token endpoints take it (RFC 6749, 4).
    static func form(to url: String, _ fields: [(String, String)]) -> Self {
        Self(
            "POST", url: url, headers: [("Content-Type", "application/x-www-form-urlencoded")],
            body: Array(FormFields.encode(fields).utf8))
    }
}
