// swift-format-ignore-file: NeverUseImplicitlyUnwrappedOptionals

// Headers without annotations are imported so, and applications are written against that.

public import Foundation

/// What the server answered, for delegates (seed 004, 2.5).
open class WLResponse: NSObject {
    /// The HTTP status, as a text: seed 004 has an `NSString` here (2.5.1). `nil` when there was no answer.
    public let status: String!
    /// The result of a procedure; `nil` for answers to anything else (2.5.2).
    public let invocationResult: WLProcedureInvocationResult!
    /// The object that was given with the call (2.5.3). A Swift value comes back as Foundation bridges it: an `Int` as
    /// `NSNumber`.
    public let invocationContext: NSObject!
    /// The text of the answer with its wrapping, as the server wrote it; empty when there was none (2.5.4).
    public let responseText: String!
    /// The answer with its headers; ours, not the original's.
    public let answer: WLAnswer?

    init(answer: WLAnswer?, context: Any?, isProcedure: Bool) {
        self.answer = answer
        status = answer.map { String($0.status) }
        responseText = answer?.text ?? ""
        invocationContext = context.flatMap { ($0 as? NSObject) ?? ($0 as AnyObject) as? NSObject }
        invocationResult = isProcedure ? answer?.object.map(WLProcedureInvocationResult.init(object:)) : nil
        super.init()
    }

    /// The root of the answer's JSON; `nil` when the answer is not a JSON object (2.5.5).
    open func getResponseJson() -> [AnyHashable: Any]! { answer?.object }

    /// ``getResponseJson()`` under the name that Swift's importer makes of it: it drops what repeats the class's name.
    open func getJson() -> [AnyHashable: Any]! { getResponseJson() }

    open override var description: String { "WLResponse(status: \(status ?? "none"), \(responseText ?? ""))" }
}

/// Gets to know how a call went, on the client's callback queue (seed 004, 2.4).
public protocol WLDelegate: AnyObject {
    /// The call succeeded (2.4.1).
    func onSuccess(_ response: WLResponse!)
    /// The call failed (2.4.2).
    func onFailure(_ response: WLFailResponse!)
}
