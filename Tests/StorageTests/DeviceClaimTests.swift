import Core
import Foundation
import PushModel
import Testing

@testable import Storage

@Suite("The owner of a device", .everyStore)
struct DeviceClaimTests {
    let folder: StoreFolder
    let store: SQLStore

    init() throws { (folder, store) = try StoreFolder.withStore() }

    private func claim(
        _ client: String, key: String? = nil, users: Set<String> = [], in realm: String = "Staff",
        device: String = "phone"
    ) -> DeviceClaim {
        DeviceClaim(
            applicationID: "Reader", deviceID: device, clientID: client, installationID: key.map { "\(client).\($0)" },
            users: Set(users.map { RealmUser(id: $0, realm: realm) }))
    }

    @discardableResult
    private func register(_ claim: DeviceClaim, _ token: String) throws -> String {
        // Later than those before.
        store.setClock(to: store.time.now + 1)
        return try store.register(
            claim, user: claim.users.first ?? RealmUser(id: claim.clientID, realm: nil), platform: .android,
            token: DeviceToken(stored: token)
        ).deviceID
    }

    private func owned(_ claim: DeviceClaim, showing token: String? = nil) throws -> String? {
        try store.registration(of: claim, showing: token.map { DeviceToken(stored: $0) })?.deviceID
    }

    @Test("The first client that names an id has it; the next gets another, with its own tags")
    func another() throws {
        #expect(try register(claim("c1"), "t1") == "phone")
        let other = try register(claim("c2"), "t2")
        #expect(other != "phone" && DeviceClaim.named(other) == "phone")
        #expect(try owned(claim("c1")) == "phone")
        #expect(try owned(claim("c2")) == other)
        #expect(try owned(claim("c3")) == nil)
        #expect(try register(claim("c2"), "t3") == other)
        #expect(try store.registration(applicationID: "Reader", deviceID: "phone")?.token.value == "t1")
        #expect(try store.tags(applicationID: "Reader", deviceID: other) == ["Push.ALL"])
    }

    @Test("The token, the client and the registered user each show that the device is the client's")
    func proofs() throws {
        try register(claim("c1", users: ["ann"]), "t1")
        #expect(try owned(claim("c2"), showing: "t1") == "phone")
        #expect(try owned(claim("c2"), showing: "t2") == nil)
        #expect(try owned(claim("c1")) == "phone")
        #expect(try owned(claim("c2", users: ["bob", "ann"])) == "phone")
        #expect(try owned(claim("c2", users: ["bob"])) == nil)
    }

    @Test("A user of the same name in another realm owns no device and moves no subscription")
    func anotherRealm() throws {
        try register(claim("c1", users: ["ann"]), "t1")
        _ = try store.subscribe(subscription("ann", in: "Staff", token: "t1"))
        #expect(try owned(claim("c2", users: ["ann"], in: "Guests")) == nil)
        #expect(try register(claim("c2", users: ["ann"], in: "Guests"), "t2") != "phone")
        #expect(try store.deviceSubscriptions(matching: SubscriptionFilter()).map(\.token.value) == ["t1"])
    }

    @Test("The installation's former id shows nothing after a device was handed over")
    func handedOver() throws {
        try register(claim("c1"), "t1")
        try store.handOver(applicationID: "Reader", from: "c1", to: "c1.k", token: nil)
        #expect(try owned(claim("c1")) == nil)
        #expect(try owned(claim("c1", key: "k")) == "phone")
    }

    @Test("A device with another token than the one named is not handed over")
    func notHandedOver() throws {
        try register(claim("c1"), "t1")
        try store.handOver(applicationID: "Reader", from: "c1", to: "c1.k", token: DeviceToken(stored: "t2"))
        #expect(try owned(claim("c1")) == "phone")
        #expect(try owned(claim("c1", key: "k")) == nil)
    }

    @Test("A client's id as a login, and a login as a client's id, show no device")
    func mixedUp() throws {
        try register(claim("c1"), "t1")
        try register(claim("c2", users: ["ann"], device: "tablet"), "t2")
        #expect(try owned(claim("ann", device: "tablet")) == nil)
    }

    @Test("A user who comes with another installation moves only their own subscriptions")
    func movedByUser() throws {
        try register(claim("c1", users: ["ann"]), "t1")
        _ = try store.subscribe(subscription("ann", in: "Staff", token: "t1"))
        _ = try store.subscribe(subscription("bob", in: "Staff", to: sport, alias: "sport", token: "t1"))
        try register(claim("c1", users: ["ann"]), "t2")
        let tokens = { try store.deviceSubscriptions(matching: SubscriptionFilter()).map(\.token.value) }
        #expect(try tokens() == ["t2", "t2"])
        try register(claim("c9", users: ["ann"]), "t9")
        #expect(try tokens() == ["t9", "t2"])
        // Bob's stays where it is when that installation gets the next token.
        try register(claim("c9", users: ["ann"]), "t10")
        #expect(try tokens() == ["t10", "t2"])
    }

    @Test("The app started without a login does not take the device from its user, who logs in on a new installation")
    func anonymousBetween() throws {
        try register(claim("c1", users: ["ann"]), "t1")
        _ = try store.subscribe(subscription("ann", in: "Staff", token: "t1"))
        try register(claim("c1", key: "k"), "t1")
        #expect(try register(claim("c2", users: ["ann"]), "t2") == "phone")
        #expect(try store.deviceSubscriptions(matching: SubscriptionFilter()).map(\.token.value) == ["t2"])
    }

    private func opened(_ claim: DeviceClaim) throws -> String? {
        try store.openRegistration(of: claim)?.deviceID
    }

