import Core
import PushModel
import Testing

@Suite("Notifications in blocks")
struct NotificationBlockTests {
    @Test("The APNS block is read whole")
    func apns() throws {
        let notification = try PushNotification(options: [
            "APNS": [
                "alert": "Hello", "badge": 3, "sound": "ping.caf", "actionKey": "OPEN", "payload": ["id": 7],
                "type": "MIXED", "category": "reply",
            ]
        ])
        #expect(
            notification.apns
                == APNSBlock(
                    alert: .text("Hello"), badge: 3, sound: "ping.caf", actionKey: "OPEN", payload: ["id": 7],
                    kind: .mixed, category: "reply"))
    }

    @Test("An APNS alert may be an object")
    func apnsAlertObject() throws {
        let notification = try PushNotification(options: ["APNS": ["alert": ["loc-key": "NEWS"]]])
        #expect(notification.apns?.alert == .object(["loc-key": "NEWS"]))
    }

    @Test("The action key has two names")
    func actionKey() throws {
        #expect(try PushNotification(options: ["APNS": ["iosActionKey": "old"]]).apns?.actionKey == "old")
    }

    @Test("Every field of the APNS block may be absent, badge too", arguments: [[:], ["badge": .null]] as [JSONValue])
    func emptyAPNS(block: JSONValue) throws {
        #expect(try PushNotification(options: ["APNS": block]).apns == APNSBlock())
    }

    @Test(
        "The type of an APNS block is one of three",
        arguments: [("DEFAULT", APNSBlock.Kind.standard), ("SILENT", .silent), ("MIXED", .mixed)])
    func apnsKinds(type: String, kind: APNSBlock.Kind) throws {
        #expect(try PushNotification(options: ["APNS": ["type": .string(type)]]).apns?.kind == kind)
    }

    @Test("The GCM block is read whole")
    func gcm() throws {
        let notification = try PushNotification(options: [
            "GCM": [
                "alert": "Hello", "sound": "ping.mp3", "payload": ["id": 7], "delayWhileIdle": true, "timeToLive": 60,
            ]
        ])
        #expect(
            notification.gcm
                == GCMBlock(
                    alert: "Hello", sound: "ping.mp3", payload: ["id": 7], delayWhileIdle: true, timeToLive: 60))
    }

    @Test("A badge in the GCM block is ignored, even a wrong one", arguments: [1, "one"] as [JSONValue])
    func gcmBadge(badge: JSONValue) throws {
        #expect(try PushNotification(options: ["GCM": ["badge": badge]]).gcm == GCMBlock())
    }

    @Test("The WNS block is read whole")
    func wns() throws {
        let notification = try PushNotification(options: [
            "WNS": [
                "raw": ["payload": ["id": 7]],
                "toast": [
                    "launch": "page=2",
                    "visual": ["binding": ["template": "ToastText02", "text": [["content": "a"], ["content": "b"]]]],
                ],
                "tile": [
                    "visual": [
                        "binding": [
                            ["template": "TileSquareImage", "image": [["src": "a.png"]]],
                            ["template": "TileWideText03", "text": ["content": "c"]],
                        ]
                    ]
                ],
                "badge": ["value": "newMessage"],
            ]
        ])
        #expect(
            notification.wns
                == WNSBlock(
                    raw: ["id": 7],
                    toast: WNSToast(
                        launch: "page=2", bindings: [WNSBinding(template: "ToastText02", texts: ["a", "b"])]),
                    tile: WNSTile(bindings: [
                        WNSBinding(template: "TileSquareImage", images: ["a.png"]),
                        WNSBinding(template: "TileWideText03", texts: ["c"]),
                    ]),
                    badge: "newMessage"))
    }

    @Test(
        "A WNS badge is a whole number, also as a string, or the name of a glyph",
        arguments: [
            (0, "0"), (12, "12"), (1000, "1000"), ("3", "3"), (" 7 ", "7"), ("99+", "100"),
            ("newMessage", "newMessage"),
            ("none", "none"),
        ] as [(JSONValue, String)])
    func wnsBadge(value: JSONValue, badge: String) throws {
        #expect(try PushNotification(options: ["WNS": ["badge": ["value": value]]]).wns?.badge == badge)
    }

    @Test(
        "A toast's launch may be an object, as in IBM's sample; it goes as JSON",
        arguments: [
            (["custom": "data"], #"{"custom":"data"}"#), ([1, 2], "[1,2]"), (7, "7"), (true, "true"),
            ("page=2", "page=2"),
        ] as [(JSONValue, String)])
    func launch(value: JSONValue, launch: String) throws {
        #expect(try PushNotification(options: ["WNS": ["toast": ["launch": value]]]).wns?.toast?.launch == launch)
    }

    @Test("Numbers may be passed as strings, and strings as numbers")
    func otherTypes() throws {
        let notification = try PushNotification(options: [
            "APNS": ["alert": "a", "badge": "3", "sound": 1],
            "GCM": ["alert": 5, "timeToLive": "60", "delayWhileIdle": "true"], "SMS": ["text": 4711],
        ])
        #expect(notification.apns == APNSBlock(alert: .text("a"), badge: 3, sound: "1"))
        #expect(notification.gcm == GCMBlock(alert: "5", delayWhileIdle: true, timeToLive: 60))
        #expect(notification.sms == "4711")
        #expect(notification.timeToLive == 60)
        #expect(try PushNotification(options: ["alert": "a", "badge": "3"]).gcm?.badge == 3)
    }

    @Test("An unreadable block leaves the others unchanged, and is reported with its recipients")
    func badBlock() throws {
        let notification = try PushNotification(options: [
            "APNS": ["alert": "a", "badge": []], "GCM": ["alert": "b"], "WNS": ["badge": ["value": "star"]],
            "SMS": ["text": "c"],
        ])
        #expect(notification.apns == nil && notification.wns == nil)
        #expect(notification.gcm == GCMBlock(alert: "b"))
        #expect(notification.sms == "c")
        #expect(Set(notification.problems.keys) == [.apns, .wns])
        #expect(
            notification.warnings.first
                == "APNS.badge: expected a whole number, got an array; Apple devices get nothing of this notification"
        )
        #expect(notification.warnings.count == 2)
    }

    @Test("A time to live that cannot be read is the longest, since the other platforms get theirs")
    func badTimeToLive() throws {
        let notification = try PushNotification(options: ["APNS": [:], "GCM": ["timeToLive": []]])
        #expect(notification.timeToLive == PushNotification.longestTimeToLive)
    }

    @Test("Empty parts of a WNS block leave it empty")
    func emptyWNS() throws {
        let notification = try PushNotification(options: [
            "WNS": ["raw": [:], "toast": .null, "tile": ["visual": .null], "badge": ["value": .null]]
        ])
        #expect(notification.wns == WNSBlock(tile: WNSTile()))
    }

    @Test("The MPNS block is kept as it came")
    func mpns() throws {
        let block: JSONValue = ["raw": ["payload": [:]], "tile": ["count": 1], "other": [1]]
        #expect(try PushNotification(options: ["MPNS": block]).mpns == block)
    }

    @Test("The SMS block returns its message")
    func sms() throws {
        #expect(try PushNotification(options: ["SMS": ["text": "Hello"]]).sms == "Hello")
        #expect(try PushNotification(options: ["SMS": [:]]).sms == nil)
    }

    @Test("A block that is null is absent")
    func nullBlocks() throws {
        let options: JSONValue = ["APNS": .null, "GCM": .null, "MPNS": .null, "SMS": .null, "WNS": .null]
        #expect(try PushNotification(options: options) == PushNotification())
    }

    @Test("A payload that is null is absent")
    func nullPayload() throws {
        #expect(try PushNotification(options: ["GCM": ["payload": .null]]).gcm?.payload == nil)
    }

    @Test("Unknown keys are ignored, and flat keys beside a block too")
    func unknownKeys() throws {
        let notification = try PushNotification(options: [
            "APNS": ["alert": "a", "launchImage": 1], "alert": 5, "Other": [],
        ])
        #expect(notification == PushNotification(apns: APNSBlock(alert: .text("a"))))
    }

    @Test("Blocks of createDefaultNotification are read")
    func defaultNotification() throws {
        let notification = try PushNotification(options: [
            "APNS": ["badge": 1, "alert": "Hi", "payload": ["a": 1], "sound": "", "actionKey": .null],
            "GCM": ["alert": "Hi", "payload": ["a": 1]],
            "SMS": ["text": "Hi"],
            "MPNS": ["raw": ["payload": ["a": 1]], "toast": .null, "tile": ["title": "Hi", "count": 1]],
        ])
        #expect(notification.apns == APNSBlock(alert: .text("Hi"), badge: 1, sound: "", payload: ["a": 1]))
        #expect(notification.gcm == GCMBlock(alert: "Hi", payload: ["a": 1]))
        #expect(notification.sms == "Hi")
        #expect(notification.wns == nil)
        #expect(!notification.isFlatForm)
    }
}
