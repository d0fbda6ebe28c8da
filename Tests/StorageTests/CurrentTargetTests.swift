import Core
import Foundation
import PushModel
import Storage
import Testing

@Suite("Targets of claimed deliveries", .everyStore)
struct CurrentTargetTests {
    let folder: StoreFolder
    let store: SQLStore

    init() throws { (folder, store) = try StoreFolder.withStore() }

    private func enqueue(_ target: DeliveryTarget) throws {
        try store.outbox.enqueue([
            Delivery(
                notificationID: UUID(), options: ["GCM": [:]], target: target, createdAt: noon, expiresAt: noon + 60)
        ])
    }

    @Test("A delivery goes to the token that changed while it waited")
    func token() throws {
        let old = subscription()
        _ = try store.subscribe(old)
        try enqueue(.subscription(old))
        try enqueue(.registration(DeviceRegistration(old), by: .tag(Tags.broadcast)))
        try store.register(registration(token: "token-2"))
        let first = try store.claimAtNoon()
        #expect(first.map(\.target.token?.value) == ["token-2"])
        try store.outbox.record(first.map { .of($0, .delivered) }, worker: "worker")
        let second = try store.claimAtNoon()
        #expect(second.map(\.target.token?.value) == ["token-2"])
        #expect((first + second).allSatisfy { $0.withdrawal == nil })
    }

    @Test("A token that changed between two attempts is the one of the second")
    func retry() throws {
        let old = subscription()
        _ = try store.subscribe(old)
        try enqueue(.subscription(old))
        let first = try store.claimAtNoon()
        #expect(first.map(\.target) == [.subscription(old)])
        try store.outbox.record(first.map { .of($0, .retry(at: noon, reason: "busy")) }, worker: "worker")
        try store.register(DeviceRegistration(subscription(token: "token-2")))
        #expect(try store.claimAtNoon().map(\.target.token?.value) == ["token-2"])
    }

    @Test("The alias and the options are those of the subscription as it is now")
    func resubscribed() throws {
        let (old, new) = (subscription(), subscription(alias: "other", options: ["alert": false]))
        _ = try store.subscribe(old)
        try enqueue(.subscription(old))
        _ = try store.subscribe(new)
        #expect(try store.claimAtNoon().map(\.target) == [.subscription(new)])
    }

    @Test("withdraws queued messages from a device that has unsubscribed or belongs to another user")
    func unsubscribed() throws {
        let (left, taken) = (subscription(device: "a"), subscription(device: "b"))
        for old in [left, taken] {
            _ = try store.subscribe(old)
            try enqueue(.subscription(old))
        }
        _ = try store.unsubscribe(
            eventSource: news, userID: "ann", deviceID: "a", applicationID: left.applicationID)
        _ = try store.subscribe(subscription("bob", device: "b"))
        let reason = "the device is no longer subscribed to NewsAdapter.News for user 'ann'"
        #expect(try store.claimAtNoon().map(\.withdrawal) == [reason, reason])
    }

    @Test("withdraws queued messages of a tag from a device that has unsubscribed from the tag")
    func tag() throws {
        let device = DeviceRegistration(subscription())
        try store.register(device)
        _ = try store.subscribe(toTag: "cars", applicationID: device.applicationID, deviceID: device.deviceID)
        try enqueue(.registration(device, by: .tag("cars")))
        _ = try store.unsubscribe(fromTag: "cars", applicationID: device.applicationID, deviceID: device.deviceID)
        #expect(
            try store.claimAtNoon().map(\.withdrawal) == ["the device is no longer subscribed to the tag 'cars'"])
    }

    @Test("A message for a user does not reach the next user of the device; one for the device does")
    func nextUser() throws {
        for (device, address) in [("a", MessageAddress.user), ("b", .device)] {
            try store.register(registration(device, user: "ann"))
            try enqueue(.registration(registration(device, user: "ann"), by: address))
            try store.register(registration(device, user: "bob"))
        }
        #expect(
            try store.claimAtNoon().map(\.withdrawal) == ["the device is no longer used by user 'ann'", nil])
    }

    @Test("A message for a user reaches the device after the app was started without a login")
    func guestBetween() throws {
        let phone = registration("phone", user: "ann")
        try store.register(phone)
        try enqueue(.registration(phone, by: .user))
        let claim = DeviceClaim(applicationID: "Reader", deviceID: "phone", clientID: "c1", users: [])
        try store.register(claim, user: RealmUser(id: "c1", realm: nil), platform: .android, token: phone.token)
        #expect(try store.claimAtNoon().map(\.withdrawal) == [nil])
    }

    @Test("A phone number's message uses its current gateway, and goes nowhere once it has unsubscribed")
    func sms() throws {
        let (moved, left) = (try smsSubscription("0170 1"), try smsSubscription("0170 2"))
        for old in [moved, left] {
            try store.subscribe(old)
            try enqueue(.sms(old))
        }
        let new = SMSSubscription(
            eventSource: moved.eventSource, phoneNumber: moved.phoneNumber, gatewayID: "other", userID: moved.userID)
        try store.subscribe(new)
        _ = try store.unsubscribe(eventSource: left.eventSource, phoneNumber: left.phoneNumber)
        let claimed = try store.claimAtNoon()
        #expect(claimed.first?.target == .sms(new))
        #expect(
            claimed.map(\.withdrawal) == [nil, "the phone number is no longer subscribed to \(left.eventSource)"])
    }

    @Test("A device that is registered nowhere any more keeps its old token")
    func removed() throws {
        let old = subscription()
        try enqueue(.subscription(old))
        let claimed = try store.claimAtNoon()
        #expect(claimed.map(\.target) == [.subscription(old)])
        #expect(claimed.map(\.withdrawal) == [nil])
    }
}
