/// The result of the security check before a call.
///
/// Between the check and the call the adapter may be redeployed, with another test on the same procedure. So a call carries the test
/// that was checked, and is refused when another test guards the procedure by then.
public enum CallPermit: Sendable, Hashable {
    /// Nothing had to be proven: the caller is an operator, or a back end with its key.
    case unconditional
    /// The caller has passed this security test; `nil` when there was none.
    case passed(securityTest: String?)

    /// - Throws: ``StalePermitError`` when another test guards what is called.
    func check(_ securityTest: String?) throws(StalePermitError) {
        if case .passed(let test) = self, test != securityTest { throw StalePermitError() }
    }
}

/// Another test guards the procedure than the one that the caller passed: the adapter was redeployed since the check.
/// Nothing has run; check the caller again.
public struct StalePermitError: Error, Hashable, CustomStringConvertible {
    public let description = "the adapter was redeployed, and another security test guards it; call again"

    public init() {}
}
