/// The reason of a failure (seed 004, 2.10). The definition there is a number with a constant for each code, in this order.
public typealias WLErrorCode = UInt

/// UNEXPECTED_ERROR: unexpected error.
public let WLErrorCodeUnexpectedError: WLErrorCode = 0
/// UNRESPONSIVE_HOST: service currently unavailable.
public let WLErrorCodeUnresponsiveHost: WLErrorCode = 1
/// REQUEST_TIMEOUT: request timed out.
public let WLErrorCodeRequestTimeout: WLErrorCode = 2
/// PROCEDURE_ERROR: procedure invocation error.
public let WLErrorCodeProcedureError: WLErrorCode = 3
/// APP_VERSION_ACCESS_DENIAL: application version denied.
public let WLErrorCodeApplicationVersionDenied: WLErrorCode = 4

/// The names of codes in the server's responses, and the messages for developers (wire-protocol 5.3).
enum ErrorCodes {
    private static let names: [String: WLErrorCode] = [
        "UNEXPECTED_ERROR": WLErrorCodeUnexpectedError, "UNRESPONSIVE_HOST": WLErrorCodeUnresponsiveHost,
        "REQUEST_TIMEOUT": WLErrorCodeRequestTimeout, "PROCEDURE_ERROR": WLErrorCodeProcedureError,
        "APP_VERSION_ACCESS_DENIAL": WLErrorCodeApplicationVersionDenied,
        "APPLICATION_VERSION_DENIED": WLErrorCodeApplicationVersionDenied,
    ]

    static func message(_ code: WLErrorCode) -> String {
        switch code {
        case WLErrorCodeUnresponsiveHost: "Service currently unavailable."
        case WLErrorCodeRequestTimeout: "Request timed out."
        case WLErrorCodeProcedureError: "Procedure invocation error."
        case WLErrorCodeApplicationVersionDenied: "Application version denied."
        default: "Unexpected error."
        }
    }

    /// Returns the code with this name; `nil` for an unknown name.
    static func code(named name: String) -> WLErrorCode? { names[name] }

    /// Returns the code of a status, for a response without a code (wire-protocol 5.3). 404 to 407 would be
    /// REQUEST_SERVICE_NOT_FOUND, which the enum of seed 004 does not have.
    static func code(status: Int) -> WLErrorCode {
        switch status {
        case 500...: WLErrorCodeUnresponsiveHost
        case 408...499: WLErrorCodeRequestTimeout
        default: WLErrorCodeUnexpectedError
        }
    }
}

/// The error of a failed request, with the data that ``WLFailResponse`` has for delegates.
public struct WLError: Error, Sendable, CustomStringConvertible {
    /// One of the `WLErrorCode…` constants.
    public let code: WLErrorCode
    /// The message, for the developer and not for the user.
    public let message: String
    /// The server's response; `nil` without one.
    public let answer: WLAnswer?

    init(_ code: WLErrorCode, _ message: String, answer: WLAnswer? = nil) {
        self.code = code
        self.message = message
        self.answer = answer
    }

    public var description: String { message }

    static let cancelled = WLError(WLErrorCodeUnexpectedError, "the request was cancelled")
}
