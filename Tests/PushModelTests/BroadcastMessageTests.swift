import Core
import Foundation
import PushModel
import Testing

@Suite("The options of sendMessage")
struct BroadcastMessageTests {
    private func message(_ text: String) throws -> BroadcastMessage {
        try BroadcastMessage(options: JSONValue(parsing: text))
    }

    private func notification(_ text: String) throws -> PushNotification {
        try PushNotification(options: message(text).options)
    }

    @Test(
        "The target is the one list present, without repeats; without any it is everybody",
        arguments: [
            (#""#, .everybody), (#","target":{}"#, .everybody), (#","target":null"#, .everybody),
            (#","target":{"deviceIds":null}"#, .everybody),
            (#","target":{"deviceIds":["b","a","b"]}"#, .devices(["b", "a"])),
            (#","target":{"userIds":["ann"]}"#, .users(["ann"])),
            (#","target":{"userIds":[]}"#, .users([])),
            (#","target":{"tagNames":["sport","Push.all","Push.ALL"]}"#, .tags(["sport", "Push.ALL"])),
            (
                #","target":{"platforms":["A","G","M","W","A"]}"#,
                .platforms([.apple, .android, .windowsPhone, .windows])
            ),
        ] as [(String, BroadcastTarget)])
    func target(_ json: String, target: BroadcastTarget) throws {
        #expect(try message(#"{"message":{"alert":"Hi"}"# + json + "}").target == target)
    }

    @Test("The alert alone reaches every platform")
    func alertAlone() throws {
        let notification = try notification(#"{"message":{"alert":"Hi"}}"#)
        #expect(notification.apns == APNSBlock(alert: .text("Hi")))
        #expect(notification.gcm == GCMBlock(alert: "Hi"))
        let binding = WNSBinding(template: "ToastText01", texts: ["Hi"])
        #expect(notification.wns == WNSBlock(toast: WNSToast(bindings: [binding])))
        #expect(notification.mpns == ["tile": ["title": "Hi"]])
        #expect(!notification.isFlatForm)
    }

    @Test("Each service gets its settings beside the alert")
    func settings() throws {
        let notification = try notification(
            #"""
            {"message":{"alert":"Hi"},"settings":{
                "apns":{"badge":3,"sound":"s","actionKey":"k","payload":{"a":1},"category":"c","type":"MIXED"},
                "gcm":{"sound":"g","payload":{"b":2},"delayWhileIdle":true,"timeToLive":60},
                "mpns":{"raw":{"payload":{"c":3}},"toast":{"text1":"t"},"tile":{"title":"own","count":1}},
                "wns":{"raw":{"payload":{"d":4}},"badge":{"value":5},"tile":{"visual":{"binding":[]}}}}}
            """#)
        #expect(
            notification.apns
                == APNSBlock(
                    alert: .text("Hi"), badge: 3, sound: "s", actionKey: "k", payload: ["a": 1], kind: .mixed,
                    category: "c"))
        #expect(
            notification.gcm
                == GCMBlock(alert: "Hi", sound: "g", payload: ["b": 2], delayWhileIdle: true, timeToLive: 60))
        #expect(
            notification.mpns
                == ["raw": ["payload": ["c": 3]], "toast": ["text1": "t"], "tile": ["title": "own", "count": 1]])
        #expect(notification.wns == WNSBlock(raw: ["d": 4], tile: WNSTile(), badge: "5"))
    }

    @Test("An alert in the settings does not replace the message's")
    func alertInSettings() throws {
        let notification = try notification(
            #"{"message":{"alert":"Hi"},"settings":{"apns":{"alert":"no"},"gcm":{"alert":"no"}}}"#)
        #expect(notification.apns?.alert == .text("Hi"))
        #expect(notification.gcm?.alert == "Hi")
    }

    @Test("The older name of the action key is read, and the newer one overrides it")
    func actionKey() throws {
        let text = #"{"message":{"alert":"Hi"},"settings":{"apns":{"iosActionKey":"old"#
        #expect(try notification(text + #""}}}"#).apns?.actionKey == "old")
        #expect(try notification(text + #"","actionKey":"new"}}}"#).apns?.actionKey == "new")
    }

    @Test(
        "The time to live is GCM's, or the longest",
        arguments: [("60", 60), (#""60""#, 60), ("null", 2_419_200), ("-1", 0)])
    func timeToLive(json: String, seconds: Double) throws {
        let text = #"{"message":{"alert":"Hi"},"settings":{"gcm":{"timeToLive":\#(json)}}}"#
        #expect(try message(text).timeToLive == seconds)
    }

    @Test("A broadcast of it ends with its time to live")
    func broadcast() throws {
        let message = try message(#"{"message":{"alert":"Hi"},"settings":{"gcm":{"timeToLive":60}}}"#)
        let now = Date(timeIntervalSince1970: 1000)
        let broadcast = Broadcast(message, applicationID: "App", now: now)
        #expect(broadcast.target == .everybody)
        #expect(broadcast.options == message.options)
        #expect(broadcast.expiresAt == now + 60)
    }

    @Test(
        "An error is named at its path",
        arguments: [
            ("1", "options: expected an object, got the number 1"),
            ("{}", "message: expected an object with the alert, got null"),
            (#"{"message":"Hi"}"#, #"message: expected an object, got the string 'Hi'"#),
            (#"{"message":{}}"#, "message.alert: expected a string, got null"),
            (#"{"message":{"alert":{}}}"#, "message.alert: expected a string, got an object"),
            (#"{"message":{"alert":"a"},"target":[]}"#, "target: expected an object, got an array"),
            (
                #"{"message":{"alert":"a"},"target":{"deviceIds":[],"tagNames":[]}}"#,
                "target: expected only one of deviceIds, userIds, tagNames and platforms, not deviceIds and tagNames, "
                    + "got an object"
            ),
            (
                #"{"message":{"alert":"a"},"target":{"userIds":"ann"}}"#,
                #"target.userIds: expected an array of strings, got the string 'ann'"#
            ),
            (
                #"{"message":{"alert":"a"},"target":{"userIds":["ann",1]}}"#,
                "target.userIds[1]: expected a string that is not empty, got the number 1"
            ),
            (
                #"{"message":{"alert":"a"},"target":{"tagNames":[""]}}"#,
                #"target.tagNames[0]: expected a string that is not empty, got the string ''"#
            ),
            (
                #"{"message":{"alert":"a"},"target":{"platforms":["A","X"]}}"#,
                #"target.platforms[1]: expected one of "A", "G", "M", "W", got the string 'X'"#
            ),
            (
                #"{"message":{"alert":"a"},"settings":[]}"#, "settings: expected an object, got an array"
            ),
            (
                #"{"message":{"alert":"a"},"settings":{"apns":1,"gcm":1,"mpns":1,"wns":1}}"#,
                "settings.apns: expected an object, got the number 1"
            ),
        ])
    func errors(options: String, description: String) throws {
        let error = #expect(throws: NotificationError.self) { try message(options) }
        #expect(error?.description == description)
    }

    @Test("IBM's tag sample reaches every platform, with the object that its toast launches as JSON")
    func sample() throws {
        let message = try message(
            #"""
            {"message":{"alert":"Hi"},"settings":{"wns":{
                "raw":{"payload":{"custom":"data"}},
                "toast":{"launch":{"custom":"data"},
                    "visual":{"binding":{"template":"ToastText04","text":[{"content":"Text1"},{"content":"Text2"}]}}},
                "tile":{"visual":{"binding":[{"template":"TileSquareText04","text":[{"content":"Text1"}]}]}},
                "badge":{"value":10}}}}
            """#)
        let notification = try PushNotification(options: message.options)
        #expect(message.warnings.isEmpty && notification.problems.isEmpty)
        #expect(notification.wns?.toast?.launch == #"{"custom":"data"}"#)
        #expect(notification.apns?.alert == .text("Hi") && notification.gcm?.alert == "Hi")
    }

    @Test(
        "Settings that are wrong affect their own platform, and are named where they were written",
        arguments: [
            (
                #"{"apns":{"badge":"one"}}"#,
                #"settings.apns.badge: expected a whole number, got the string 'one'; Apple devices"#, .apns
            ),
            (
                #"{"apns":{"iosActionKey":[]}}"#,
                "settings.apns.iosActionKey: expected a string, got an array; Apple devices", .apns
            ),
            (
                #"{"gcm":{"timeToLive":"soon"}}"#,
                #"settings.gcm.timeToLive: expected a number, got the string 'soon'; Android devices"#, .gcm
            ),
            (#"{"gcm":"x"}"#, #"settings.gcm: expected an object, got the string 'x'; Android devices"#, .gcm),
            (#"{"mpns":1}"#, "settings.mpns: expected an object, got the number 1; Windows Phone devices", .mpns),
            (
                #"{"wns":{"toast":{"visual":{"binding":{}}}}}"#,
                #"settings.wns.toast.visual.binding.template: expected the name of a template of Windows, such as "#
                    + #""ToastText01", got null; Windows devices"#, .wns
            ),
        ] as [(String, String, PushNotification.Block)])
    func badSettings(settings: String, warning: String, block: PushNotification.Block) throws {
        let message = try message(#"{"message":{"alert":"Hi"},"settings":\#(settings)}"#)
        #expect(message.warnings == [warning + " get nothing of this notification"])
        #expect(message.timeToLive == PushNotification.longestTimeToLive)
        let problems = try PushNotification(options: message.options).problems
        #expect(Array(problems.keys) == [block])
    }

    @Test("Tags that the application does not declare are refused, Push.ALL never is")
    func undeclaredTags() throws {
        let message = try message(#"{"message":{"alert":"a"},"target":{"tagNames":["Push.all","sport"]}}"#)
        #expect(throws: TagError(name: "sport", declared: ["news"])) { try message.checkTags(Tags(declared: ["news"])) }
        try message.checkTags(Tags(declared: ["sport"]))
    }
}
