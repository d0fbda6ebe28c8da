import Core
import Foundation
public import PushModel

extension SQLStore: PollStore {
    public func pollRecord(of eventSource: EventSourceID) throws(StoreError) -> PollRecord? {
        try database.read { database in
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

    public func leasePolls(
        _ former: PollLease?, holder: String, for duration: Duration
    ) throws(StoreError) -> PollLease? {
        try database.write { transaction in
            let now = try database.now(in: transaction) ?? time.now.timeIntervalSince1970
            let row = try transaction.row("SELECT holder, epoch, ends_at FROM poll_lease")
            let last = try row.map { PollLease(epoch: try $0.value("epoch"), holder: try $0.value("holder")) }
            if let row, let last, last.holder != holder, try row.value("ends_at") > now { return nil }
            let lease: PollLease
            if let former, former == last {
                lease = former
            } else {
                lease = PollLease(epoch: (last?.epoch ?? 0) + 1, holder: holder)
            }
            if row == nil {
                try transaction.run("INSERT INTO poll_lease (holder, epoch, ends_at) VALUES (?, 0, 0)", [holder])
            }
            try transaction.run(
                "UPDATE poll_lease SET holder = ?, epoch = ?, ends_at = ?",
                [holder, lease.epoch, now + duration / .seconds(1)])
            return lease
        }
    }

    public func endPollLease(_ lease: PollLease) throws(StoreError) {
        try database.write { database in
            _ = try database.run(
                "UPDATE poll_lease SET ends_at = 0 WHERE epoch = ? AND holder = ?", [lease.epoch, lease.holder])
        }
    }

    public func savePollRecords(_ records: [PollRecord], under lease: PollLease?) throws(StoreError) -> Bool {
        guard !records.isEmpty else { return true }
        return try database.write { database in
            if let lease {
                let held = try database.row(
                    "SELECT 1 FROM poll_lease WHERE epoch = ? AND holder = ?", [lease.epoch, lease.holder])
                guard held != nil else { return false }
            }
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
            return true
        }
    }
}
