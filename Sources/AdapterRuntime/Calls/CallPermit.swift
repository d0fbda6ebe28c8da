/// What a caller has been found to have proven, before a call is let through.
///
/// Between the finding and the call the adapter may be redeployed, with another test on the same procedure. So a call brings
/// along what was looked at, and is turned away when that is no longer what guards it.
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

/// What is called is guarded by another test than the one that the caller passed: the adapter has been deployed meanwhile.
/// Nothing has been run; the caller should be looked at again.
public struct StalePermitError: Error, Hashable, CustomStringConvertible {
    public let description = "the adapter was redeployed, and another security test guards it; call again"

    public init() {}
}
