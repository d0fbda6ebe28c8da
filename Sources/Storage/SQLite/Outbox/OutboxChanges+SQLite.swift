import GRDB

extension OutboxChanges {
    /// Writes them, and has them noted in the journal once they are committed.
    func save(in database: Database, _ journal: DeliveryJournal? = nil) throws {
        let columns = counts.map { "\($0.column) = \($0.column) + ?" }.joined(separator: ", ")
        let update = try RawStatement(database, "UPDATE outbox SET \(columns)")
        for (index, count) in counts.enumerated() { try update.bind(Int32(index + 1), count.change) }
        try update.run()
        let spans = spans.joined
        guard let journal, !spans.isEmpty else { return }
        database.afterNextTransaction { _ in journal.append(spans) }
    }
}
