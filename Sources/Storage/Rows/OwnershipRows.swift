import Core
import Foundation
import PushModel

/// The device that a client owns (``DeviceClaim``).
struct OwnedDevice {
    let registration: DeviceRegistration
    /// True if the client is the installed app itself, by its token or its own id, and not only one of its users elsewhere.
    let isSameInstallation: Bool
}

enum OwnershipSQL {
    /// The condition that a registration's user is the client itself, compared by the first part of its id. Such an app was started without a login,
    /// so the user does not prove who owns the device.
    static let isOfGuest = "substr(client_id, 1, length(user_id) + 1) IN (user_id, user_id || '.')"
}

extension StoreTransaction {
    func ownedDevice(of claim: DeviceClaim, showing token: DeviceToken?) throws -> OwnedDevice? {
        if let token, let found = try device(of: claim, by: "token", where: "token = ?", [token.value]) {
            return OwnedDevice(registration: found, isSameInstallation: true)
        }
        if let found = try device(of: claim, by: "client", where: "client_id = ?", [claim.installationID])
            // No client has registered the device since clients are noted, or ever; this one is its user.
            ?? device(of: claim, by: "user", where: "user_id = ? AND client_id IS NULL", [claim.clientID])
        {
            return OwnedDevice(registration: found, isSameInstallation: true)
        }
        for user in claim.users.sorted() {
            guard let realm = user.realm else { continue }
            let found =
                try device(of: claim, by: "user", where: "user_id = ? AND user_realm = ?", [user.id, realm])
                ?? device(
                    of: claim,
                    where: """
                        \(OwnershipSQL.isOfGuest) AND EXISTS (
                            SELECT 1 FROM device_subscription AS other WHERE other.device_id = device.device_id
                            AND other.application_id = device.application_id AND other.user_id = ?
                            AND other.user_realm = ?
                        )
                        """, [user.id, realm])
            if let found { return OwnedDevice(registration: found, isSameInstallation: false) }
        }
        return nil
    }

    /// Returns the device of the claimed id that registered last; `nil` if a checked user has used a device of that id.
    func openDevice(of claim: DeviceClaim) throws -> DeviceRegistration? {
        let made = DeviceClaim.idsMade(from: claim.deviceID)
        let isClosed = try first(
            Bool.self,
            """
            SELECT EXISTS (
                SELECT 1 FROM device_registration WHERE application_id = ? AND device_id = ? AND has_checked_user
            ) OR EXISTS (
                SELECT 1 FROM device_registration
                WHERE application_id = ? AND device_id >= ? AND device_id < ? AND has_checked_user
            )
            """, [claim.applicationID, claim.deviceID, claim.applicationID, made.lowest, made.end])
        guard isClosed == false else { return nil }
        return try device(of: claim, where: "true", [])
    }

    /// The device of the claimed id that registered last, among those that match.
    ///
    /// Anybody can claim any id, one with which many others begin as well: only the rows of that very id are read, and those of
    /// the ids that were made from it.
    ///
    /// - Parameter index: the end of the name of the index by which rows are found; `nil` for the primary key.
    private func device(
        of claim: DeviceClaim, by index: String? = nil, where condition: String, _ arguments: [String]
    ) throws -> DeviceRegistration? {
        let source =
            "device_registration AS device" + (index.map { indexed(by: "device_registration_by_\($0)") } ?? "")
        let made = DeviceClaim.idsMade(from: claim.deviceID)
        let found = try rows(
            """
            SELECT * FROM (
                SELECT * FROM \(source) WHERE application_id = ? AND device_id = ? AND \(condition)
                UNION ALL
                SELECT * FROM \(source)
                WHERE application_id = ? AND device_id >= ? AND device_id < ? AND \(condition)
            ) AS claimed ORDER BY confirmed_at DESC
            """,
            [claim.applicationID, claim.deviceID] + arguments
                + [claim.applicationID, made.lowest, made.end] + arguments)
        return try found.lazy.map { try $0.deviceRegistration() }.first { claim.isClaim(to: $0.deviceID) }
    }

    /// Registers the device that the client owns, or another for it.
    func register(
        _ claim: DeviceClaim, user: RealmUser?, platform: Platform, token: DeviceToken, at now: Date
    ) throws -> DeviceRegistration {
        let owned = try ownedDevice(of: claim, showing: token)
        let deviceID = try owned?.registration.deviceID ?? unusedDeviceID(for: claim)
        _ = try register(
            DeviceRegistration(
                applicationID: claim.applicationID, deviceID: deviceID, userID: user?.id, userRealm: user?.realm,
                platform: platform, token: token), at: now,
            heirs: owned?.isSameInstallation == true ? .device : .users(claim.users))
        try run(
            """
            UPDATE device_registration SET client_id = ?, has_checked_user = (has_checked_user OR ?)
            WHERE application_id = ? AND device_id = ?
            """, [claim.installationID, !claim.users.isEmpty, claim.applicationID, deviceID])
        guard let registration = try registration(applicationID: claim.applicationID, deviceID: deviceID) else {
            throw StoredValueError(code: .corrupt, reason: "a registration vanished while it was written")
        }
        return registration
    }

    private func unusedDeviceID(for claim: DeviceClaim) throws -> String {
        var id = claim.deviceID
        while try isDeviceUsed(id, applicationID: claim.applicationID) { id = claim.anotherID() }
        return id
    }

    private func isDeviceUsed(_ deviceID: String, applicationID: String) throws -> Bool {
        try first(
            Bool.self,
            """
            SELECT EXISTS (SELECT 1 FROM device_registration WHERE application_id = ? AND device_id = ?)
            OR EXISTS (SELECT 1 FROM device_subscription WHERE application_id = ? AND device_id = ?)
            """, [applicationID, deviceID, applicationID, deviceID]) ?? false
    }
}
