import PushModel

/// The changes that one transaction makes to the numbers of deliveries in each state.
struct OutboxChanges {
    var queued = 0
    var sending = 0
    var delivered = 0
    var previewed = 0
    var refused = 0
    var expired = 0
    /// The number of further ended deliveries; they may have been purged since.
    var ended = 0
    /// The numbers of the changed deliveries, for followers of the history.
    private(set) var spans = JournalSpans()

    mutating func add(_ state: DeliveryState, _ count: Int = 1) {
        switch state {
        case .queued: queued += count
        case .sending: sending += count
        case .delivered: delivered += count
        case .previewed: previewed += count
        case .refused: refused += count
        case .expired: expired += count
        }
    }

    /// A delivery is new.
    mutating func add(_ number: Int64, in state: DeliveryState) {
        add(state)
        spans.add(.added, number)
    }

    /// A delivery comes into another state.
    mutating func move(_ number: Int64, from old: DeliveryState, _ event: DeliveryJournal.Event) {
        add(old, -1)
        add(event.state)
        if event.state.isEnd { ended += 1 }
        spans.add(event, number)
    }
}

extension StoreTransaction {
    /// Runs a query that returns states and numbers.
    func countsOfStates(_ sql: String, _ arguments: [(any StoreArgument)?]) throws -> [DeliveryState: Int] {
        var counts: [DeliveryState: Int] = [:]
        try forEachRow(sql, arguments) { counts[try $0.choice("state")] = try $0.value("number") }
        return counts
    }
}

extension OutboxChanges {
    /// The columns of tables of counts, and what they change by.
    var counts: [(column: String, change: Int)] {
        [
            ("queued", queued), ("sending", sending), ("delivered", delivered), ("previewed", previewed),
            ("refused", refused),
            ("expired", expired),
            ("ended_ever", ended),
        ]
    }
}
