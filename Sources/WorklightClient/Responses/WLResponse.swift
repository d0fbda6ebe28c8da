// swift-format-ignore-file: NeverUseImplicitlyUnwrappedOptionals

// Headers without annotations are imported so, and applications are written against that.

public import Foundation

/// The server's response, for delegates (seed 004, 2.5).
open class WLResponse: NSObject {
    /// The HTTP status, as a string: seed 004 has an `NSString` here (2.5.1). `nil` without a response.
    public let status: String!
    /// The result of a procedure; `nil` for the response to any other request (2.5.2).
    public let invocationResult: WLProcedureInvocationResult!
    /// The object that the caller passed as `invocationContext` (2.5.3). A Swift value is returned as Foundation bridges it: an `Int` as
    /// `NSNumber`.
    public let invocationContext: NSObject!
    /// The body of the response, with its wrapping, as the server wrote it; empty without a response (2.5.4).
    public let responseText: String!
    /// The response with its headers; `nil` without a response. This property is an extension; the original does not have it.
    public let answer: WLAnswer?

    init(answer: WLAnswer?, context: Any?, isProcedure: Bool) {
        self.answer = answer
        status = answer.map { String($0.status) }
        responseText = answer?.text ?? ""
        invocationContext = context.flatMap { ($0 as? NSObject) ?? ($0 as AnyObject) as? NSObject }
        invocationResult = isProcedure ? answer?.object.map(WLProcedureInvocationResult.init(object:)) : nil
        super.init()
    }

    /// Returns the root object of the response's JSON; `nil` when the response is not a JSON object (2.5.5).
    open func getResponseJson() -> [AnyHashable: Any]! { answer?.object }

    /// Returns the root object of the response's JSON; see ``getResponseJson()``. Swift's importer makes this shorter name, without the
    /// word that repeats the class's name.
    open func getJson() -> [AnyHashable: Any]! { getResponseJson() }

    open override var description: String { "WLResponse(status: \(status ?? "none"), \(responseText ?? ""))" }
}

/// A receiver of a call's result, which is called on the client's callback queue (seed 004, 2.4).
public protocol WLDelegate: AnyObject {
    /// Receives the response of a successful call (2.4.1).
    func onSuccess(_ response: WLResponse!)
    /// Receives the error of a failed call (2.4.2).
    func onFailure(_ response: WLFailResponse!)
}
