public import struct Foundation.Date

/// The operator's decision about one version of an application in one environment (wire-protocol 3.1, 3.5).
public struct ApplicationRule: Sendable, Hashable {
    /// The permission to use that version.
    public enum Access: String, Sendable, Hashable, CaseIterable {
        /// It may.
        case active
        /// It may, after the user has seen the message.
        case notify
        /// It may not; the user sees the message, and the link to another version when there is one.
        case disabled
    }

    /// The longest ``message``, in bytes of UTF-8.
    public static let messageBytes = 4096
    /// The longest ``downloadLink``, in bytes of UTF-8.
    public static let downloadLinkBytes = 2048

    /// The `id` of the application descriptor.
    public let applicationID: String
    /// In lower case, because clients spell it in several ways (wire-protocol 1).
    public let environment: String
    /// The version, as the client sends it in `x-wl-app-version`.
    public let version: String
    public let access: Access
    /// The message that the user sees.
    public let message: String?
    /// The address from which the user gets a permitted version.
    public let downloadLink: String?
    /// The checksum of the web resources that hybrid clients of 5.0.6 compare with their own (wire-protocol 3.4).
    public let checksum: Int?
    /// Names the message, so that a client that has shown it does not show it again. A whole number in decimal digits,
    /// because some clients read it as JSON.
    public internal(set) var messageID: String
    /// The time of the operator's decision.
    public let updatedAt: Date

    /// - Parameters:
    ///   - environment: in any case.
    ///   - messageID: up to 15 decimal digits; when `nil`, the milliseconds from 1970 to `updatedAt`.
    /// - Throws: ``ClientValueError`` when a name is empty or longer than 256 bytes, a string is too long or holds a NUL character, ``Access/notify``
    ///   or ``Access/disabled`` has no message, the checksum is not a number that JavaScript holds exactly, or the message's id is not a number.
    public init(
        applicationID: String, environment: String, version: String, access: Access, message: String? = nil,
        downloadLink: String? = nil, checksum: Int? = nil, messageID: String? = nil, updatedAt: Date
    ) throws(ClientValueError) {
        self.applicationID = try ClientField.text(applicationID, "applicationID")
        self.environment = try ClientField.text(Self.normalised(environment: environment), "environment")
        self.version = try ClientField.text(version, "version")
        self.access = access
        self.message = try message.checked { (text) throws(ClientValueError) in
            try ClientField.text(text, "message", bytes: Self.messageBytes)
        }
        self.downloadLink = try downloadLink.checked { (text) throws(ClientValueError) in
            try ClientField.text(text, "downloadLink", bytes: Self.downloadLinkBytes)
        }
        self.checksum = checksum
        self.messageID = messageID ?? String(Self.messageNumber(at: updatedAt))
        self.updatedAt = updatedAt

        guard access == .active || message?.contains(where: { !$0.isWhitespace }) == true else {
            throw ClientValueError(
                field: "message", expected: "a message for the user, because access is \(access.rawValue)",
                found: "none")
        }
        if let checksum, checksum.magnitude > 9_007_199_254_740_991 {
            throw ClientValueError(
                field: "checksum", expected: "a whole number between -(2^53 - 1) and 2^53 - 1", found: "one beyond")
        }
        guard Self.number(ofMessageID: self.messageID) != nil else {
            throw ClientValueError(
                field: "messageID", expected: "1 to 15 decimal digits without a leading zero", found: "another text")
        }
    }

    /// An environment's name as it is compared.
    public static func normalised(environment: String) -> String { environment.lowercased() }
}

extension Optional {
    /// The wrapped value after a check, `nil` when there is none.
    fileprivate func checked(
        _ check: (Wrapped) throws(ClientValueError) -> Wrapped
    ) throws(ClientValueError) -> Wrapped? {
        guard let value = self else { return nil }
        return try check(value)
    }
}
