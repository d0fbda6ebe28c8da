// swift-format-ignore-file: NeverUseImplicitlyUnwrappedOptionals

// Headers without annotations are imported so, and applications are written against that.
import Foundation

/// What went wrong, for delegates (seed 004, 2.6). Its `invocationResult` is a ``WLProcedureInvocationResult`` or
/// `nil`; seed 004 leaves the type open (2.6.3).
open class WLFailResponse: WLResponse {
    /// For the developer, not necessarily for the user (2.6.1).
    public let errorMsg: String!
    /// One of the `WLErrorCode…` constants (2.6.2).
    public let errorCode: WLErrorCode

    init(_ error: WLError, context: Any?, isProcedure: Bool) {
        errorMsg = error.message
        errorCode = error.code
        super.init(answer: error.answer, context: context, isProcedure: isProcedure)
    }

    /// What a code means, in a sentence (2.6.6).
    open class func getErrorMessage(fromCode code: WLErrorCode) -> String! { ErrorCodes.message(code) }

    /// The server's message: `errorMsg`, or else `errors` one after the other; `nil` when there is neither (2.6.7).
    open class func getErrorMessage(fromJSON jsonResponse: [AnyHashable: Any]!) -> String! {
        if let message = jsonResponse?["errorMsg"] as? String { return message }
        guard let errors = jsonResponse?["errors"] as? [Any], !errors.isEmpty else { return nil }
        return errors.map { "\($0)" }.joined(separator: " ")
    }

    /// The code that `errorCode` names; ``WLErrorCodeUnexpectedError`` when it names none that is known (2.6.8).
    open class func getWLErrorCode(fromJSON jsonResponse: [AnyHashable: Any]!) -> WLErrorCode {
        (jsonResponse?["errorCode"] as? String).flatMap(ErrorCodes.code(named:)) ?? WLErrorCodeUnexpectedError
    }

    open override var description: String {
        "WLFailResponse(status: \(status ?? "none"), errorCode: \(errorCode), \(errorMsg ?? ""))"
    }
}
