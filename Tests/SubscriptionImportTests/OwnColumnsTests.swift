import Core
import Foundation
import PushModel
import Storage
import TestSupport
import Testing

@testable import SubscriptionImport

@Suite("Devices and subscriptions in the columns of the import", .defaultTimeLimit)
struct OwnColumnsTests {
    private static func csv() throws -> String {
        """
        application,device,platform,token,user,eventSource,alias,options,state,tags
        Shop,phone-1,Apple,\(try ImportedStore.token("1")),ann,PushAdapter.Orders,mine,"{""badge"":2}","{""seen"":[1]}",
        Shop,phone-2,,\(try ImportedStore.androidToken("2")),"bob, the second",PushAdapter.Orders,,,,
        Shop,phone-3,iOSnative,\(try ImportedStore.token("3")),,,,,,news|offers

        """
    }

    @Test("Each row becomes a registration, with its subscription, its state and its tags")
    func rows() throws {
        let imported = try ImportedStore(["devices.csv": try Self.csv()])
        let report = try imported.run("devices.csv")
        #expect(report.rows == 3 && report.added == 3 && report.refused == [:])
        #expect(
            try imported.subscriptions == [
                "ann at phone-1/Shop for PushAdapter.Orders", "bob, the second at phone-2/Shop for PushAdapter.Orders",
            ])
        let store = imported.store
        let first = try #require(try store.deviceSubscriptions(matching: SubscriptionFilter(userID: "ann")).first)
        #expect(first.alias == "mine" && first.options == ["badge": 2] && first.platform == .apple)
        let source = EventSourceID(adapter: "PushAdapter", name: "Orders")
        #expect(try store.userSubscription(eventSource: source, userID: "ann")?.state == ["seen": [1]])
        let second = try #require(try store.registration(applicationID: "Shop", deviceID: "phone-2"))
        #expect(second.platform == .android && second.userID == "bob, the second")
        #expect(try store.tags(applicationID: "Shop", deviceID: "phone-3") == ["Push.ALL", "news", "offers"])
    }

    @Test("JSON has the same fields, as an array or as lines", arguments: ["array", "lines"])
    func json(form: String) throws {
        let objects = try ["ann", "bob"].map {
            #"{"application": "Shop", "device": "phone-\#($0)", "token": "\#(try ImportedStore.token($0))", "user": "\#($0)", "eventSource": "PushAdapter.Orders","#
                + #" "options": {"text": "a } \" b"}, "alias": null}"#
        }
        let text = form == "array" ? "[\(objects.joined(separator: ",\n"))]" : objects.joined(separator: "\n")
        let imported = try ImportedStore(["devices.json": text])
        #expect(try imported.run("devices.json").added == 2)
        let subscriptions = try imported.store.deviceSubscriptions(matching: SubscriptionFilter(userID: "ann"))
        #expect(subscriptions.map(\.options) == [["text": #"a } " b"#]] && subscriptions[0].alias == "Orders")
    }

    @Test("A second import changes nothing")
    func idempotent() throws {
        let imported = try ImportedStore(["devices.csv": try Self.csv()])
        try imported.run("devices.csv")
        let before = try imported.subscriptions
        let report = try imported.run("devices.csv")
        #expect(report.added == 0 && report.known == 3 && report.kept == [:])
        #expect(try imported.subscriptions == before)
    }

    @Test("A device that has another token here, and a subscription of another user, are kept")
    func newer() throws {
        let imported = try ImportedStore(["devices.csv": try Self.csv()])
        let source = EventSourceID(adapter: "PushAdapter", name: "Orders")
        let newer = try DeviceToken(exampleOf: "newer", platform: .apple)
        try imported.store.register(
            DeviceRegistration(applicationID: "Shop", deviceID: "phone-1", platform: .apple, token: newer))
        let token = try DeviceToken(try ImportedStore.androidToken("2"), platform: .android)
        _ = try imported.store.subscribe(
            DeviceSubscription(
                eventSource: source, userID: "carl", deviceID: "phone-2", applicationID: "Shop", alias: "x",
                platform: .android, token: token, options: [:]))
        let report = try imported.run("devices.csv")
        #expect(report.added == 1)
        #expect(report.kept.mapValues(\.lines) == [.otherToken: [2], .otherUser: [3]])
        #expect(try imported.store.registration(applicationID: "Shop", deviceID: "phone-1")?.token == newer)
        #expect(try imported.subscriptions == ["carl at phone-2/Shop for PushAdapter.Orders"])
    }

    @Test(
        "An imported token is unconfirmed: the first refusal of the push service removes the device, whatever its time")
    func unconfirmed() throws {
        let imported = try ImportedStore(["devices.csv": try Self.csv()])
        try imported.run("devices.csv")
        let token = try DeviceToken(exampleOf: "1", platform: .apple)
        let removed = try imported.store.unregister(
            applicationID: "Shop", deviceID: "phone-1", token: token, notSince: Date(timeIntervalSince1970: 1))
        #expect(removed?.subscriptions.count == 1)
        #expect(try imported.store.registration(applicationID: "Shop", deviceID: "phone-1") == nil)
    }

    @Test("An imported device of a user is shown to nobody who only names it; its app takes it over by its token")
    func ownership() throws {
        let imported = try ImportedStore(["devices.csv": try Self.csv()])
        try imported.run("devices.csv")
        let store = imported.store
        let claim = DeviceClaim(applicationID: "Shop", deviceID: "phone-1", clientID: "somebody", users: [])
        #expect(try store.openRegistration(of: claim) == nil)
        let other = try store.register(
            claim, user: nil, platform: .apple, token: try DeviceToken(exampleOf: "other", platform: .apple))
        #expect(other.deviceID != "phone-1")
        let own = DeviceClaim(applicationID: "Shop", deviceID: "phone-1", clientID: "the app", users: [])
        let registration = try store.register(
            own, user: nil, platform: .apple, token: try DeviceToken(exampleOf: "1", platform: .apple))
        #expect(registration.deviceID == "phone-1")
    }

    @Test(
        "A device or a token that another user has here gets nothing of the former user, and a device-only row shows nothing"
    )
    func changedHands() throws {
        let rows = ["", "ann,PushAdapter.Orders"].map { "Shop,phone-1,Apple,TOKEN,\($0.isEmpty ? "," : $0)" }
        let header = "application,device,platform,token,user,eventSource\n"
        let token = try DeviceToken(exampleOf: "1", platform: .apple)
        func text(_ lines: [String]) -> String {
            header + lines.joined(separator: "\n").replacing("TOKEN", with: token.value)
        }
        let imported = try ImportedStore([
            "both.csv": text(rows), "ann.csv": text([rows[1], rows[1].replacing("phone-1", with: "phone-9")]),
            "nul.jsonl":
                #"{"application":"Shop","device":"d","platform":"Apple","token":"\#(try ImportedStore.token("2"))","user":"ann\u0000eve","eventSource":"PushAdapter.Orders"}"#,
        ])
        #expect(try imported.run("nul.jsonl").refused.keys.first == "the user has a NUL or a damaged character")
        let store = imported.store
        try store.register(
            DeviceRegistration(
                applicationID: "Shop", deviceID: "phone-1", userID: "bob", userRealm: "R", platform: .apple,
                token: token))
        let kept = try imported.run("ann.csv")
        #expect(kept.added == 0 && kept.kept.mapValues(\.lines) == [.otherUser: [2], .otherDevice: [3]])
        #expect(try imported.subscriptions == [])
        _ = try store.unregister(applicationID: "Shop", deviceID: "phone-1")
        #expect(try imported.run("both.csv").added == 2)
        let claim = DeviceClaim(applicationID: "Shop", deviceID: "phone-1", clientID: "eve", users: [])
        #expect(try store.openRegistration(of: claim) == nil)
    }

    @Test("No callback is owed for an imported subscription")
    func callbacks() throws {
        let imported = try ImportedStore(["devices.csv": try Self.csv()])
        try imported.run("devices.csv")
        #expect(try imported.store.pendingCallbackCounts(exceptOf: []) == [:])
    }

    @Test("Phone numbers become subscriptions by SMS")
    func phoneNumbers() throws {
        let imported = try ImportedStore([
            "numbers.csv":
                "eventSource;phoneNumber;gateway;user\nSMS.Alerts;+49 170 1234567;main;ann\nSMS.Alerts;x;main;\n"
        ])
        let report = try imported.run("numbers.csv")
        #expect(report.added == 1 && report.refused.count == 1)
        let source = EventSourceID(adapter: "SMS", name: "Alerts")
        let found = try imported.store.smsSubscription(
            eventSource: source, phoneNumber: try PhoneNumber("+491701234567"))
        #expect(found?.userID == "ann" && found?.gatewayID == "main")
    }

    @Test(
        "A row that is not a record is refused with the reason and its line, without the token",
        arguments: [
            ("Shop,phone,Apple,SECRET-TOKEN,ann,PushAdapter.Orders", "not a device token for Apple"),
            ("Nope,phone,Apple,TOKEN,ann,PushAdapter.Orders", "there is no application 'Nope' in apps/"),
            ("Shop,,Apple,TOKEN,ann,PushAdapter.Orders", "there is no device"),
            ("Shop,phone,Palm,TOKEN,ann,PushAdapter.Orders", "the platform 'Palm' is unknown"),
            ("Shop,phone,Apple,TOKEN,,PushAdapter.Orders", "there is no user"),
            ("Shop,phone,Apple,TOKEN,ann,Gone.Orders", "there is no adapter 'Gone' in adapters/"),
            ("Shop,phone,Apple,TOKEN,ann,Orders", "the event source is not ADAPTER.EVENTSOURCE"),
        ])
    func refused(row: String, reason: String) throws {
        let row = row.replacing(",TOKEN,", with: ",\(try ImportedStore.token("1")),")
        let imported = try ImportedStore([
            "devices.csv": "application,device,platform,token,user,eventSource\n\n\(row)\n"
        ])
        let report = try imported.run("devices.csv")
        let refusal = try #require(report.refused.first)
        #expect(refusal.key.hasPrefix(reason) && !refusal.key.contains("SECRET"), "\(refusal.key)")
        #expect(refusal.value.lines == [3] && report.added == 0)
        #expect(try imported.subscriptions == [])
    }

    @Test("An event source that no script names is counted, and taken")
    func unknownEventSource() throws {
        let imported = try ImportedStore([
            "devices.csv": """
            application,device,token,user,eventSource
            Shop,phone,\(try ImportedStore.token("1")),ann,PushAdapter.Dynamic
            """
        ])
        let report = try imported.run("devices.csv")
        #expect(report.added == 1)
        #expect(report.unknownEventSources == [EventSourceID(adapter: "PushAdapter", name: "Dynamic"): 1])
    }

    @Test("A dry run writes nothing")
    func dry() throws {
        let imported = try ImportedStore(["devices.csv": try Self.csv()])
        let report = try imported.run("devices.csv", isDry: true)
        #expect(report.rows == 3 && report.accepted == 3 && report.added == 0)
        #expect(try imported.subscriptions == [])
    }
}
