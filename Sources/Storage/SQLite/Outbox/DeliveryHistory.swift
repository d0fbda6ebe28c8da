import Foundation
import GRDB
import PushModel

extension Database {
    /// The newest deliveries in a state, or in any.
    func newestDeliveries(_ state: DeliveryState?, limit: Int) throws -> [Delivery] {
        let select = try RawStatement(
            self, "\(Self.deliveries) WHERE \(Self.condition(state)) ORDER BY d.seq DESC LIMIT ?1")
        defer { select.reset() }
        try select.bind(1, limit)
        return try readDeliveries(select)
    }

    /// Returns the deliveries with higher numbers, in the order of their numbers.
    func deliveries(after number: Int64, limit: Int) throws -> [Delivery] {
        let select = try RawStatement(self, "\(Self.deliveries) WHERE d.seq > ? ORDER BY d.seq LIMIT ?")
        defer { select.reset() }
        try select.bind(1, number)
        try select.bind(2, limit)
        return try readDeliveries(select)
    }

    private func readDeliveries(_ select: RawStatement) throws -> [Delivery] {
        var reader = try DeliveryReader(self)
        var deliveries: [Delivery] = []
        while try select.step() {
            var delivery = try reader.delivery(select)
            try select.readStanding(of: &delivery, from: DeliveryColumns.count)
            deliveries.append(delivery)
        }
        return deliveries
    }

    /// A delivery by the store's number, with where it stands.
    static let deliveryByNumber = "\(deliveries) WHERE d.seq = ?"

    /// Deliveries, each with where it stands.
    private static let deliveries: String = {
        let columns = DeliveryColumns.names.split(separator: ",")
            .map { "d." + $0.trimmingCharacters(in: .whitespacesAndNewlines) }.joined(separator: ", ")
        return """
            SELECT \(columns),
                CASE WHEN e.seq IS NOT NULL THEN e.state WHEN p.worker IS NOT NULL THEN 'sending'
                    WHEN p.seq IS NOT NULL THEN 'queued' END,
                coalesce(e.attempts, p.attempts), p.due, e.ended_at, e.service_id, coalesce(e.reason, p.reason),
                coalesce(e.requests, p.requests)
            FROM delivery AS d LEFT JOIN delivery_progress AS p USING (seq) LEFT JOIN delivery_end AS e USING (seq)
            """
    }()

    /// Looks only at what is in the state, and of that only at the newest.
    private static func condition(_ state: DeliveryState?) -> String {
        switch state {
        case nil: "true"
        case .queued:
            """
            d.seq IN (
                SELECT * FROM (
                    SELECT n.seq FROM delivery AS n JOIN outbox_channel AS c USING (channel)
                    WHERE n.begun = 0 AND n.seq > c.cursor
                    AND n.seq > (SELECT min(cursor) FROM outbox_channel WHERE cursor < last_seq)
                    ORDER BY n.seq DESC LIMIT ?1
                )
                UNION ALL
                SELECT * FROM (SELECT seq FROM delivery_progress WHERE worker IS NULL ORDER BY seq DESC LIMIT ?1)
            )
            """
        case .sending:
            "d.seq IN (SELECT seq FROM delivery_progress WHERE worker IS NOT NULL ORDER BY seq DESC LIMIT ?1)"
        case .delivered: "d.seq IN (SELECT seq FROM delivery_end WHERE state = 'delivered' ORDER BY seq DESC LIMIT ?1)"
        case .previewed, .refused, .expired:
            """
            d.seq IN (
                SELECT seq FROM delivery_end INDEXED BY delivery_end_undelivered
                WHERE state = '\(state?.rawValue ?? "")' AND state <> 'delivered' ORDER BY seq DESC LIMIT ?1
            )
            """
        }
    }
}
