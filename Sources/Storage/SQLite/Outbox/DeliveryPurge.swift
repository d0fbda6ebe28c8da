import Core
import Foundation
import GRDB
import PushModel

extension Database {
    /// Deletes up to `limit` deliveries that ended before `date` (any that ended when it is `nil`), the oldest first, and the
    /// notifications that they leave behind. Runs inside the caller's transaction.
    ///
    /// - Returns: how many deliveries were deleted.
    func purgeDeliveries(endedBefore date: Date?, limit: Int) throws -> Int {
        let select = try RawStatement(
            self,
            """
            SELECT e.seq, e.state, d.notification FROM delivery_end AS e JOIN delivery AS d USING (seq)
            WHERE e.ended_at < ? ORDER BY e.ended_at, e.seq LIMIT ?
            """)
        defer { select.reset() }
        try select.bind(1, date ?? .distantFuture)
        try select.bind(2, limit)
        var numbers: [Int64] = []
        var notifications: [Int64: Int] = [:]
        var changes = OutboxChanges()
        while try select.step() {
            numbers.append(select.integer(0))
            notifications[select.integer(2), default: 0] += 1
            guard let state = DeliveryState(rawValue: select.text(1)) else {
                throw StoredValueError(code: .corrupt, reason: "column state holds an unknown word")
            }
            changes.add(state, -1)
        }
        guard !numbers.isEmpty else { return 0 }
        for table in ["delivery", "delivery_end"] {
            let delete = try RawStatement(self, "DELETE FROM \(table) WHERE seq = ?")
            for number in numbers {
                try delete.bind(1, number)
                try delete.run()
            }
        }
        let count = try RawStatement(self, "UPDATE notification SET deliveries = deliveries - ? WHERE seq = ?")
        let delete = try RawStatement(self, "DELETE FROM notification WHERE seq = ? AND deliveries <= 0")
        for (notification, number) in notifications {
            try count.bind(1, number)
            try count.bind(2, notification)
            try count.run()
            try delete.bind(1, notification)
            try delete.run()
        }
        try changes.save(in: self)
        return numbers.count
    }
}
