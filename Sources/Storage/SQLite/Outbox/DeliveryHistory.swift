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
                p.seq, p.attempts, p.due, p.worker IS NOT NULL, p.reason, p.requests,
                e.state, e.attempts, e.ended_at, e.service_id, e.reason, e.requests
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
        case .refused, .expired:
            """
            d.seq IN (
                SELECT seq FROM delivery_end INDEXED BY delivery_end_undelivered
                WHERE state = '\(state?.rawValue ?? "")' AND state <> 'delivered' ORDER BY seq DESC LIMIT ?1
            )
            """
        }
    }
}

extension RawStatement {
    /// Reads where a delivery stands from the columns that the queries above put behind it.
    func readStanding(of delivery: inout Delivery, from first: Int32) throws {
        if let text = optionalText(first + 6) {
            guard let state = DeliveryState(rawValue: text), state.isEnd else {
                throw StoredValueError(code: .corrupt, reason: "column state holds an unknown word")
            }
            delivery.state = state
            delivery.attempts = count(first + 7)
            delivery.endedAt = date(first + 8)
            delivery.due = date(first + 8)
            delivery.serviceID = optionalText(first + 9)
            delivery.reason = optionalText(first + 10)
            delivery.requests = try [PushRequest](stored: optionalText(first + 11))
        } else if !isNull(first) {
            delivery.state = integer(first + 3) != 0 ? .sending : .queued
            delivery.attempts = count(first + 1)
            // Without a time it waits for another one; with none to speak of it is due since it was made.
            delivery.due = real(first + 2) > 0 ? date(first + 2) : delivery.createdAt
            delivery.reason = optionalText(first + 4)
            delivery.requests = try [PushRequest](stored: optionalText(first + 5))
        }
    }
}
