import Core
import PushModel

/// Selects the next devices of one part of a target, in their order. Every form of it walks along an index, from `device` on: it reads neither
/// earlier devices nor those of others.
struct RecipientQuery {
    let sql: String
    let arguments: [(any StoreArgument)?]

    init(
        _ part: TargetPart, of applicationID: String, after device: String?, limit: Int,
        in transaction: some StoreTransaction
    ) {
        guard part.kind != .eventSource else {
            (sql, self.arguments) = Self.subscribers(of: part.value, applicationID, after: device, limit: limit)
            return
        }
        var (tables, conditions, arguments) = Self.selection(part, of: applicationID, in: transaction)
        let row = part.kind == .tag ? "t" : "r"
        if let device {
            conditions.append("\(row).device_id > ?")
            arguments.append(device)
        }
        sql = """
            SELECT r.* FROM \(tables) WHERE \(conditions.joined(separator: " AND "))
            ORDER BY \(row).device_id LIMIT ?
            """
        self.arguments = arguments + [limit]
    }

    /// Counts the devices of a part by platform, or selects one of a platform.
    init(
        _ part: TargetPart, of applicationID: String, examplesOf platform: Platform?,
        in transaction: some StoreTransaction
    ) {
        let (tables, conditions, arguments) = Self.selection(part, of: applicationID, in: transaction)
        let condition = conditions.joined(separator: " AND ")
        if let platform {
            sql = "SELECT r.* FROM \(tables) WHERE \(condition) AND r.platform = ? LIMIT 1"
            self.arguments = arguments + [platform.rawValue]
        } else {
            sql =
                "SELECT r.platform AS platform, count(*) AS number FROM \(tables) WHERE \(condition) GROUP BY r.platform"
            self.arguments = arguments
        }
    }

    private static func selection(
        _ part: TargetPart, of applicationID: String, in transaction: some StoreTransaction
    ) -> (tables: String, conditions: [String], arguments: [(any StoreArgument)?]) {
        let row = part.kind == .tag ? "t" : "r"
        var conditions = ["\(row).application_id = ?"]
        var arguments: [(any StoreArgument)?] = [applicationID, part.value]
        switch part.kind {
        case .device: conditions.append("r.device_id = ?")
        case .user: conditions.append("r.user_id = ?")
        case .platform: conditions.append("r.platform = ?")
        case .eventSource:
            let source = EventSourceID(part.value)
            conditions += ["r.adapter = ?", "r.event_source = ?"]
            arguments = [applicationID, source?.adapter, source?.name]
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
        return (tables(part.kind, transaction), conditions, arguments)
    }

    /// - Parameter position: ``SubscriberPosition`` as a string.
    private static func subscribers(
        of eventSource: String, _ applicationID: String, after position: String?, limit: Int
    ) -> (String, [(any StoreArgument)?]) {
        let source = EventSourceID(eventSource)
        var condition = "r.adapter = ? AND r.event_source = ? AND r.application_id = ?"
        var arguments: [(any StoreArgument)?] = [source?.adapter, source?.name, applicationID]
        if let position = position.flatMap(SubscriberPosition.init) {
            condition += " AND (r.user_id, r.device_id) > (?, ?)"
            arguments += [position.userID, position.deviceID]
        }
        let sql = "SELECT r.* FROM device_subscription AS r WHERE \(condition) ORDER BY r.user_id, r.device_id LIMIT ?"
        return (sql, arguments + [limit])
    }

    /// Left to itself, SQLite walks through all devices of the application in their order.
    private static func tables(_ kind: TargetPart.Kind, _ transaction: some StoreTransaction) -> String {
        switch kind {
        case .device: "device_registration AS r"
        case .eventSource: "device_subscription AS r"
        case .user: "device_registration AS r" + transaction.indexed(by: "device_registration_by_user")
        case .platform: "device_registration AS r" + transaction.indexed(by: "device_registration_by_platform")
        // A cross join is not reordered.
        case .tag: "tag_subscription AS t CROSS JOIN device_registration AS r"
        }
    }
}

/// The last subscriber that a step of a broadcast to an event source has reached.
struct SubscriberPosition {
    let userID: String
    let deviceID: String

    init(userID: String, deviceID: String) {
        (self.userID, self.deviceID) = (userID, deviceID)
    }

    init?(_ text: String) {
        guard let values = try? JSONValue(parsing: text).array, values.count == 2, let userID = values[0].string,
            let deviceID = values[1].string
        else { return nil }
        self.init(userID: userID, deviceID: deviceID)
    }

    /// The form that ``RegistrationPage/afterDevice`` stores.
    var text: String { JSONValue.array([.string(userID), .string(deviceID)]).text }
}
