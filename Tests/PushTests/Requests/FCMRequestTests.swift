import Core
import Foundation
import Push
import PushModel
import TestSupport
import Testing

@Suite("Requests to FCM")
struct FCMRequestTests {
    private func request(
        _ options: JSONValue, settings: PushServiceSettings = PushServiceSettings(), timeToLive: Double = 3600,
        now: Date = ManualTime.start
    ) throws -> PushRequest {
        let delivery = delivery(options, id: deliveryID, timeToLive: timeToLive)
        let requests = try PushRequestBuilder(settings: settings).requests(for: delivery, now: now)
        #expect(requests.count == 1)
        return try #require(requests.first)
    }

    @Test("A notification with everything is sent byte for byte like this")
    func whole() throws {
        let request = try request(
            ["badge": 3, "sound": "ping.mp3", "alert": "Grüße \"Ann\"", "payload": ["id": 7]],
            settings: PushServiceSettings(accountIDs: [.fcm: "news-1234"]))
        let expected = PushRequest(
            service: .fcm, method: "POST",
            url: "https://fcm.googleapis.com/v1/projects/news-1234/messages:send",
            headers: [.init("Content-Type", "application/json")],
            body: #"{"message":{"token":"APA91bHx-Y_z:1","data":{"alert":"Grüße \"Ann\"","badge":"3","#
                + #""sound":"ping.mp3","payload":"{\"alias\":\"myNews\",\"id\":7}"},"#
                + #""android":{"ttl":"3600s","priority":"HIGH"}}}"#)
        #expect(request == expected)
    }

    @Test("Absent fields are left out, and the payload carries the alias all the same")
    func empty() throws {
        #expect(
            try request(["GCM": [:]]).body
                == #"{"message":{"token":"APA91bHx-Y_z:1","data":{"payload":"{\"alias\":\"myNews\"}"},"#
                + #""android":{"ttl":"3600s","priority":"HIGH"}}}"#)
    }

    @Test("A badge in the GCM block is not sent")
    func ignoredBadge() throws {
        #expect(try !request(["GCM": ["badge": 3]]).body.contains("badge"))
    }

    @Test("A message that may wait for an idle device has normal priority")
    func delayWhileIdle() throws {
        #expect(try request(["GCM": ["delayWhileIdle": true]]).body.contains(#""priority":"NORMAL""#))
    }

    @Test(
        "The time to live is what is left of it, rounded up, never negative and never more than four weeks",
        arguments: [(60, 0, "60s"), (60, 59.5, "1s"), (60, 60, "0s"), (60, 100, "0s"), (9e9, 0, "2419200s")])
    func timeToLive(timeToLive: Double, elapsed: Double, text: String) throws {
        let request = try request(["GCM": [:]], timeToLive: timeToLive, now: ManualTime.start + elapsed)
        #expect(request.body.contains(#""ttl":"\#(text)""#))
    }

    @Test("A missing Firebase project is named in the address")
    func missingProject() throws {
        #expect(
            try request(["GCM": [:]]).url
                == "https://fcm.googleapis.com/v1/projects/project-not-configured/messages:send")
    }
}
