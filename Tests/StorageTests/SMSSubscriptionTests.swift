import Core
import PushModel
import Storage
import Testing

@Suite("SMS subscriptions", .everyStore)
struct SMSSubscriptionTests {
    let folder: StoreFolder
    let store: SQLStore

    init() throws { (folder, store) = try StoreFolder.withStore() }

    @Test("The first number makes a user subscription, as a device does")
    func first() throws {
        try store.subscribe(try smsSubscription())
        let user = UserSubscription(eventSource: news, userID: "ann", state: [:])
        #expect(try store.userSubscription(eventSource: news, userID: "ann") == user)
    }

    @Test("A subscription is read back whole, by any spelling of the number")
    func roundTrip() throws {
        let whole = try smsSubscription("0049 170/1", alias: "myNews", application: "Reader")
        try store.subscribe(whole)
        let found = try store.smsSubscription(eventSource: news, phoneNumber: try phone("+491701"))
        #expect(found == whole)
        #expect(found?.phoneNumber.text == "0049 170/1")
        #expect(try store.smsSubscription(eventSource: sport, phoneNumber: try phone("+491701")) == nil)
    }

    @Test("Another spelling, gateway or alias updates the one subscription")
    func update() throws {
        try store.subscribe(try smsSubscription("+491701"))
        let changed = [
            try smsSubscription("0049 1701"), try smsSubscription("0049 1701", gateway: "other"),
            try smsSubscription("0049 1701", gateway: "other", alias: "a", application: "Reader"),
        ]
        for subscription in changed {
            try store.subscribe(subscription)
            #expect(try store.targets(of: nil, userID: "ann") == [.sms(subscription)])
        }
        let text = try store.smsSubscription(eventSource: news, phoneNumber: try phone())?.phoneNumber.text
        #expect(text == "0049 1701")
    }

    @Test("A number that another user subscribes leaves the first user")
    func otherUser() throws {
        try store.subscribe(try smsSubscription())
        try store.subscribe(try smsSubscription(user: "bob"))
        #expect(try store.userSubscription(eventSource: news, userID: "ann") == nil)
        #expect(try store.targets(of: nil, userID: "bob").count == 1)
    }

    @Test("A user's numbers are found by event source, in order")
    func lookup() throws {
        for subscription in [
            try smsSubscription("333", to: sport), try smsSubscription("222"), try smsSubscription("111"),
            try smsSubscription("444", user: "bob"),
        ] { try store.subscribe(subscription) }
        let digits = { (source: EventSourceID?) in
            try store.targets(of: source, userID: "ann").map { target in
                if case .sms(let number) = target { number.phoneNumber.digits } else { "a device" }
            }
        }
        #expect(try digits(nil) == ["111", "222", "333"])
        #expect(try digits(news) == ["111", "222"])
    }

    @Test("The user subscription lasts until both the last number and the last device are removed")
    func lastDevice() throws {
        try store.subscribe(try smsSubscription())
        #expect(try !store.subscribe(subscription()).isFirstDeviceOfUser)
        let device = try store.unsubscribe(
            eventSource: news, userID: "ann", deviceID: "phone", applicationID: "Reader")
        #expect(device?.wasLastDeviceOfUser == false)
        #expect(try store.saveState(["n": 1], eventSource: news, userID: "ann"))
        #expect(try store.unsubscribe(eventSource: news, phoneNumber: try phone()))
        #expect(try store.userSubscription(eventSource: news, userID: "ann") == nil)
    }

    @Test("A number that is not subscribed cannot be unsubscribed")
    func notSubscribed() throws {
        try store.subscribe(try smsSubscription())
        #expect(try !store.unsubscribe(eventSource: sport, phoneNumber: try phone()))
        #expect(try !store.unsubscribe(eventSource: news, phoneNumber: try phone("999")))
    }
}
