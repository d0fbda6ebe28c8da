import struct Foundation.Date

/// The meaning of a response for its message, for the service and for the credential.
struct ServiceVerdict: Hashable {
    enum Finding: Hashable {
        /// The service works and takes the credential.
        case works
        /// The service cannot take requests at present.
        case fails
        /// Nothing that is sent with this credential can arrive until the operator changes the configuration.
        case credentialRefused
        /// This message cannot arrive until the operator changes the configuration; others can.
        case alarm
        /// The token does not belong to the credential. ``ServiceGuard`` decides which of the two is to blame.
        case mismatch
        /// Says nothing about other messages.
        case nothing
    }

    let ending: MediatorOutcome.Ending
    let finding: Finding
    var serviceID: String?
    /// The time for which a refused credential is not tried; `nil` for the default.
    var pause: Duration?
    /// The event at the service, for the log and for the messages that wait; `nil` for the ending's reason.
    var cause: String?

    /// The service took the message.
    static func delivered(serviceID: String?) -> Self {
        Self(ending: .delivered, finding: .works, serviceID: serviceID)
    }

    /// The message is refused for good.
    static func refused(_ reason: String, finding: Finding = .works) -> Self {
        Self(ending: .refused(reason: reason), finding: finding)
    }

    /// - Parameter asOf: see ``MediatorOutcome/Ending/deviceGone(reason:asOf:)``.
    static func deviceGone(_ reason: String, asOf: Date? = nil) -> Self {
        Self(ending: .deviceGone(reason: reason, asOf: asOf), finding: .works)
    }

    static func retry(after wait: Duration? = nil, _ reason: String, finding: Finding = .fails) -> Self {
        Self(ending: .retry(after: wait, reason: reason), finding: finding)
    }

    /// The token does not belong to the credential.
    ///
    /// - Parameters:
    ///   - what: what the service said.
    ///   - ofAll: what to do if it is the credential's fault; the message waits then.
    ///   - ofOne: what follows if it is the device's; the message is refused then.
    static func mismatch(_ what: String, ofAll: String, ofOne: String) -> Self {
        Self(ending: .refused(reason: "\(what); \(ofOne)"), finding: .mismatch, cause: "\(what), \(ofAll)")
    }

    /// The message waits until the credential is taken again.
    static func credentialRefused(_ reason: String, pause: Duration? = nil) -> Self {
        Self(ending: .retry(after: nil, reason: reason), finding: .credentialRefused, pause: pause)
    }
}

/// Ends a request before the message has a response, with the consequences.
struct VerdictError: Error, Hashable {
    let verdict: ServiceVerdict
}
