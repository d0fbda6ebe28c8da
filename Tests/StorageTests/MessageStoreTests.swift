import Core
import Foundation
import PushModel
import Storage
import Testing

@Suite("Messages that were asked for", .everyStore)
struct MessageStoreTests {
    let folder: StoreFolder
    let store: SQLStore

    init() throws { (folder, store) = try StoreFolder.withStore() }

    private func message(_ key: String? = nil, digest: String = "d", at date: Date = noon) -> SentMessage {
        SentMessage(applicationID: "Reader", idempotencyKey: key, digest: digest, createdAt: date)
    }

    @Test("The first message under a key is noted, and returned to a request with the same key") func key() throws {
        let (first, second) = (message("k"), message("k", digest: "other"))
        #expect(try store.note(first, keysSince: noon - 100) == nil)
        #expect(try store.note(second, keysSince: noon - 100) == first)
        #expect(try store.message(first.id) == first)
        #expect(try store.message(second.id) == nil)
    }

    @Test("Messages without a key are all new") func noKey() throws {
        let messages = [message(), message()]
        for message in messages { #expect(try store.note(message, keysSince: noon - 100) == nil) }
        #expect(try messages.map { try store.message($0.id) } == messages)
    }

    @Test("A forgotten key may be used again") func purge() throws {
        let (old, new) = (message("k", at: noon - 1), message("k"))
        #expect(try store.note(old, keysSince: noon - 100) == nil)
        #expect(try store.purgeMessages(before: noon) == 1)
        #expect(try store.note(new, keysSince: noon - 100) == nil)
        #expect(try store.purgeMessages(before: noon) == 0)
    }

    @Test("A key that is older than its lifetime may be used again, and its message stays") func oldKey() throws {
        let (old, new) = (message("k", at: noon - 101), message("k"))
        #expect(try store.note(old, keysSince: noon - 200) == nil)
        #expect(try store.note(new, keysSince: noon - 100) == nil)
        #expect(try store.message(old.id)?.idempotencyKey == nil)
        #expect(try store.message(old.id)?.id == old.id)
        #expect(try store.message(new.id)?.isBegun == false)
        let broadcast = Broadcast(
            id: new.id, applicationID: "Reader", target: .everybody, options: [:], createdAt: noon, expiresAt: noon + 60
        )
        try store.outbox.begin(broadcast)
        #expect(try store.message(new.id)?.isBegun == true)
        while try store.outbox.expandBroadcast(new.id, limit: 9) != nil {}
        _ = try store.subscribe(subscription(), owing: nil)
        try store.outbox.begin(broadcast)
        #expect(try store.outbox.unfinishedBroadcasts().isEmpty)
    }

    @Test("The deliveries of one notification are counted by state") func counts() throws {
        let id = UUID()
        try store.outbox.enqueue((0..<4).map { _ in delivery(notificationID: id) } + [delivery()])
        let claimed = try store.claimAtNoon(3)
        try store.outbox.record(
            [.of(claimed[0], .delivered), .of(claimed[1], .retry(at: noon + 60, reason: "busy"))], worker: "worker")
        #expect(try store.outbox.counts(ofNotification: id) == [.delivered: 1, .queued: 2, .sending: 1])
        #expect(try store.outbox.counts(ofNotification: UUID()).isEmpty)
    }
}
