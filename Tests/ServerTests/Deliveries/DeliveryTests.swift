import Core
import Foundation
import Logging
import PushModel
import PushSandbox
import Storage
import TestSupport
import Testing

@Suite("From notify to the phones")
struct NotifyToPhonesTests {
    @Test("Every device gets the notification once, as Apple documents it", .defaultTimeLimit)
    func delivered() async throws {
        try await SandboxedServer.run(devices: 200) { (world) async throws in
            try await world.notify("ann", "Köln")
            #expect(try await world.settled(200) == [.delivered: 200])
            let arrivals = world.sandbox.arrivals(of: .apns)
            #expect(Set(arrivals.compactMap(\.token)) == Set((0..<200).map(SandboxedServer.token)))
            #expect(arrivals.count == 200 && arrivals.allSatisfy(\.isAccepted))
            let first = try #require(arrivals.first)
            #expect(first.header("apns-topic") == SandboxedServer.application)
            #expect(first.header("apns-push-type") == "alert")
            let body = String(decoding: first.body, as: UTF8.self)
            #expect(
                body
                    == #"{"aps":{"alert":{"action-loc-key":null,"body":"Köln"}},"payload":"{\"alias\":\"news\",\"from\":\"test\"}"}"#
            )
        }
    }

    @Test(
        "Uninstalled apps are removed with their callbacks and a log line; the others get their messages",
        .defaultTimeLimit)
    func halfDead() async throws {
        let time = ManualTime()
        let dead = Set((0..<100).filter { $0.isMultiple(of: 2) }.map(SandboxedServer.token))
        try await SandboxedServer.run(devices: 100, time: time) { settings in
            settings.fault = { request in
                dead.contains(request.token ?? "")
                    ? .status(410, reason: "Unregistered", timestamp: Date().addingTimeInterval(5), retryAfter: nil)
                    : nil
            }
        } _: { (world) async throws in
            try await world.notifyTwice(lost: 50, delivered: 50, time)
            #expect(try await world.settled(150) == [.delivered: 100, .refused: 50])
            #expect(Set(world.acceptedTokens()).isDisjoint(with: dead))
            let left = try world.store.deviceSubscriptions(matching: SubscriptionFilter(userID: "ann"))
            #expect(left.count == 50 && left.allSatisfy { !dead.contains($0.token.value) })
            let lines = world.log.messages
            #expect(lines.count { $0.contains("device gone: d") } == 50)
            #expect(lines.count { $0.contains("device removed: ") && $0.contains("Unregistered") } == 50)
            #expect(!lines.contains { $0.contains("user gone") })
            let refused = try world.store.outbox.deliveries(state: .refused, limit: 1)
            #expect(refused.first?.reason?.contains("Unregistered") == true)
        }
    }

    @Test("A service that loses every device removes none, at the second attempt too", .defaultTimeLimit)
    func massLoss() async throws {
        let time = ManualTime()
        try await SandboxedServer.run(devices: 60, time: time) { settings in
            settings.fault = { _ in .status(410, reason: "Unregistered", timestamp: nil, retryAfter: nil) }
        } _: { (world) async throws in
            try await world.notify()
            for attempts in 1...2 {
                try await world.log.lines.wait { lines in
                    lines.count { $0.message.hasPrefix("refused: ") || $0.message.hasPrefix("to be tried again") }
                        >= attempts * 60
                }
                time.advance(by: .seconds(60))
            }
            #expect(world.log.messages(at: .error).contains { $0.contains("devices in a row as lost") })
            let left = try world.store.deviceSubscriptions(matching: SubscriptionFilter(userID: "ann"))
            #expect(left.count == 60)
            #expect(try world.store.outbox.counts()[.refused, default: 0] == 0)
        }
    }

    @Test("The user's callback runs too when the last device is removed", .defaultTimeLimit)
    func lastDevice() async throws {
        let time = ManualTime()
        try await SandboxedServer.run(devices: 1, time: time) { settings in
            settings.fault = {
                $0.token == SandboxedServer.token(0)
                    ? .status(410, reason: "Unregistered", timestamp: nil, retryAfter: nil) : nil
            }
        } _: { (world) async throws in
            try await world.notifyTwice(time)
            #expect(try await world.settled(2) == [.delivered: 1, .refused: 1])
            #expect(world.log.messages.contains { $0.contains("user gone: ann") })
        }
    }

    @Test("A device that registered again after the service's timestamp stays", .defaultTimeLimit)
    func registeredAgain() async throws {
        let time = ManualTime()
        try await SandboxedServer.run(devices: 1, time: time) { settings in
            settings.fault = {
                $0.token == SandboxedServer.token(0)
                    ? .status(410, reason: "Unregistered", timestamp: Date().addingTimeInterval(-3600), retryAfter: nil)
                    : nil
            }
        } _: { (world) async throws in
            try await world.notifyTwice(time)
            #expect(try await world.settled(2) == [.delivered: 1, .refused: 1])
            #expect(try world.store.deviceSubscriptions(matching: SubscriptionFilter(userID: "ann")).count == 1)
            #expect(!world.log.messages.contains { $0.contains("device gone") })
        }
    }

    @Test(
        "A subscription whose token the service refuses ends although another user has registered the device since",
        .defaultTimeLimit)
    func refusedTokenOfOtherUser() async throws {
        let time = ManualTime()
        let (old, new) = (SandboxedServer.token(0), SandboxedServer.token(1))
        try await SandboxedServer.run(devices: 1, time: time) { settings in
            settings.fault = {
                $0.token == old
                    ? .status(410, reason: "Unregistered", timestamp: Date().addingTimeInterval(-3600), retryAfter: nil)
                    : nil
            }
        } _: { (world) async throws in
            let (application, token) = (SandboxedServer.application, DeviceToken(stored: new))
            let bob = RealmUser(id: "bob", realm: "Staff")
            try world.store.register(
                DeviceRegistration(
                    applicationID: application, deviceID: "d0", userID: "bob", userRealm: "Staff", platform: .apple,
                    token: DeviceToken(stored: old)))
            let claim = DeviceClaim(applicationID: application, deviceID: "d0", clientID: "c9", users: [bob])
            try world.store.register(claim, user: bob, platform: .apple, token: token)
            try await world.notifyTwice(time)
            #expect(try await world.settled(2) == [.delivered: 1, .refused: 1])
            let refused = try world.store.outbox.deliveries(state: .refused, limit: 1)
            #expect(refused.first?.reason?.contains("Unregistered") == true)
            #expect(try world.store.deviceSubscriptions(matching: SubscriptionFilter(userID: "ann")).isEmpty)
            #expect(try world.store.registration(applicationID: application, deviceID: "d0")?.token == token)
            #expect(world.log.messages.contains { $0.contains("user gone: ann") })
        }
    }

    @Test("A waiting notification goes to the app's new token", .defaultTimeLimit)
    func newToken() async throws {
        let (old, new) = (SandboxedServer.token(0), SandboxedServer.token(1))
        try await SandboxedServer.run(devices: 1) { settings in
            settings.fault = { $0.token == old ? .status(503, reason: "ServiceUnavailable") : nil }
        } _: { (world) async throws in
            try await world.notify()
            try await world.log.lines.wait { $0.contains { $0.message.contains("to be tried again") } }
            try world.store.register(Self.registration(of: new))
            #expect(try await world.settled(1) == [.delivered: 1])
            #expect(world.acceptedTokens() == [new])
        }
    }

    @Test(
        "A notification in flight to an ended token goes to the new one, and the device stays",
        .defaultTimeLimit)
    func tokenReplacedInFlight() async throws {
        let time = ManualTime()
        let (old, new) = (SandboxedServer.token(0), SandboxedServer.token(1))
        let store = AwaitableValue<SQLStore?>(nil)
        try await SandboxedServer.run(devices: 1, time: time) { settings in
            settings.fault = { request in
                guard request.token == old else { return nil }
                if request.number == 2 {
                    do { try store.value?.register(Self.registration(of: new)) } catch { Issue.record(error) }
                }
                return .status(410, reason: "Unregistered", timestamp: nil, retryAfter: nil)
            }
        } _: { (world) async throws in
            store.update { $0 = world.store }
            try await world.notifyTwice(time)
            try await world.log.lines.wait { lines in
                lines.contains { $0.message.contains("the app has another token since") }
            }
            time.advance(by: .seconds(60))
            #expect(try await world.settled(2) == [.delivered: 2])
            #expect(world.acceptedTokens().last == new)
            #expect(try world.store.deviceSubscriptions(matching: SubscriptionFilter(userID: "ann")).count == 1)
        }
    }

    private static func registration(of token: String) -> DeviceRegistration {
        DeviceRegistration(
            applicationID: SandboxedServer.application, deviceID: "d0", platform: .apple,
            token: DeviceToken(stored: token))
    }

    @Test("A notification that is too large is refused alone, and names its largest part", .defaultTimeLimit)
    func poison() async throws {
        try await SandboxedServer.run(devices: 50) { (world) async throws in
            try SandboxedServer.subscribe(world.store, user: "bob", device: 1000)
            try await world.notify("bob", String(repeating: "x", count: 5000))
            try await world.notify("ann")
            #expect(try await world.settled(51) == [.delivered: 50, .refused: 1])
            let refused = try #require(try world.store.outbox.deliveries(state: .refused, limit: 1).first)
            #expect(refused.target.userID == "bob")
            #expect(
                refused.reason?.contains("APNs takes at most 4096 bytes") == true
                    && refused.reason?.contains("APNS.alert") == true)
        }
    }
}
