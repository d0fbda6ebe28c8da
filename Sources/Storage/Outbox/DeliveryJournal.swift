package import Core
import Foundation
import PushModel
import Synchronization

/// The latest changes of deliveries that this process committed, in the order of the commits; in memory, for
/// `lamplighter deliveries --follow`.
///
/// It holds only numbers; the tables have the rest. Consecutive deliveries with the same change are one note, so that a fan-out to a
/// million devices has a few thousand notes.
package final class DeliveryJournal: Sendable {
    /// A change of a delivery.
    enum Event: UInt8, Sendable, Comparable {
        case added, given, taken, postponed, delivered, previewed, refused, expired

        var state: DeliveryState {
            switch self {
            case .added, .given, .postponed: .queued
            case .taken: .sending
            case .delivered: .delivered
            case .previewed: .previewed
            case .refused: .refused
            case .expired: .expired
            }
        }

        static func < (one: Event, other: Event) -> Bool { one.rawValue < other.rawValue }
    }

    /// Changes of deliveries with consecutive numbers.
    struct Span: Sendable, Hashable {
        let event: Event
        /// The first delivery's number.
        let first: Int64
        var count: Int
    }

    /// One change.
    struct Entry: Sendable, Hashable {
        /// Its position in the journal, from 1.
        let number: Int
        let delivery: Int64
        let event: Event
        let time: Date
    }

    private struct Note {
        let span: Span
        /// The position of its first change.
        let number: Int
        let time: Date

        var lastNumber: Int { number + span.count - 1 }
    }

    private struct State {
        /// The notes from `first` on. Earlier ones are removed from time to time.
        var notes: [Note] = []
        var first = 0
        var last = 0
    }

    /// The id of this journal; numbers restart at 1 in each process.
    package let run = UUID().uuidString.lowercased()
    package let bell = ChangeSignal()
    private let capacity: Int
    private let time: any TimeSource
    private let state = Mutex(State())

    /// - Parameter capacity: how many notes are kept, 40 bytes each.
    init(capacity: Int = 1 << 16, time: any TimeSource) {
        self.capacity = capacity
        self.time = time
    }

    /// Adds the changes of a transaction. Call it in the order of the transactions, as far as that is known.
    func append(_ spans: [Span]) {
        guard !spans.isEmpty else { return }
        let now = time.now
        let last = state.withLock { state in
            for span in spans {
                state.notes.append(Note(span: span, number: state.last + 1, time: now))
                state.last += span.count
            }
            state.first = max(state.first, state.notes.count - capacity)
            if state.first > capacity {
                state.notes.removeFirst(state.first)
                state.first = 0
            }
            return state.last
        }
        bell.ring(last)
    }

    /// The changes after a number, the oldest first.
    ///
    /// - Parameters:
    ///   - after: `nil` for none, and the number of the last one.
    ///   - wanted: only to this state.
    /// - Returns: the changes, the number to go on after, and how many were dropped.
    func entries(after: Int?, to wanted: DeliveryState?, limit: Int) -> (entries: [Entry], last: Int, lost: Int) {
        state.withLock { state in
            guard let after else { return ([], state.last, 0) }
            let kept = state.notes[state.first...]
            guard let oldest = kept.first, state.last > after else { return ([], state.last, 0) }
            var entries: [Entry] = []
            for note in kept[Self.index(of: after + 1, in: kept)...] {
                guard wanted == nil || note.span.event.state == wanted else { continue }
                for number in max(note.number, after + 1)...note.lastNumber {
                    entries.append(
                        Entry(
                            number: number, delivery: note.span.first + Int64(number - note.number),
                            event: note.span.event, time: note.time))
                    if entries.count == limit { return (entries, number, max(oldest.number - 1 - after, 0)) }
                }
            }
            return (entries, state.last, max(oldest.number - 1 - after, 0))
        }
    }

    /// The first note that reaches up to the number.
    private static func index(of number: Int, in notes: ArraySlice<Note>) -> Int {
        var (low, high) = (notes.startIndex, notes.endIndex)
        while low < high {
            let middle = (low + high) / 2
            if notes[middle].lastNumber < number { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

/// The changes of a transaction, in few spans.
struct JournalSpans {
    private(set) var spans: [DeliveryJournal.Span] = []

    mutating func add(_ event: DeliveryJournal.Event, _ number: Int64) {
        if let last = spans.last, last.event == event, last.first + Int64(last.count) == number {
            spans[spans.count - 1].count += 1
        } else {
            spans.append(DeliveryJournal.Span(event: event, first: number, count: 1))
        }
    }

    /// In one transaction a delivery changes once, so that the order may be the one that makes the fewest spans.
    var joined: [DeliveryJournal.Span] {
        guard spans.count > 1 else { return spans }
        var joined: [DeliveryJournal.Span] = []
        for span in spans.sorted(by: { ($0.event, $0.first) < ($1.event, $1.first) }) {
            if let last = joined.last, last.event == span.event, last.first + Int64(last.count) == span.first {
                joined[joined.count - 1].count += span.count
            } else {
                joined.append(span)
            }
        }
        return joined
    }
}

extension Delivery {
    /// The row may have gone on since: takes away what came later.
    fileprivate mutating func turnBack(to entry: DeliveryJournal.Entry) {
        let event = entry.event
        state = event.state
        guard !event.state.isEnd else { return }
        endedAt = nil
        serviceID = nil
        if event != .postponed {
            reason = nil
            requests = []
        }
        waitsFor = StoreNumber()
        failures.removeAll { $0.time > entry.time }
        if event == .added { (attempts, failures) = (0, []) }
    }

    fileprivate func time(of entry: DeliveryJournal.Entry) -> Date {
        switch entry.event {
        case .added: createdAt
        case .given, .taken, .postponed: entry.time
        case .delivered, .previewed, .refused, .expired: endedAt ?? entry.time
        }
    }
}

/// An outbox whose changes this process records in a journal.
protocol JournaledOutbox: DeliveryHistory {
    var journal: DeliveryJournal { get }

    /// Reads deliveries by the store's numbers, in any order. Purged deliveries are missing.
    func deliveries(numbered numbers: Set<Int64>) throws(StoreError) -> [Delivery]
}

extension JournaledOutbox {
    var run: String { journal.run }
    var changeSignal: ChangeSignal { journal.bell }

    func deliveryChanges(
        after: Int?, state: DeliveryState?, limit: Int
    ) throws(StoreError) -> (changes: [DeliveryChange], last: Int, lost: Int) {
        let (entries, last, lost) = journal.entries(after: after, to: state, limit: limit)
        guard !entries.isEmpty else { return ([], last, lost) }
        let deliveries = try deliveries(numbered: Set(entries.map(\.delivery)))
        let known = Dictionary(deliveries.map { ($0.number.value ?? 0, $0) }) { first, _ in first }
        let changes = entries.compactMap { entry in known[entry.delivery].map { DeliveryChange(entry, of: $0) } }
        return (changes, last, lost)
    }
}

extension DeliveryChange {
    /// - Parameter delivery: as it is now.
    init(_ entry: DeliveryJournal.Entry, of delivery: Delivery) {
        var delivery = delivery
        delivery.turnBack(to: entry)
        self.init(number: entry.number, time: delivery.time(of: entry), delivery: delivery)
    }
}
