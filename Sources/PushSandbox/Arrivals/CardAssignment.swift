import Foundation

/// Assigns each arrival to a card of the page of phones.
///
/// Lamplighter sends one Windows notification as up to four WNS requests: toast, tile, badge and raw, in this order. So a WNS
/// request joins the card of the request before it on the same channel when that one came at most ``window`` seconds earlier
/// and its own type comes later in the order toast, tile, badge, raw. Every other arrival begins a new card.
struct CardAssignment {
    /// The last request on a card that can still grow.
    private struct LastPart {
        let card: Int
        let position: Int
        let date: Date
    }

    /// The longest time between two requests on one card, in seconds.
    static let window: TimeInterval = 30
    private static let order = ["wns/toast", "wns/tile", "wns/badge", "wns/raw"]
    private static let mostChannels = 10_000

    private var lastParts: [String: LastPart] = [:]

    /// Returns the number of the arrival's card: the number of the first arrival on it.
    ///
    /// - Parameter number: the arrival's own number.
    mutating func card(of arrival: Arrival, number: Int) -> Int {
        guard arrival.service == .wns, let channel = arrival.token else { return number }
        let before = lastParts.removeValue(forKey: channel)
        guard !arrival.isFromPage, let type = arrival.header("X-WNS-Type"),
            let position = Self.order.firstIndex(of: type)
        else { return number }
        var card = number
        if let before, before.position < position, arrival.date.timeIntervalSince(before.date) <= Self.window {
            card = before.card
        }
        if position < Self.order.count - 1 {
            makeRoom(at: arrival.date)
            lastParts[channel] = LastPart(card: card, position: position, date: arrival.date)
        }
        return card
    }

    /// Removes cards that cannot grow any more when there are many, and all of them when that is not enough.
    private mutating func makeRoom(at date: Date) {
        guard lastParts.count >= Self.mostChannels else { return }
        lastParts = lastParts.filter { date.timeIntervalSince($0.value.date) <= Self.window }
        if lastParts.count >= Self.mostChannels { lastParts = [:] }
    }
}
