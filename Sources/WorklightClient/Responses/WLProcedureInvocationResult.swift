// swift-format-ignore-file: NeverUseImplicitlyUnwrappedOptionals

// Headers without annotations are imported so, and applications are written against that.
public import Foundation

/// What a procedure came to (seed 004, 2.7).
open class WLProcedureInvocationResult: NSObject {
    /// The JSON object that the server returned (2.7.3).
    public let response: [AnyHashable: Any]!

    init(object: [String: Any]) {
        response = object
        super.init()
    }

    /// Whether the call was successful (2.7.1).
    open func isSuccessful() -> Bool { response["isSuccessful"] as? Bool ?? false }

    /// The messages of errors that the server collected during the call; empty when there are none (2.7.2).
    open func procedureInvocationErrors() -> [Any]! { response["errors"] as? [Any] ?? [] }

    /// ``response``, as the examples of 2.1 call it.
    open func getResponse() -> [AnyHashable: Any]! { response }
}
