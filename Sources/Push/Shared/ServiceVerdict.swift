/// What an answer means for its message, and what it says about the service and the credential.
struct ServiceVerdict: Hashable {
    enum Finding: Hashable {
        /// The service works and takes the credential.
        case works
        /// The service cannot take requests at present.
        case fails
        /// Nothing that is sent with this credential can arrive until somebody changes the configuration.
        case credentialRefused
        /// This message cannot arrive until somebody changes the configuration; others can.
        case alarm
        /// Nothing can be learnt from it about other messages.
        case nothing
    }

    let ending: MediatorOutcome.Ending
    let finding: Finding
    var serviceID: String?

    /// The service took the message.
    static func delivered(serviceID: String?) -> Self {
        Self(ending: .delivered, finding: .works, serviceID: serviceID)
    }

    /// The message is refused for good.
    static func refused(_ reason: String, finding: Finding = .works) -> Self {
        Self(ending: .refused(reason: reason), finding: finding)
    }

    static func deviceGone(_ reason: String) -> Self {
        Self(ending: .deviceGone(reason: reason, asOf: nil), finding: .works)
    }

    static func retry(after wait: Duration? = nil, _ reason: String, finding: Finding = .fails) -> Self {
        Self(ending: .retry(after: wait, reason: reason), finding: finding)
    }

    /// The message waits until the credential is taken again.
    static func credentialRefused(_ reason: String) -> Self {
        Self(ending: .retry(after: nil, reason: reason), finding: .credentialRefused)
    }
}

/// Ends an exchange before there is an answer to the message, with what that means for it.
struct VerdictError: Error, Hashable {
    let verdict: ServiceVerdict
}
