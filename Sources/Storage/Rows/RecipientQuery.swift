import PushModel

/// Finds the next registrations of one part of a target, in the order of the devices. Every form of it walks along an
/// index, from `device` on: neither the devices before nor those of others are looked at.
struct RecipientQuery {
    let sql: String
    let arguments: [(any StoreArgument)?]

    init(
        _ part: TargetPart, of applicationID: String, after device: String?, limit: Int,
        in transaction: some StoreTransaction
    ) {
        let row = part.kind == .tag ? "t" : "r"
        var conditions = ["\(row).application_id = ?"]
        var arguments: [(any StoreArgument)?] = [applicationID, part.value]
        switch part.kind {
        case .device: conditions.append("r.device_id = ?")
        case .user: conditions.append("r.user_id = ?")
        case .platform: conditions.append("r.platform = ?")
        case .tag:
            conditions += ["t.tag = ?", "r.application_id = t.application_id", "r.device_id = t.device_id"]
            if !part.earlier.isEmpty {
                conditions.append(
                    """
                    NOT EXISTS (
                        SELECT 1 FROM tag_subscription AS other WHERE other.application_id = t.application_id
                        AND other.tag IN (\(marks(part.earlier.count))) AND other.device_id = t.device_id
                    )
                    """)
                arguments += part.earlier
            }
        }
        if let device {
            conditions.append("\(row).device_id > ?")
            arguments.append(device)
        }
        sql = """
            SELECT r.* FROM \(Self.tables(part.kind, transaction)) WHERE \(conditions.joined(separator: " AND "))
            ORDER BY \(row).device_id LIMIT ?
            """
        self.arguments = arguments + [limit]
    }

    /// Left to itself, SQLite walks through all devices of the application in their order.
    private static func tables(_ kind: TargetPart.Kind, _ transaction: some StoreTransaction) -> String {
        switch kind {
        case .device: "device_registration AS r"
        case .user: "device_registration AS r" + transaction.indexed(by: "device_registration_by_user")
        case .platform: "device_registration AS r" + transaction.indexed(by: "device_registration_by_platform")
        // A cross join is not reordered.
        case .tag: "tag_subscription AS t CROSS JOIN device_registration AS r"
        }
    }
}
