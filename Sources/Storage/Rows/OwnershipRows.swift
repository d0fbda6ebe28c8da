import Foundation
import GRDB
import PushModel

/// The device that a client owns (``DeviceClaim``).
struct OwnedDevice {
    let registration: DeviceRegistration
    /// Whether the client is the installed app itself, by its token or its own id, and not only one of its users elsewhere.
    let isSameInstallation: Bool
}

extension Database {
    func ownedDevice(of claim: DeviceClaim, showing token: DeviceToken?) throws -> OwnedDevice? {
        if let token, let found = try device(of: claim, where: "token = ?", [token.value]) {
            return OwnedDevice(registration: found, isSameInstallation: true)
        }
        // What registered before clients were noted has at most its user, who is the client's id when nobody was logged in.
        let isItsClient = "client_id = ?"
        let wasItsClient = "user_id = ? AND client_id IS NULL"
        for condition in [isItsClient, wasItsClient] {
            if let found = try device(of: claim, where: condition, [claim.clientID]) {
                return OwnedDevice(registration: found, isSameInstallation: true)
            }
        }
        for user in claim.userIDs.sorted() {
            let found =
                try device(of: claim, where: "user_id = ?", [user])
                // The app has been started since without a login, which says nothing of who owns the device.
                ?? device(
                    of: claim,
                    where: """
                        user_id = client_id AND device_id IN (
                            SELECT device_id FROM device_subscription WHERE user_id = ? AND application_id = ?
                        )
                        """, [user, claim.applicationID])
            if let found { return OwnedDevice(registration: found, isSameInstallation: false) }
        }
        return nil
    }

    /// The device of the claimed id that registered last, among those that match.
    private func device(
        of claim: DeviceClaim, where condition: String, _ arguments: [String]
    ) throws -> DeviceRegistration? {
        // The ids of devices that were made for the same name follow it, before the next character.
        let rows = try Row.fetchCursor(
            statement(
                """
                SELECT * FROM device_registration
                WHERE application_id = ? AND device_id >= ? AND device_id < ? AND \(condition)
                ORDER BY confirmed_at DESC
                """, [claim.applicationID, claim.deviceID, claim.deviceID + "\u{7F}"] + arguments))
        while let row = try rows.next() {
            let registration = try row.deviceRegistration()
            if claim.isClaim(to: registration.deviceID) { return registration }
        }
        return nil
    }

    /// Registers the device that the client owns, or another for it.
    func register(
        _ claim: DeviceClaim, userID: String?, platform: Platform, token: DeviceToken, at now: Date
    ) throws -> DeviceRegistration {
        let owned = try ownedDevice(of: claim, showing: token)
        let deviceID = try owned?.registration.deviceID ?? unusedDeviceID(for: claim)
        _ = try register(
            DeviceRegistration(
                applicationID: claim.applicationID, deviceID: deviceID, userID: userID, platform: platform,
                token: token), at: now,
            heirs: owned?.isSameInstallation == true ? .device : .users(claim.userIDs))
        try run(
            "UPDATE device_registration SET client_id = ? WHERE application_id = ? AND device_id = ?",
            [claim.clientID, claim.applicationID, deviceID])
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
        try Bool.fetchOne(
            statement(
                """
                SELECT EXISTS (SELECT 1 FROM device_registration WHERE application_id = ? AND device_id = ?)
                OR EXISTS (SELECT 1 FROM device_subscription WHERE application_id = ? AND device_id = ?)
                """, [applicationID, deviceID, applicationID, deviceID])) ?? false
    }
}
