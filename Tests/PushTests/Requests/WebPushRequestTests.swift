import Core
import Foundation
import Push
import PushModel
import TestSupport
import Testing

@Suite("Requests to pages in browsers")
struct WebPushRequestTests {
    private func request(
        _ options: JSONValue, to subscription: DeviceSubscription = subscription(.web), now: Date = ManualTime.start
    ) throws -> PushRequest {
        let requests = try PushRequestBuilder().requests(
            for: delivery(options, to: subscription, id: deliveryID), now: now)
        #expect(requests.count == 1)
        return try #require(requests.first)
    }

    @Test("A notification with everything is sent like this, before it is encrypted")
    func whole() throws {
        let request = try request([
            "badge": 3, "sound": "ping.mp3", "alert": "Grüße \"Ann\"", "payload": ["id": 7, "alias": "theirs"],
        ])
        let expected = PushRequest(
            service: .webPush, method: "POST", url: "https://push.example.com/p/abc?d=1",
            headers: [
                .init("TTL", "3600"), .init("Urgency", "high"), .init("Topic", "AAAAAAAAQACAAAAAAAAACg"),
            ],
            body: #"{"id":"00000000-0000-4000-8000-00000000000a","alert":"Grüße \"Ann\"","badge":3,"#
                + #""sound":"ping.mp3","payload":{"alias":"myNews","id":7}}"#)
        #expect(request == expected)
    }

    @Test("The GCM block counts before the APNS block, but for the badge, which it cannot have")
    func blocks() throws {
        let body = try request(["APNS": ["alert": "a", "badge": 1, "sound": "s"], "GCM": ["alert": "g"]]).body
        #expect(body.contains(#""alert":"g","badge":1,"payload""#))
    }

    @Test("A page gets the APNS block, with its alert's title, if there is no GCM block")
    func apns() throws {
        let body = try request(["APNS": ["alert": ["title": "News", "body": "Snow"], "badge": 2, "sound": ""]]).body
        #expect(
            body
                == #"{"id":"00000000-0000-4000-8000-00000000000a","title":"News","alert":"Snow","badge":2,"#
                + #""sound":"","payload":{"alias":"myNews"}}"#)
    }

    @Test("A silent notification of the APNS block shows nothing and is not urgent")
    func silent() throws {
        let request = try request(["APNS": ["type": "SILENT", "alert": "x", "payload": ["a": 1]]])
        #expect(
            request.body
                == #"{"id":"00000000-0000-4000-8000-00000000000a","payload":{"alias":"myNews","a":1}}"#)
        #expect(request.headers.contains(.init("Urgency", "normal")))
    }

    @Test("A message that may wait for an idle device is not urgent")
    func idle() throws {
        let request = try request(["GCM": ["alert": "x", "delayWhileIdle": true]])
        #expect(request.headers.contains(.init("Urgency", "normal")))
    }

    @Test("The time to live is what is left of it", arguments: [(0.0, "3600"), (3599.5, "1"), (4000, "0")])
    func timeToLive(elapsed: Double, text: String) throws {
        let request = try request(["GCM": [:]], now: ManualTime.start + elapsed)
        #expect(request.headers.contains(.init("TTL", text)))
    }

    @Test("Parts that the page turned off are left out")
    func unwanted() throws {
        let quiet = subscription(.web, options: ["alert": false, "badge": "false"])
        let body = try request(["alert": "a", "badge": 1, "sound": "s"], to: quiet).body
        #expect(!body.contains("alert\":") && !body.contains("badge") && body.contains(#""sound":"s""#))
    }

    @Test("A message to a tag carries the tag")
    func tag() throws {
        let registration = DeviceRegistration(
            applicationID: "App", deviceID: "d", platform: .web, token: DeviceToken(stored: webToken))
        let delivery = Delivery(
            id: deliveryID, notificationID: deliveryID, options: ["GCM": ["alert": "x"]],
            target: .registration(registration, by: .tag("news")), createdAt: ManualTime.start,
            expiresAt: ManualTime.start)
        let request = try #require(try PushRequestBuilder().requests(for: delivery, now: ManualTime.start).first)
        #expect(request.body.contains(#""payload":{"tag":"news"}"#))
    }

    @Test("A notification with no content for a page is refused with the expected content")
    func nothing() {
        #expect(
            throws: PushRequestError(
                "the notification has neither a GCM nor an APNS block, one of which is what Web pages receive")
        ) { try request(["WNS": [:]]) }
    }

    @Test("3,993 bytes may go, one more may not, and the largest part is named")
    func size() throws {
        let frame = try request(["GCM": ["alert": ""]]).body.utf8.count
        let longest = String(repeating: "a", count: 3993 - frame)
        #expect(try request(["GCM": ["alert": .string(longest)]]).body.utf8.count == 3993)
        #expect(
            throws: PushRequestError(
                "Web Push takes at most 3993 bytes and this message has 3994; the largest part is GCM.alert with "
                    + "\(longest.utf8.count + 3) bytes", isTooLarge: true)
        ) { try request(["GCM": ["alert": .string(longest + "a")]]) }
    }

    @Test("refuses a damaged subscription, and names the remedy")
    func damaged() {
        let damaged = DeviceSubscription(
            eventSource: EventSourceID(adapter: "A", name: "E"), userID: "ann", deviceID: "d", applicationID: "App",
            alias: "e", platform: .web, token: DeviceToken(stored: "{}"), options: [:])
        #expect {
            try request(["GCM": [:]], to: damaged)
        } throws: { error in
            "\(error)".hasSuffix("it has to subscribe again")
        }
    }
}
