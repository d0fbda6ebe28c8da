import Foundation
public import PushModel

extension SQLStore: PollStore {
    public func pollRecord(of eventSource: EventSourceID) throws(StoreError) -> PollRecord? {
        try read { database in
            let row = try database.row(
                "SELECT * FROM poll WHERE adapter = ? AND event_source = ?",
                [eventSource.adapter, eventSource.name])
            return try row.map { row in
                PollRecord(
                    eventSource: eventSource, interval: try row.value("interval"),
                    lastEnded: try row.optionalDate("last_ended"), nextDue: try row.date("next_due"),
                    consecutiveFailures: try row.value("consecutive_failures"))
            }
        }
    }

    public func savePollRecords(_ records: [PollRecord]) throws(StoreError) {
        guard !records.isEmpty else { return }
        try write { database in
            for record in records {
                try database.run(
                    """
                    INSERT INTO poll (adapter, event_source, interval, last_ended, next_due, consecutive_failures)
                    VALUES (?, ?, ?, ?, ?, ?)
                    ON CONFLICT (adapter, event_source) DO UPDATE SET interval = excluded.interval,
                        last_ended = excluded.last_ended, next_due = excluded.next_due,
                        consecutive_failures = excluded.consecutive_failures
                    """,
                    [
                        record.eventSource.adapter, record.eventSource.name, record.interval,
                        record.lastEnded?.timeIntervalSince1970, record.nextDue.timeIntervalSince1970,
                        record.consecutiveFailures,
                    ])
            }
        }
    }
}
