/// Gets to know how a call went, on the client's callback queue (seed 004, 2.4).
public protocol WLDelegate: AnyObject {
    /// The call succeeded (2.4.1).
    func onSuccess(_ response: WLResponse!)
    /// The call failed (2.4.2).
    func onFailure(_ response: WLFailResponse!)
}
