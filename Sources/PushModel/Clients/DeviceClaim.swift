import Core

import struct Foundation.UUID

/// A client's claim to run on a device, with its proofs.
///
/// Every client can name any device's id, so the id proves nothing. A client owns a registered device with the id that it names if one
/// of these is true:
/// - it sends the device's token;
/// - it is the installation that registered the device last, by ``installationID``;
/// - the user who registered the device last is logged in, in the same realm, and the login was checked;
/// - the device was registered last by a client without a login, and a user with a checked login has a subscription on it.
///
/// A client that does not own the device gets a new one when it registers (``RegistrationStore/register(_:user:platform:token:)``).
/// It changes nothing of the device that it claims. It sees its event sources, aliases and tags only where no checked user has
/// used a device of that id (``RegistrationStore/openRegistration(of:)``).
public struct DeviceClaim: Sendable, Hashable {
    public let applicationID: String
    /// The id that the client names.
    public let deviceID: String
    /// The client's id, from the cookie `WL_PERSISTENT_COOKIE`. It is also the user's id until a login. The server creates it; clients
    /// cannot choose one. Adapters and operators see it.
    public let clientID: String
    /// The cookie's whole value, which only the client and the server know. It changes when a user logs in, since
    /// an attacker may have planted the value before.
    public let installationID: String
    /// The users who are logged in and have been checked. One whom a login module believed shows nothing.
    public let users: Set<RealmUser>

    /// Separates the id that a client names from the part that makes another device of it.
    private static let separator: Character = "~"

    /// - Parameter installationID: `clientID` when `nil`, as for a client whose session has had no login.
    public init(
        applicationID: String, deviceID: String, clientID: String, installationID: String? = nil, users: Set<RealmUser>
    ) {
        self.applicationID = applicationID
        self.deviceID = deviceID
        self.clientID = clientID
        self.installationID = installationID ?? clientID
        self.users = users
    }

    /// A new id for a device whose client names an id that another device has: `phone~1b9d6bcd`.
    public func anotherID() -> String {
        "\(deviceID)\(Self.separator)\(UUID.fresh().uuidString.prefix(8).lowercased())"
    }

    /// Returns the range of the ids that ``anotherID()`` makes from an id, in byte order: from `lowest` up to, but without, `end`.
    package static func idsMade(from deviceID: String) -> (lowest: String, end: String) {
        // U+007F follows the separator.
        ("\(deviceID)\(separator)", "\(deviceID)\u{7F}")
    }

    /// The id that the client of a device names: `phone` for `phone` and for `phone~1b9d6bcd`.
    public static func named(_ deviceID: String) -> String {
        deviceID.lastIndex(of: separator).map { String(deviceID[..<$0]) } ?? deviceID
    }

    /// Returns true if the client of a device names this claim's id.
    public func isClaim(to deviceID: String) -> Bool {
        deviceID == self.deviceID || Self.named(deviceID) == self.deviceID
    }
}