    @Test("A claimed device is open until a checked user registers one of that id")
    func openUntilRegistered() throws {
        #expect(try opened(claim("c9")) == nil)
        try register(claim("c1"), "t1")
        #expect(try opened(claim("c9")) == "phone")
        let other = try register(claim("c2"), "t2")
        #expect(try opened(claim("c9")) == other)
        try register(claim("c3", users: ["ann"]), "t3")
        #expect(try opened(claim("c9")) == nil)
        // Without the login it stays closed.
        try register(claim("c3"), "t3")
        #expect(try opened(claim("c9")) == nil)
    }

    @Test("A claimed device is open until a checked user is noted for it")
    func openUntilNoted() throws {
        try register(claim("c1"), "t1")
        try register(claim("c1", device: "tablet"), "t2")
        try store.noteCheckedUser(applicationID: "Reader", deviceID: "phone")
        #expect(try opened(claim("c9")) == nil)
        #expect(try opened(claim("c9", device: "tablet")) == "tablet")
    }

    /// Ann is subscribed to news on `phone`; the app that has no login has registered another device of that id.
    private func reinstalled() throws -> DeviceRegistration {
        try register(claim("c1", users: ["ann"]), "t1")
        _ = try store.subscribe(subscription("ann", in: "Staff", token: "t1"))
        _ = try store.subscribe(subscription("bob", in: "Staff", to: sport, alias: "sport", token: "t1"))
        let device = try register(claim("c2"), "t2")
        return try #require(try store.registration(applicationID: "Reader", deviceID: device))
    }

    @Test("Moving assigns only the claim's users to the device and its token, which is then the user's")
    func moved() throws {
        let device = try reinstalled()
        #expect(try store.moveSubscriptions(of: claim("c2", users: ["ann"]), to: device) == 1)
        let ann = try store.deviceSubscriptions(matching: SubscriptionFilter(userID: "ann"))
        #expect(ann.map(\.deviceID) == [device.deviceID] && ann.map(\.token.value) == ["t2"])
        let bob = try store.deviceSubscriptions(matching: SubscriptionFilter(userID: "bob"))
        #expect(bob.map(\.deviceID) == ["phone"] && bob.map(\.token.value) == ["t1"])
        #expect(try owned(claim("c9", users: ["ann"])) == device.deviceID)
        #expect(try store.moveSubscriptions(of: claim("c2", users: ["ann"]), to: device) == 0)
    }

    @Test("Moving skips users of that name in another realm, and other ids and applications")
    func notMoved() throws {
        let device = try reinstalled()
        _ = try store.subscribe(subscription("ann", in: "Staff", device: "phone-2", token: "t5"))
        _ = try store.subscribe(subscription("ann", in: "Staff", application: "Other", token: "t6"))
        #expect(try store.moveSubscriptions(of: claim("c2", users: ["ann"], in: "Guests"), to: device) == 0)
        #expect(try store.moveSubscriptions(of: claim("c2"), to: device) == 0)
        #expect(try store.moveSubscriptions(of: claim("c2", users: ["ann"]), to: device) == 1)
    }

    @Test("Moving leaves a subscription where it is if the device has one to that event source")
    func inTheWay() throws {
        let device = try reinstalled()
        _ = try store.subscribe(
            subscription("ann", in: "Staff", device: device.deviceID, alias: "other", token: "t2"))
        #expect(try store.moveSubscriptions(of: claim("c2", users: ["ann"]), to: device) == 0)
        #expect(
            try store.deviceSubscriptions(matching: SubscriptionFilter(userID: "ann")).map(\.token.value).sorted()
                == ["t1", "t2"])
    }

    @Test(
        "An unregistered device belongs to the client that is its user, and not to one of that name"
    )
    func unregistered() throws {
        try store.register(registration("phone", user: "c1"))
        try store.register(registration("tablet", user: "ann"))
        #expect(try owned(claim("c1")) == "phone")
        #expect(try owned(claim("c2")) == nil)
        #expect(try owned(claim("c2", users: ["ann"], device: "tablet")) == nil)
        #expect(try register(claim("c1"), "t2") == "phone")
        #expect(try owned(claim("c1")) == "phone")
    }

    @Test("Devices whose ids only begin alike are not confused")
    func prefixes() throws {
        try register(claim("c1", device: "phone-1"), "t1")
        try register(claim("c1", device: "phone-12"), "t2")
        #expect(try owned(claim("c1", device: "phone-1")) == "phone-1")
        #expect(try owned(claim("c1", device: "phone-12")) == "phone-12")
        #expect(try owned(claim("c1", device: "phone")) == nil)
    }

    @Test("An id that has a subscription but no registration has an owner too")
    func subscriptionOnly() throws {
        _ = try store.subscribe(subscription("ann", token: "t1"))
        try folder.run("DELETE FROM device_registration")
        #expect(try register(claim("c1"), "t2") != "phone")
        #expect(try store.deviceSubscriptions(matching: SubscriptionFilter()).map(\.token.value) == ["t1"])
    }

    @Test("Finding a client's device takes no longer where many ids begin with the one that it claims")
    func manyAlike() throws {
        // PostgreSQL plans for itself.
        guard StoreEngine.current == .sqlite else { return }
        try folder.registerMany(50_000)
        // The processor time of this process only: the machine has more to do.
        func shortest(_ device: String) throws -> Int {
            let claim = claim("c1", users: ["ann", "bob"], device: device)
            return try (0..<5).map { _ throws in
                let start = clock()
                for _ in 0..<20 { #expect(try owned(claim, showing: "t") == nil) }
                return clock() - start
            }.min() ?? 0
        }
        let (alone, amongMany) = (try shortest("none"), try shortest("0"))
        #expect(amongMany < alone * 10)
    }
}
