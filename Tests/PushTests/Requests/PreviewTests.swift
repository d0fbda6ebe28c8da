import Core
import Foundation
import Logging
import PushModel
import TestSupport
import Testing

@testable import Push

@Suite("Deliveries without credentials, in development")
struct PreviewTests {
    private let log = LogRecorder()
    private let time = ManualTime()

    private func deliver(_ delivery: Delivery, settings: PushServiceSettings = .init()) async -> MediatorOutcome {
        await ServiceMediator(settings: settings, transports: [:], preview: log.logger, time: time).deliver(delivery)
    }

    @Test("The mediator delivers with the requests that a transport would send")
    func delivered() async throws {
        let delivery = delivery(["APNS": ["alert": "Hi"]], to: subscription(.apple))
        let settings = PushServiceSettings(apnsEnvironment: .production)
        let requests = try PushRequestBuilder(settings: settings).requests(for: delivery, now: time.now)
        #expect(await deliver(delivery, settings: settings) == MediatorOutcome(.previewed, requests: requests))
    }

    @Test("The mediator counts the time to live from the time of the attempt")
    func now() async {
        time.advance(by: .seconds(600))
        let outcome = await deliver(delivery(timeToLive: 3600))
        #expect(outcome.requests.first?.body.contains(#""ttl":"3000s""#) == true)
    }

    @Test("The mediator logs once for each delivery that it was not sent")
    func logged() async {
        _ = await deliver(delivery(["badge": 1, "payload": [:]], to: subscription(.windows), id: deliveryID))
        #expect(
            log.lines.value.map(\.withoutMessageID) == [
                LogRecorder.Line(
                    level: .notice,
                    message:
                        "PREVIEW ONLY, nothing left this machine: recorded 2 requests to WNS, see lamplighter deliveries",
                    metadata: [
                        "delivery": "00000000-0000-4000-8000-00000000000a", "eventSource": "NewsAdapter.News",
                        "platform": "Windows", "token": "https:…AwYA",
                    ])
            ])
    }

    @Test("The mediator logs neither the token nor the contents")
    func secrets() async {
        _ = await deliver(delivery(["APNS": ["alert": "Hi Ann"]], to: subscription(.apple)))
        let text = "\(log.lines.value)"
        #expect(!text.contains(apnsToken))
        #expect(!text.contains("Hi Ann"))
        #expect(
            log.messages(at: .notice) == [
                "PREVIEW ONLY, nothing left this machine: recorded 1 request to APNs, see lamplighter deliveries"
            ])
    }

    @Test("The mediator refuses a delivery without a valid request, and the device stays")
    func refused() async {
        let reason = "Microsoft has shut down MPNS, the push service of Windows Phone 8"
        let outcome = await deliver(delivery(to: subscription(.windowsPhone)))
        #expect(outcome == MediatorOutcome(.refused(reason: reason), requests: []))
        #expect(log.messages(at: .notice).isEmpty)
    }

    @Test("The mediator shows a phone number's message, and logs neither number nor content")
    func sms() async throws {
        let settings = PushServiceSettings(smsGateways: [SMSGateway(id: "gate", hostname: "h")])
        let outcome = await deliver(
            try smsDelivery(["SMS": ["text": "Hi"]], to: "+491701234567", id: deliveryID), settings: settings)
        #expect(outcome.ending == .previewed)
        #expect(outcome.requests.map(\.url) == ["http://h/?to=%2B491701234567&text=Hi"])
        #expect(
            log.lines.value.map(\.withoutMessageID.metadata) == [
                [
                    "delivery": "00000000-0000-4000-8000-00000000000a", "eventSource": "NewsAdapter.News",
                    "platform": "SMS", "gateway": "gate", "phoneNumber": "…567",
                ]
            ])
    }

    @Test("The mediator names the application and the tag of a message to many")
    func registration() async throws {
        let target = DeliveryTarget.registration(DeviceRegistration(subscription(.android)), by: .tag("cars"))
        _ = await deliver(
            Delivery(
                id: deliveryID, notificationID: UUID(), options: ["GCM": ["alert": "Hi"]], target: target,
                createdAt: ManualTime.start, expiresAt: ManualTime.start + 60))
        #expect(
            log.lines.value.map(\.withoutMessageID.metadata) == [
                [
                    "delivery": "00000000-0000-4000-8000-00000000000a", "application": "com.example.news",
                    "tag": "cars", "platform": "Android", "token": "…",
                ]
            ])
    }
}
