import Core
import Foundation
import Push
import PushModel
import TestSupport
import Testing

@Suite("Requests to APNs")
struct APNsRequestTests {
    private func request(
        _ apns: JSONValue, alias: String = "myNews", settings: PushServiceSettings = PushServiceSettings(),
        timeToLive: Double = 3600, now: Date = ManualTime.start
    ) throws -> PushRequest {
        let delivery = delivery(
            ["APNS": apns], to: subscription(.apple, alias: alias), id: deliveryID, timeToLive: timeToLive)
        let requests = try PushRequestBuilder(settings: settings).requests(for: delivery, now: now)
        #expect(requests.count == 1)
        return try #require(requests.first)
    }

    @Test("A notification with everything is sent byte for byte like this")
    func whole() throws {
        let request = try request([
            "alert": "Hello \"Ann\"", "badge": 3, "sound": "ping.caf", "actionKey": "OPEN", "payload": ["id": 7],
        ])
        let expected = PushRequest(
            service: .apns, method: "POST", url: "https://api.sandbox.push.apple.com/3/device/\(apnsToken)",
            headers: [
                .init("apns-id", "00000000-0000-4000-8000-00000000000a"),
                .init("apns-topic", "com.example.news"),
                .init("apns-push-type", "alert"),
                .init("apns-priority", "10"),
                .init("apns-expiration", "1700003600"),
                .init("content-type", "application/json"),
            ],
            body: #"{"aps":{"alert":{"action-loc-key":"OPEN","body":"Hello \"Ann\""},"badge":3,"sound":"ping.caf"},"#
                + #""payload":"{\"alias\":\"myNews\",\"id\":7}"}"#)
        #expect(request == expected)
    }

    @Test("The sample of seed 001 has the body that a device printed there")
    func seed() throws {
        let request = try request(
            [
                "badge": 1, "alert": "Pushnotification", "payload": ["custom": "data"], "sound": "", "actionKey": .null,
            ], alias: "iOSPushAlias")
        #expect(
            request.body
                == #"{"aps":{"alert":{"action-loc-key":null,"body":"Pushnotification"},"badge":1,"sound":""},"#
                + #""payload":"{\"alias\":\"iOSPushAlias\",\"custom\":\"data\"}"}"#)
    }

    @Test("The flat form sends the button's label as the action key")
    func flat() throws {
        let delivery = delivery(
            ["badge": 1, "sound": "s.mp3", "activateButtonLabel": "Click", "alert": "Hi", "payload": ["foo": "bar"]],
            to: subscription(.apple))
        let request = try PushRequestBuilder().requests(for: delivery, now: ManualTime.start).first
        #expect(
            request?.body
                == #"{"aps":{"alert":{"action-loc-key":"Click","body":"Hi"},"badge":1,"sound":"s.mp3"},"#
                + #""payload":"{\"alias\":\"myNews\",\"foo\":\"bar\"}"}"#)
    }

    @Test("Absent fields are left out, and the payload carries the alias all the same")
    func empty() throws {
        #expect(try request([:]).body == #"{"aps":{},"payload":"{\"alias\":\"myNews\"}"}"#)
    }

    @Test("A badge of 0 is sent, since it takes the badge away")
    func zeroBadge() throws {
        #expect(try request(["badge": 0]).body.contains(#""aps":{"badge":0}"#))
    }

    @Test("The subscription's alias comes first and replaces the adapter's")
    func alias() throws {
        let body = try request(["payload": ["a": 1, "alias": "forged", "b": 2]]).body
        #expect(body == #"{"aps":{},"payload":"{\"alias\":\"myNews\",\"a\":1,\"b\":2}"}"#)
    }

    @Test(
        "title and subtitle go into the alert, beside its body or instead of one",
        arguments: ["subtitle", "subTitle"])
    func titles(name: String) throws {
        var block: JSONObject = ["alert": "b", "title": "t"]
        block[name] = "s"
        #expect(
            try request(.object(block)).body
                .hasPrefix(#"{"aps":{"alert":{"action-loc-key":null,"body":"b","title":"t","subtitle":"s"}},"#))
        block["alert"] = .object(["title": "own"])
        #expect(
            try request(.object(block)).body.hasPrefix(#"{"aps":{"alert":{"title":"own","subtitle":"s"}},"#))
        #expect(try request(["title": "t"]).body.hasPrefix(#"{"aps":{"alert":{"title":"t"}},"#))
    }

    @Test("An alert that is an object is sent as it is")
    func alertObject() throws {
        let body = try request(["alert": ["title-loc-key": "T", "loc-args": ["x"]]]).body
        #expect(body.hasPrefix(#"{"aps":{"alert":{"title-loc-key":"T","loc-args":["x"]}},"#))
    }

    @Test("An action key is added to an alert object that has none")
    func alertObjectActionKey() throws {
        #expect(
            try request(["alert": ["body": "b"], "actionKey": "OPEN"]).body
                .hasPrefix(#"{"aps":{"alert":{"body":"b","action-loc-key":"OPEN"}},"#))
        #expect(
            try request(["alert": ["action-loc-key": "OWN"], "actionKey": "OPEN"]).body
                .hasPrefix(#"{"aps":{"alert":{"action-loc-key":"OWN"}},"#))
    }

    @Test("A silent notification wakes the app in the background and shows nothing")
    func silent() throws {
        let request = try request([
            "type": "SILENT", "alert": "a", "badge": 1, "sound": "s", "category": "c", "payload": ["id": 7],
        ])
        #expect(request.body == #"{"aps":{"content-available":1},"payload":"{\"alias\":\"myNews\",\"id\":7}"}"#)
        #expect(request.headers.contains(.init("apns-push-type", "background")))
        #expect(request.headers.contains(.init("apns-priority", "5")))
    }

    @Test("A mixed notification shows itself and wakes the app")
    func mixed() throws {
        let request = try request(["type": "MIXED", "alert": "a", "category": "c"])
        #expect(
            request.body.hasPrefix(
                #"{"aps":{"alert":{"action-loc-key":null,"body":"a"},"category":"c","content-available":1},"#))
        #expect(request.headers.contains(.init("apns-push-type", "alert")))
        #expect(request.headers.contains(.init("apns-priority", "10")))
    }

    @Test(
        "A mixed notification with nothing to show is pushed like a silent one, as Apple demands",
        arguments: [["type": "MIXED"], ["type": "MIXED", "sound": "", "category": "c"]] as [JSONValue])
    func mixedWithNothingToShow(block: JSONValue) throws {
        let request = try request(block)
        #expect(request.body.hasPrefix(#"{"aps":{"content-available":1},"#))
        #expect(request.headers.contains(.init("apns-push-type", "background")))
        #expect(request.headers.contains(.init("apns-priority", "5")))
    }

    @Test("Parts that the app turned off do not make a mixed notification an alert")
    func mixedTurnedOff() throws {
        let subscription = subscription(.apple, options: ["alert": false, "badge": false, "sound": "false"])
        let delivery = delivery(["APNS": ["type": "MIXED", "alert": "a", "badge": 1, "sound": "s"]], to: subscription)
        let request = try PushRequestBuilder().requests(for: delivery, now: ManualTime.start).first
        #expect(request?.body.hasPrefix(#"{"aps":{"content-available":1},"#) == true)
        #expect(request?.headers.contains(.init("apns-push-type", "background")) == true)
    }

    @Test("Notifications with a collapse id replace each other on the device")
    func collapse() throws {
        #expect(
            try request(["alert": "a", "collapseId": "score 7"]).headers.contains(.init("apns-collapse-id", "score 7")))
        let headers = try request(["alert": "a"]).headers
        #expect(!headers.contains { $0.name == "apns-collapse-id" })
    }

    @Test(
        "A collapse id that APNs would not take is refused",
        arguments: ["", String(repeating: "x", count: 65), "ä", "a\nb"])
    func badCollapse(id: String) throws {
        let error = #expect(throws: PushRequestError.self) { try request(["collapseId": .string(id)]) }
        #expect(error?.reason.contains("collapseId") == true)
    }

    @Test("go to Apple's production service in production, under the app's bundle id")
    func production() throws {
        let settings = PushServiceSettings(
            apnsEnvironment: .production,
            applications: ["com.example.news": .init(apnsTopic: "com.example.ios.news")])
        let request = try request([:], settings: settings)
        #expect(request.url == "https://api.push.apple.com/3/device/\(apnsToken)")
        #expect(request.headers.contains(.init("apns-topic", "com.example.ios.news")))
    }

    @Test("The expiration is rounded up to a whole second")
    func roundedExpiration() throws {
        #expect(try request([:], timeToLive: 60.2).headers.contains(.init("apns-expiration", "1700000061")))
    }

    @Test("An expired message asks APNs to try once and store nothing", arguments: [0, 5])
    func expired(seconds: Double) throws {
        let request = try request([:], timeToLive: 0, now: ManualTime.start + seconds)
        #expect(request.headers.contains(.init("apns-expiration", "0")))
    }
}
