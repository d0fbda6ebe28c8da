import Core
import Foundation
import PushModel
import Testing

@Suite("Deliveries and their requests")
struct DeliveryValueTests {
    @Test("A new delivery is pending, due at once and without attempts")
    func new() {
        let subscription = DeviceSubscription(
            eventSource: EventSourceID(adapter: "A", name: "E"), userID: "ann", deviceID: "phone",
            applicationID: "App", alias: "news", platform: .android, token: DeviceToken(stored: "t"), options: [:])
        let created = Date(timeIntervalSince1970: 1000)
        let delivery = Delivery(
            notificationID: UUID(), options: ["GCM": [:]], subscription: subscription, createdAt: created,
            expiresAt: created + 60)
        #expect(delivery.state == .queued)
        #expect(delivery.due == created)
        #expect(delivery.attempts == 0)
        #expect(delivery.endedAt == nil)
        #expect(delivery.reason == nil)
        #expect(delivery.requests.isEmpty)
    }

    @Test("A request survives being stored")
    func coding() throws {
        let request = PushRequest(
            service: .fcm, method: "POST", url: "https://example/", headers: [.init("a", "1"), .init("a", "2")],
            body: #"{"é":"\n"}"#)
        let data = try JSONEncoder().encode([request])
        #expect(try JSONDecoder().decode([PushRequest].self, from: data) == [request])
    }

    @Test("A stored request has the service's name as a string, and a former service's can be read")
    func service() throws {
        let text = #"{"service":"GCM","method":"POST","url":"https://example/","headers":[],"body":""}"#
        let request = try JSONDecoder().decode(PushRequest.self, from: Data(text.utf8))
        #expect(request.service.rawValue == "GCM")
        #expect(
            try JSONDecoder().decode([String].self, from: JSONEncoder().encode([PushService.webPush])) == ["Web Push"])
    }

    @Test("A store error has location, failure and remedy")
    func storeError() {
        let error = StoreError(.diskFull, location: "/data/lamplighter.db", reason: "database or disk is full")
        #expect(
            "\(error)"
                == "/data/lamplighter.db: database or disk is full — free some space on that disk; everything accepted so "
                + "far is kept")
    }
}
