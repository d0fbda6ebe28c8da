import Foundation
import PushModel
import Storage
import Testing

@Suite("Stored data of clients without a user", .everyStore)
struct GuestTests {
    let store: SQLStore
    let folder: StoreFolder

    init() throws { (folder, store) = try StoreFolder.withStore() }

    private func registration(_ device: String, token: String = "token-1") -> DeviceRegistration {
        DeviceRegistration(
            applicationID: "Reader", deviceID: device, userID: nil, platform: .android,
            token: DeviceToken(stored: token))
    }

    private func register(_ device: String, token: String = "token-1", from network: String?) throws {
        try store.register(registration(device, token: token))
        try store.noteGuest([.device(registration(device, token: token))], of: network)
    }

    private func usage(_ store: SQLStore? = nil, of network: String?) throws -> [Int] {
        let usage = try (store ?? self.store).guestUsage(of: network)
        return [usage.own, usage.all]
    }

    @Test("is counted by network and in all, also after reopening")
    func counted() throws {
        try register("a", from: "192.0.2.1")
        let one = try store.guestUsage(of: "192.0.2.1").own
        #expect(one > 256)
        try register("b", from: "192.0.2.1")
        try register("c", from: "192.0.2.2")
        try register("d", from: nil)
        for store in [store, try folder.open()] {
            #expect(try usage(store, of: "192.0.2.1") == [2 * one, 4 * one])
            #expect(try usage(store, of: "192.0.2.2") == [one, 4 * one])
            #expect(try usage(store, of: nil) == [0, 4 * one])
        }
    }

    @Test("is counted once, with its latest size, for the network that it last came from")
    func again() throws {
        try register("a", from: "192.0.2.1")
        let before = try store.guestUsage(of: "192.0.2.1").own
        try register("a", token: String(repeating: "t", count: 1007), from: "192.0.2.2")
        #expect(try store.guestUsage(of: "192.0.2.1").own == 0)
        #expect(try store.guestUsage(of: "192.0.2.2").own == before + 1000)
    }

    @Test("is counted no more after any deletion of the row")
    func gone() throws {
        let (network, owner) = ("192.0.2.1", try PreferenceOwner(applicationID: "Reader", kind: .device, name: "a"))
        let preference = try Preference(key: "size", value: "large")
        try register("a", from: network)
        _ = try store.subscribe(subscription("guest", device: "a"))
        try store.noteGuest([.subscription(subscription("guest", device: "a"))], of: network)
        let sms = try smsSubscription()
        try store.subscribe(sms)
        try store.noteGuest(
            [.sms(eventSource: sms.eventSource, number: sms.phoneNumber, user: sms.userID)], of: network)
        for _ in 0..<2 {
            // Replaced, which is not gone.
            try store.setPreferences([preference], of: owner)
            try store.noteGuest([.preference(preference, of: owner)], of: network)
        }
        var usage = [try store.guestUsage(of: network).own]
        _ = try store.unsubscribe(eventSource: sms.eventSource, phoneNumber: sms.phoneNumber)
        usage.append(try store.guestUsage(of: network).own)
        _ = try store.removePreference(key: "size", of: owner)
        usage.append(try store.guestUsage(of: network).own)
        _ = try store.unregister(applicationID: "Reader", deviceID: "a")
        usage.append(try store.guestUsage(of: network).own)
        #expect(usage == usage.sorted(by: >) && Set(usage).count == 4 && usage.last == 0, "\(usage)")
    }

    @Test("is counted in the total when noted, and no more by the next sum after its removal")
    func total() throws {
        guard StoreEngine.current != .memory else { return }
        #expect(try store.guestUsage(of: nil).all == 0)
        try register("a", from: nil)
        #expect(try store.guestUsage(of: nil).all > 256)
        _ = try store.unregister(applicationID: "Reader", deviceID: "a")
        #expect(try folder.open().guestUsage(of: nil).all == 0)
    }

    @Test("is not counted when the row was removed before it is noted")
    func goneBefore() throws {
        try store.noteGuest([.device(registration("a"))], of: "192.0.2.1")
        #expect(try usage(of: "192.0.2.1") == [0, 0])
    }

    @Test("is counted no more when it is a user's")
    func released() throws {
        try register("a", from: "192.0.2.1")
        try store.releaseGuest([.device(registration("b"))])
        #expect(try store.guestUsage(of: "192.0.2.1").own > 0)
        try store.releaseGuest([.device(registration("a"))])
        #expect(try store.guestUsage(of: "192.0.2.1").own == 0)
    }
}
