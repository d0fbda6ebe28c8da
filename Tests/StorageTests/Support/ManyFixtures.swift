import Core
import Foundation
import GRDB
import PushModel
import Storage

func registration(
    _ device: String = "phone", user: String? = "ann", application: String = "Reader", platform: Platform = .android,
    token: String? = nil
) -> DeviceRegistration {
    DeviceRegistration(
        applicationID: application, deviceID: device, userID: user, platform: platform,
        token: DeviceToken(stored: token ?? "token of \(device)"))
}

func phone(_ text: String = "+49 170 1") throws -> PhoneNumber { try PhoneNumber(text) }

func smsSubscription(
    _ text: String = "+49 170 1", to eventSource: EventSourceID = news, user: String? = "ann", gateway: String = "gate",
    alias: String? = nil, application: String? = nil
) throws -> SMSSubscription {
    SMSSubscription(
        eventSource: eventSource, phoneNumber: try phone(text), gatewayID: gateway, userID: user, alias: alias,
        applicationID: application)
}

func broadcast(_ target: BroadcastTarget = .everybody, application: String = "Reader") -> Broadcast {
    Broadcast(
        applicationID: application, target: target, options: ["GCM": ["alert": "Hi"]], createdAt: noon,
        expiresAt: noon + 86_400)
}

extension SQLStore {
    /// Makes a broadcast's deliveries, and returns their devices and the tags that select these.
    func recipients(of target: BroadcastTarget, limit: Int) throws(StoreError) -> [String] {
        let broadcast = broadcast(target)
        try outbox.begin(broadcast)
        _ = try finish(broadcast.id, limit: limit)
        let made = try outbox.deliveries(state: nil, limit: 1000).filter { $0.notificationID == broadcast.id }
        return made.reversed().compactMap { delivery in
            guard case .registration(let registration, let address) = delivery.target else { return nil }
            return "\(registration.deviceID):\(address.tag ?? "-")"
        }
    }

    /// Makes all deliveries of a broadcast, and returns how many each step made.
    func finish(_ id: UUID, limit: Int = 100) throws(StoreError) -> [Int] {
        var counts: [Int] = []
        while let step = try outbox.expandBroadcast(id, limit: limit) { counts.append(step.enqueued) }
        return counts
    }
}

extension StoreFolder {
    /// Registers so many Android devices of `Reader` at once, `00000` and on; each has the tag of broadcasts.
    func registerMany(_ count: Int) throws {
        let devices = """
            WITH RECURSIVE counter(n) AS (VALUES (0) UNION ALL SELECT n + 1 FROM counter WHERE n + 1 < \(count)),
                new AS (SELECT substr(CAST(100000 + n AS TEXT), 2) AS device FROM counter)
            """
        try run(
            """
            INSERT INTO device_registration (application_id, device_id, user_id, platform, token)
            \(devices) SELECT 'Reader', device, 'user ' || device, 'Android', 't' || device FROM new
            """)
        try run(
            "INSERT INTO tag_subscription \(devices) SELECT 'Reader', 'Push.ALL', device FROM new")
    }
}
