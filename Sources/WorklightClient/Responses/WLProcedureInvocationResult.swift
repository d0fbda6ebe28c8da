// swift-format-ignore-file: NeverUseImplicitlyUnwrappedOptionals

// Headers without annotations are imported so, and applications are written against that.
public import Foundation

/// The result of a procedure (seed 004, 2.7).
open class WLProcedureInvocationResult: NSObject {
    /// The JSON object that the server returned (2.7.3).
    public let response: [AnyHashable: Any]!

    init(object: [String: Any]) {
        response = object
        super.init()
    }

    /// Returns whether the call was successful (2.7.1).
    open func isSuccessful() -> Bool { response["isSuccessful"] as? Bool ?? false }

    /// Returns the messages of the errors that the server collected during the call; empty without errors (2.7.2).
    open func procedureInvocationErrors() -> [Any]! { response["errors"] as? [Any] ?? [] }

    /// Returns ``response``, under the name in the examples of 2.1.
    open func getResponse() -> [AnyHashable: Any]! { response }
}
