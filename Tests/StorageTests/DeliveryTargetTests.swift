import Core
import Foundation
import PushModel
import Storage
import Testing

@Suite("Deliveries to any target", .everyStore)
struct DeliveryTargetTests {
    let folder: StoreFolder
    let store: SQLStore

    init() throws { (folder, store) = try StoreFolder.withStore() }

    private func targets() throws -> [DeliveryTarget] {
        [
            .subscription(subscription(options: ["alert": false])),
            .registration(registration("car"), by: .tag("cars")),
            .registration(registration("desk", user: nil, platform: .windows), by: .device),
            .sms(try smsSubscription("0049 170/1", alias: "a", application: "Reader")),
            .sms(try smsSubscription("110", user: nil)),
        ]
    }

    @Test("A target is read back unchanged")
    func roundTrip() throws {
        let deliveries = try targets().map { target in
            Delivery(
                notificationID: UUID(), options: ["SMS": ["text": "Hi"]], target: target, createdAt: noon,
                expiresAt: noon + 60)
        }
        try store.outbox.enqueue(deliveries)
        #expect(try Set(store.all()) == Set(deliveries))
        #expect(try Set(store.claimAtNoon().map(\.target)) == Set(try targets()))
    }

    @Test("A phone number's platform is SMS and it has no device")
    func sms() throws {
        let target = DeliveryTarget.sms(try smsSubscription())
        #expect(target.platformName == "SMS")
        #expect(target.deviceID == nil)
        #expect(target.userID == "ann")
        #expect(target.eventSource == news)
    }

    @Test("A phone number that is none is a damaged file")
    func noNumber() throws {
        try store.outbox.enqueue([delivery()])
        try folder.run("UPDATE delivery SET channel = 5")
        #expect(code { () throws(StoreError) in _ = try store.all() } == .corrupt)
    }
}
