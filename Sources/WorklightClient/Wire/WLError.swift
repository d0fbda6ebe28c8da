/// Why a request failed: what ``WLFailResponse`` tells delegates, as an error.
public struct WLError: Error, Sendable, CustomStringConvertible {
    /// One of the `WLErrorCode…` constants.
    public let code: WLErrorCode
    /// For the developer, not for the user.
    public let message: String
    /// What the server answered, if it did.
    public let answer: WLAnswer?

    init(_ code: WLErrorCode, _ message: String, answer: WLAnswer? = nil) {
        self.code = code
        self.message = message
        self.answer = answer
    }

    public var description: String { message }

    static let cancelled = WLError(WLErrorCodeUnexpectedError, "the request was cancelled")
}
