import Foundation
import PushModel
import Storage
import Testing

@Suite("Messages that were asked for", .everyStore)
struct MessageStoreTests {
    let folder: TemporaryFolder
    let store: SQLStore

    init() throws { (folder, store) = try TemporaryFolder.withStore() }

    private func message(_ key: String? = nil, digest: String = "d", at date: Date = noon) -> SentMessage {
        SentMessage(applicationID: "Reader", idempotencyKey: key, digest: digest, createdAt: date)
    }

    @Test("The first under a key is noted, and told to who comes with the key again") func key() throws {
        let (first, second) = (message("k"), message("k", digest: "other"))
        #expect(try store.note(first) == nil)
        #expect(try store.note(second) == first)
        #expect(try store.message(first.id) == first)
        #expect(try store.message(second.id) == nil)
    }

    @Test("Messages without a key are all new") func noKey() throws {
        let messages = [message(), message()]
        for message in messages { #expect(try store.note(message) == nil) }
        #expect(try messages.map { try store.message($0.id) } == messages)
    }

    @Test("A forgotten key may be used again") func purge() throws {
        let (old, new) = (message("k", at: noon - 1), message("k"))
        #expect(try store.note(old) == nil)
        #expect(try store.purgeMessages(before: noon) == 1)
        #expect(try store.note(new) == nil)
        #expect(try store.purgeMessages(before: noon) == 0)
    }

    @Test("The deliveries of one notification are counted by state") func counts() throws {
        let id = UUID()
        try store.enqueue((0..<4).map { _ in delivery(notificationID: id) } + [delivery()])
        let claimed = try store.claimAtNoon(3)
        try store.record(
            [.of(claimed[0], .delivered), .of(claimed[1], .retry(at: noon + 60, reason: "busy"))], worker: "worker")
        #expect(try store.counts(ofNotification: id) == [.delivered: 1, .queued: 2, .sending: 1])
        #expect(try store.counts(ofNotification: UUID()).isEmpty)
    }
}
