import Core
import Foundation
import TestSupport
import Testing

@testable import PushSandbox

@Suite("The cards of the page of phones", .defaultTimeLimit)
struct PhoneCardTests {
    @Test("puts the parts of one Windows notification on one card")
    func joinsParts() async throws {
        try await WebCase.run(WebCase.settingsWithPage) { web in
            for text in ["one", "two"] { try await web.sendWindowsNotification(text) }
            let shown = try await web.pageArrivals(of: .wns)
            #expect(shown.column("part") == ["toast", "tile", "badge", "raw", "toast", "tile", "badge", "raw"])
            let first = try #require(shown.first?["number"])
            let second = try #require(shown.dropFirst(4).first?["number"])
            #expect(first != second)
            #expect(
                shown.column("card") == .array([first, first, first, first, second, second, second, second]))
        }
    }

    @Test("gives each message of another service its own card")
    func separatesMessages() async throws {
        try await WebCase.run(WebCase.settingsWithPage) { web in
            for text in ["one", "two"] { _ = try await web.sendSMS(text) }
            let shown = try await web.pageArrivals(of: .sms)
            #expect(shown.column("card") == [1, 2])
        }
    }

    struct RequestSequence: CustomTestStringConvertible, Sendable {
        let testDescription: String
        /// The type, the channel and the second of each request.
        let requests: [(type: String, channel: String, second: TimeInterval)]
        let cards: [Int]
        var fromPage: Set<Int> = []
    }

    static let sequences = [
        RequestSequence(
            testDescription: "a part that comes late", requests: [("toast", "a", 0), ("raw", "a", 31)], cards: [1, 2]),
        RequestSequence(
            testDescription: "a part that is slow", requests: [("toast", "a", 0), ("tile", "a", 20), ("raw", "a", 40)],
            cards: [1, 1, 1]),
        RequestSequence(
            testDescription: "a repeated part", requests: [("toast", "a", 0), ("toast", "a", 1)], cards: [1, 2]),
        RequestSequence(
            testDescription: "an earlier part", requests: [("badge", "a", 0), ("tile", "a", 1), ("raw", "a", 2)],
            cards: [1, 2, 2]),
        RequestSequence(
            testDescription: "two channels", requests: [("toast", "a", 0), ("toast", "b", 0), ("raw", "a", 1)],
            cards: [1, 2, 1]),
        RequestSequence(
            testDescription: "a message sent from the page", requests: [("toast", "a", 0), ("raw", "a", 1)],
            cards: [1, 2], fromPage: [0]),
    ]

    @Test("joins later parts on the same channel within 30 seconds", arguments: sequences)
    func assignsCards(_ sequence: RequestSequence) {
        var assignment = CardAssignment()
        let cards = sequence.requests.enumerated().map { index, request in
            var headers = [(name: "X-WNS-Type", value: "wns/\(request.type)")]
            if sequence.fromPage.contains(index) { headers.append((TestMessage.senderHeader, "page")) }
            let arrival = Arrival(
                service: .wns, sequence: index + 1, connection: 1,
                date: Date(timeIntervalSinceReferenceDate: request.second), method: "POST", path: "/",
                headers: headers, body: [], token: request.channel, status: 200, reason: nil, id: nil,
                isAccepted: true)
            return assignment.card(of: arrival, number: index + 1)
        }
        #expect(cards == sequence.cards)
    }
}
