import Foundation
public import PushModel

extension SQLStore: DeviceBlockStore {
    public func blockedDevices() throws(StoreError) -> [BlockedDevice] {
        try read { database in
            try database.rows("SELECT * FROM blocked_device ORDER BY application_id, device_id").map { row in
                BlockedDevice(
                    applicationID: try row.value("application_id"), deviceID: try row.value("device_id"),
                    blockedAt: try row.date("blocked_at"))
            }
        }
    }

    public func block(_ device: BlockedDevice) throws(StoreError) {
        try write { database in
            _ = try database.run(
                """
                INSERT INTO blocked_device (application_id, device_id, blocked_at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING
                """, [device.applicationID, device.deviceID, device.blockedAt.timeIntervalSince1970])
        }
    }

    public func unblock(_ device: BlockedDevice) throws(StoreError) -> Bool {
        try write { database in
            try database.run(
                "DELETE FROM blocked_device WHERE application_id = ? AND device_id = ?",
                [device.applicationID, device.deviceID]) > 0
        }
    }
}
