// swift-format-ignore-file: NeverUseImplicitlyUnwrappedOptionals

// Headers without annotations are imported so, and applications are written against that.
import Foundation

/// The failure of a call, for delegates (seed 004, 2.6). Its `invocationResult` is a ``WLProcedureInvocationResult`` or
/// `nil`; seed 004 does not define the type (2.6.3).
open class WLFailResponse: WLResponse {
    /// The message, for the developer and not necessarily for the user (2.6.1).
    public let errorMsg: String!
    /// One of the `WLErrorCode…` constants (2.6.2).
    public let errorCode: WLErrorCode

    init(_ error: WLError, context: Any?, isProcedure: Bool) {
        errorMsg = error.message
        errorCode = error.code
        super.init(answer: error.answer, context: context, isProcedure: isProcedure)
    }

    /// Returns the description of a code, a sentence (2.6.6).
    open class func getErrorMessage(fromCode code: WLErrorCode) -> String! { ErrorCodes.message(code) }

    /// Returns the server's message: `errorMsg`, or else the elements of `errors`, separated by spaces; `nil` without both (2.6.7).
    open class func getErrorMessage(fromJSON jsonResponse: [AnyHashable: Any]!) -> String! {
        if let message = jsonResponse?["errorMsg"] as? String { return message }
        guard let errors = jsonResponse?["errors"] as? [Any], !errors.isEmpty else { return nil }
        return errors.map { "\($0)" }.joined(separator: " ")
    }

    /// Returns the code that `errorCode` names; ``WLErrorCodeUnexpectedError`` without a known name (2.6.8).
    open class func getWLErrorCode(fromJSON jsonResponse: [AnyHashable: Any]!) -> WLErrorCode {
        (jsonResponse?["errorCode"] as? String).flatMap(ErrorCodes.code(named:)) ?? WLErrorCodeUnexpectedError
    }

    open override var description: String {
        "WLFailResponse(status: \(status ?? "none"), errorCode: \(errorCode), \(errorMsg ?? ""))"
    }
}
