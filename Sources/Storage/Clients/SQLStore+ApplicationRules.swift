import Foundation
public import PushModel

extension SQLStore: ApplicationRuleStore {
    @discardableResult
    public func setApplicationRule(_ rule: ApplicationRule) throws(StoreError) -> ApplicationRule {
        try database.write { database in
            let known = try database.applicationRules(
                where: "(application_id, environment, version) = (?, ?, ?)",
                [rule.applicationID, rule.environment, rule.version])
            let rule = rule.replacing(known.first)
            try database.run(
                """
                INSERT INTO application_rule
                (application_id, environment, version, access, message, download_link, checksum, message_id, updated_at)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT (application_id, environment, version) DO UPDATE SET access = excluded.access,
                    message = excluded.message, download_link = excluded.download_link,
                    checksum = excluded.checksum, message_id = excluded.message_id, updated_at = excluded.updated_at
                """,
                [
                    rule.applicationID, rule.environment, rule.version, rule.access.rawValue, rule.message,
                    rule.downloadLink, rule.checksum, rule.messageID, rule.updatedAt.timeIntervalSince1970,
                ])
            return rule
        }
    }

    public func removeApplicationRule(
        applicationID: String, environment: String, version: String
    ) throws(StoreError) -> Bool {
        try database.write { database in
            try database.run(
                "DELETE FROM application_rule WHERE (application_id, environment, version) = (?, ?, ?)",
                [applicationID, ApplicationRule.normalised(environment: environment), version]) > 0
        }
    }

    public func applicationRules() throws(StoreError) -> [ApplicationRule] {
        try database.read { try $0.applicationRules(where: "true") }
    }
}

extension StoreTransaction {
    fileprivate func applicationRules(
        where condition: String, _ arguments: [String] = []
    ) throws -> [ApplicationRule] {
        let rows = try rows(
            "SELECT * FROM application_rule WHERE \(condition) ORDER BY application_id, environment, version",
            arguments)
        return try rows.map { row in
            try row.clientValue {
                try ApplicationRule(
                    applicationID: try row.value("application_id"), environment: try row.value("environment"),
                    version: try row.value("version"), access: try row.choice("access"),
                    message: try row.value("message"), downloadLink: try row.value("download_link"),
                    checksum: try row.value("checksum"), messageID: try row.value("message_id") as String,
                    updatedAt: try row.date("updated_at"))
            }
        }
    }
}

extension SQLStore: DeviceBlockStore {
    public func blockedDevices() throws(StoreError) -> [BlockedDevice] {
        try database.read { database in
            try database.rows("SELECT * FROM blocked_device ORDER BY application_id, device_id").map { row in
                BlockedDevice(
                    applicationID: try row.value("application_id"), deviceID: try row.value("device_id"),
                    blockedAt: try row.date("blocked_at"))
            }
        }
    }

    public func block(_ device: BlockedDevice) throws(StoreError) {
        try database.write { database in
            _ = try database.run(
                """
                INSERT INTO blocked_device (application_id, device_id, blocked_at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING
                """, [device.applicationID, device.deviceID, device.blockedAt.timeIntervalSince1970])
        }
    }

    public func unblock(_ device: BlockedDevice) throws(StoreError) -> Bool {
        try database.write { database in
            try database.run(
                "DELETE FROM blocked_device WHERE application_id = ? AND device_id = ?",
                [device.applicationID, device.deviceID]) > 0
        }
    }
}
