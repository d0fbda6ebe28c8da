import Core
import Foundation
import PushModel

extension StoreMigration {
    func copy(_ table: MigratedTable, _ progress: (Progress) -> Void) throws(StoreError) {
        let total = try count(table.name)
        let columns = try target.read { try table.columns(in: $0) }
        var (key, copied) = try mark(of: table.name) ?? ([], 0)
        while true {
            let rows = try source.read { (database: any StoreTransaction) in
                try table.page(after: key, columns: columns, in: database)
            }
            guard let last = rows.last else { break }
            (key, copied) = try target.write { transaction in
                let key = try table.key(of: last)
                try table.insert(rows, columns, in: transaction)
                try setMark(of: table.name, key: key, copied: copied + rows.count, in: transaction)
                return (key, copied + rows.count)
            }
            progress(Progress(phase: .copying, table: table.name, rows: copied, total: total))
        }
        guard table.key == ["seq"] else { return }
        _ = try target.write { transaction in
            try transaction.run(
                """
                SELECT setval(pg_get_serial_sequence('\(table.name)', 'seq'), greatest(max(seq), 1)) FROM \(table.name)
                """)
        }
    }

    /// Reads both, page by page.
    ///
    /// - Returns: how many rows there are.
    func compare(_ table: MigratedTable, _ progress: (Progress) -> Void) throws(StoreError) -> Int {
        let total = try count(table.name)
        let columns = try target.read { try table.columns(in: $0) }
        let inSource = try sum(table, columns, in: source) { _ in }
        let inTarget = try sum(table, columns, in: target) { rows in
            progress(Progress(phase: .comparing, table: table.name, rows: rows, total: total))
        }
        guard inSource == inTarget else { throw difference(in: table.name, inSource, inTarget) }
        return total
    }

    private func sum(
        _ table: MigratedTable, _ columns: [MigratedTable.Column], in database: any StoreDatabase,
        _ progress: (Int) -> Void
    ) throws(StoreError) -> (rows: Int, sum: Int) {
        var (rows, sum, key): (Int, Int, [StoreValue]) = (0, 0, [])
        while true {
            let page = try database.read { try table.page(after: key, columns: columns, in: $0) }
            guard let last = page.last else { return (rows, sum) }
            for row in page { sum &+= row.values.hashValue }
            rows += page.count
            progress(rows)
            key = try database.read { _ in try table.key(of: last) }
        }
    }

    private func count(_ table: String) throws(StoreError) -> Int {
        try source.read { (database: any StoreTransaction) in
            try database.first(Int.self, "SELECT count(*) FROM \(table)") ?? 0
        }
    }

    // MARK: Deliveries

    /// Copies deliveries under new numbers, in the same order.
    func copyDeliveries(_ progress: (Progress) -> Void) throws(StoreError) {
        let total = try count("delivery")
        var (key, copied) = try mark(of: "delivery") ?? ([.integer(0)], 0)
        while true {
            let last = key.first.flatMap(Int64.init(stored:)) ?? 0
            let deliveries = try source.read { try $0.deliveries(after: last, limit: Self.pageSize) }
            guard let newest = deliveries.last?.number.value else { return }
            try targetOutbox.createPartitions(for: deliveries.compactMap(\.endedAt))
            let count = copied + deliveries.count
            try target.write { transaction in
                var changes = OutboxChanges()
                try targetOutbox.insert(deliveries.map(\.released), in: transaction, &changes)
                try targetOutbox.save(changes, in: transaction)
                try setMark(of: "delivery", key: [.integer(newest)], copied: count, in: transaction)
            }
            (key, copied) = ([.integer(newest)], count)
            progress(Progress(phase: .copying, table: "delivery", rows: copied, total: total))
        }
    }

    func compareDeliveries(_ progress: (Progress) -> Void) throws(StoreError) -> Int {
        let total = try count("delivery")
        let inSource = try sum({ last throws(StoreError) in
            try source.read { try $0.deliveries(after: last, limit: Self.pageSize) }
        }) { _ in }
        let inTarget = try sum({ last throws(StoreError) in
            try targetOutbox.deliveries(after: last, limit: Self.pageSize)
        }) { rows in
            progress(Progress(phase: .comparing, table: "delivery", rows: rows, total: total))
        }
        guard inSource == inTarget else { throw difference(in: "delivery", inSource, inTarget) }
        return total
    }

    private func sum(
        _ page: (Int64) throws(StoreError) -> [Delivery], _ progress: (Int) -> Void
    ) throws(StoreError) -> (rows: Int, sum: Int) {
        var (rows, sum, last) = (0, 0, Int64(0))
        while true {
            let deliveries = try page(last)
            guard let newest = deliveries.last?.number.value else { return (rows, sum) }
            for delivery in deliveries {
                var delivery = delivery.released
                // The time of the next attempt is not compared.
                if !delivery.state.isEnd { delivery.due = delivery.createdAt }
                sum &+= delivery.hashValue
            }
            (rows, last) = (rows + deliveries.count, newest)
            progress(rows)
        }
    }

    // MARK: Broadcasts

    func copyBroadcasts() throws(StoreError) {
        let broadcasts = try source.read { (database: any StoreTransaction) in
            try database.rows("SELECT * FROM broadcast ORDER BY seq").map { row in
                let id: String = try row.value("id")
                let values = try database.all(
                    String.self, "SELECT value FROM broadcast_part WHERE broadcast_id = ? ORDER BY number", [id])
                return (
                    Broadcast(
                        id: try row.uuid("id"), applicationID: try row.value("application_id"),
                        target: BroadcastTarget(try row.choice("kind"), values), options: try row.json("options"),
                        createdAt: try row.date("created_at"), expiresAt: try row.date("expires_at")),
                    RegistrationPage(part: try row.value("part"), afterDevice: try row.value("after_device"))
                )
            }
        }
        for (broadcast, page) in broadcasts {
            try targetOutbox.begin(broadcast)
            _ = try target.write { transaction in
                try transaction.run(
                    "UPDATE broadcast SET part = ?, after_device = ? WHERE id = ?",
                    [page.part, page.afterDevice, broadcast.id.uuidString])
            }
        }
    }
}

extension Delivery {
    /// The delivery without a worker: queued and due.
    fileprivate var released: Delivery {
        guard state == .sending else { return self }
        var delivery = self
        delivery.state = .queued
        delivery.due = createdAt
        return delivery
    }
}

extension BroadcastTarget {
    fileprivate init(_ kind: TargetPart.Kind, _ values: [String]) {
        self =
            switch kind {
            case .device: .devices(values)
            case .user: .users(values)
            case .tag: .tags(values)
            case .platform: .platforms(values.compactMap(Platform.init(rawValue:)))
            case .eventSource:
                .eventSource(values.first.flatMap { EventSourceID($0) } ?? EventSourceID(adapter: "", name: ""))
            }
    }
}
