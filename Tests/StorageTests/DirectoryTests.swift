import Foundation
import PushModel
import Storage
import Testing

@Suite("Lists of devices, users and subscriptions", .everyStore)
struct DirectoryTests {
    let folder: StoreFolder
    let store: SQLStore

    init() throws { (folder, store) = try StoreFolder.withStore() }

    private func register(
        _ application: String, _ device: String, user: String? = nil, _ platform: Platform = .android
    ) throws {
        try store.register(
            DeviceRegistration(
                applicationID: application, deviceID: device, userID: user, platform: platform,
                token: DeviceToken(stored: "token of \(device)")))
    }

    private func devices(_ filter: DeviceFilter, limit: Int = 2) throws -> [String] {
        var (found, position): ([String], DevicePosition?) = ([], nil)
        repeat {
            let page = try store.devices(matching: filter, after: position, limit: limit)
            #expect(page.items.count <= limit)
            found += page.items.map { "\($0.applicationID)/\($0.deviceID)" }
            position = page.next
        } while position != nil
        return found
    }

    @Test("Devices are found by each filter, page by page, over several applications")
    func devices() throws {
        try register("A", "phone 1", user: "ann")
        try register("A", "phone 2", user: "bob", .apple)
        try register("A", "tablet", user: "ann", .apple)
        try register("B", "phone 1", user: "ann")
        for limit in 1...5 {
            let all = ["A/phone 1", "A/phone 2", "A/tablet", "B/phone 1"]
            #expect(try devices(DeviceFilter(), limit: limit) == all)
        }
        #expect(try devices(DeviceFilter(applicationID: "B")) == ["B/phone 1"])
        #expect(try devices(DeviceFilter(applicationID: "C")).isEmpty)
        #expect(try devices(DeviceFilter(userID: "ann")) == ["A/phone 1", "A/tablet", "B/phone 1"])
        #expect(try devices(DeviceFilter(platform: .apple)) == ["A/phone 2", "A/tablet"])
        #expect(try devices(DeviceFilter(userID: "ann", platform: .apple)) == ["A/tablet"])
        #expect(try devices(DeviceFilter(idPrefix: "phone")) == ["A/phone 1", "A/phone 2", "B/phone 1"])
        #expect(try devices(DeviceFilter(idPrefix: "Phone")).isEmpty)
        _ = try store.subscribe(toTag: "news", applicationID: "A", deviceID: "phone 2")
        _ = try store.subscribe(toTag: "news", applicationID: "A", deviceID: "tablet")
        #expect(try devices(DeviceFilter(tag: "news")) == ["A/phone 2", "A/tablet"])
        #expect(try devices(DeviceFilter(userID: "bob", tag: "news")) == ["A/phone 2"])
        #expect(try devices(DeviceFilter(idPrefix: "tab", tag: "news")) == ["A/tablet"])
    }

    @Test("Users are those of devices and of subscriptions, each once")
    func users() throws {
        try register("A", "1", user: "ann")
        try register("B", "1", user: "ann")
        try register("A", "2", user: "anton")
        _ = try store.subscribe(subscription("bob", device: "3"), owing: nil)
        _ = try store.subscribe(subscription("ann", device: "3"), owing: nil)
        let all = try store.users(startingWith: "", after: nil, limit: 9)
        #expect(all.next == nil)
        #expect(all.items == ["ann", "anton"])
        #expect(try store.users(startingWith: "ann", after: nil, limit: 9).items == ["ann"])
        let first = try store.users(startingWith: "an", after: nil, limit: 1)
        #expect(first.items == ["ann"] && first.next == "ann")
        #expect(try store.users(startingWith: "an", after: "ann", limit: 9).items == ["anton"])
    }

    @Test("Subscriptions of devices come before those of phone numbers, and filters apply to both", arguments: 1...4)
    func subscriptions(limit: Int) throws {
        for user in ["ann", "bob"] { _ = try store.subscribe(subscription(user, device: "of \(user)"), owing: nil) }
        let number = SMSSubscription(
            eventSource: subscription(device: "x").eventSource, phoneNumber: try PhoneNumber("+49 170 1"),
            gatewayID: "g", userID: "ann")
        try store.subscribe(number)
        func list(_ filter: SubscriptionFilter) throws -> [String] {
            var (found, position): ([String], SubscriptionPosition?) = ([], nil)
            repeat {
                let page = try store.subscriptions(matching: filter, after: position, limit: limit)
                #expect(page.items.count <= limit)
                found += page.items.map {
                    switch $0 {
                    case .device(let subscription): subscription.deviceID
                    case .sms(let subscription): subscription.phoneNumber.digits
                    }
                }
                position = page.next
            } while position != nil
            return found
        }
        let application = subscription(device: "x").applicationID
        #expect(try list(SubscriptionFilter()) == ["of ann", "of bob", number.phoneNumber.digits])
        #expect(try list(SubscriptionFilter(userID: "ann")) == ["of ann", number.phoneNumber.digits])
        #expect(try list(SubscriptionFilter(deviceID: "of bob")) == ["of bob"])
        #expect(try list(SubscriptionFilter(applicationID: application)) == ["of ann", "of bob"])
        #expect(try list(SubscriptionFilter(eventSource: number.eventSource)).count == 3)
        #expect(try list(SubscriptionFilter(adapter: "None")).isEmpty)
        #expect(try store.registrationCounts() == RegistrationCounts(devices: 2, subscriptions: 2, smsSubscriptions: 1))
    }
}
