import Core
import Foundation
import PushModel
import PushSandbox
import Storage
import TestSupport
import Testing

/// What tests need that kill a server while it notifies thousands of devices.
extension TemporaryFolder {
    /// The token of the device of that number.
    static func token(_ number: Int) -> String { String(format: "%064x", number + 1) }

    /// Subscribes devices to the event source `S` of adapter `A`.
    ///
    /// - Returns: the project's store.
    func subscribe(
        _ count: Int, platform: Platform, user: (Int) -> String
    ) throws -> SQLStore {
        let data = url.appending(path: ".lamplighter")
        try FileManager.default.createDirectory(at: data, withIntermediateDirectories: true)
        // Thousands of transactions need not all wait for the disk here.
        let store = try SQLStore(
            folder: data.path, busyTimeout: .seconds(120), pragmas: ["PRAGMA synchronous = OFF"])
        for number in 0..<count {
            _ = try store.subscribe(
                DeviceSubscription(
                    eventSource: EventSourceID(adapter: "A", name: "S"), userID: user(number), deviceID: "d\(number)",
                    applicationID: "com.example.app", alias: "a", platform: platform,
                    token: DeviceToken(stored: Self.token(number)), options: [:]))
        }
        return store
    }

    /// Has the project's server deliver to a sandbox's APNs.
    ///
    /// - Parameter settings: more lines for the file with settings.
    func useAPNs(of sandbox: PushSandbox, and settings: String = "") throws {
        try write(sandbox.rootCertificate, to: "root.pem")
        try write(sandbox.credentials.apnsPrivateKey, to: "key.p8")
        try write(
            """
            push:
              trustedCertificates: root.pem
              apns:
                key: key.p8
                keyID: \(sandbox.credentials.apnsKeyID)
                teamID: \(sandbox.credentials.apnsTeamID)
                endpoint: https://localhost:\(sandbox.apnsPort)
            \(settings)
            """, to: "lamplighter.yaml")
    }
}

extension SQLStore {
    /// Returns once no delivery waits or is under way.
    ///
    /// - Parameter patience: how long the number of those may stay the same.
    /// - Throws: ``UndeliveredError``.
    func untilDelivered(patience: Duration = .seconds(120)) async throws {
        var (waiting, since) = (try outbox.depth().waiting, ContinuousClock.now)
        while waiting > 0 {
            // The server needs the processor more than who asks it.
            try await Task.sleep(for: .milliseconds(10))
            let now = try outbox.depth().waiting
            if now != waiting { (waiting, since) = (now, .now) }
            guard since.duration(to: .now) < patience || waiting == 0 else {
                throw UndeliveredError(
                    patience: patience, counts: try outbox.counts().filter { $0.value > 0 },
                    examples: try outbox.deliveries(state: .sending, limit: 3)
                        + outbox.deliveries(state: .queued, limit: 3))
            }
        }
    }
}

/// Deliveries do not come to their end.
struct UndeliveredError: Error, CustomStringConvertible {
    let patience: Duration
    let counts: [DeliveryState: Int]
    let examples: [Delivery]

    var description: String {
        let states = counts.map { "\($0.value) \($0.key.rawValue)" }.sorted().joined(separator: ", ")
        let deliveries = examples.map {
            "to \($0.target.deviceID ?? "a phone number"), \($0.state.rawValue) after \($0.attempts) attempts"
                + ($0.reason.map { ": \($0)" } ?? "")
        }
        return "no delivery came to its end within \(patience.components.seconds) s: \(states); for example "
            + deliveries.joined(separator: "; ")
    }
}

@Suite("Waiting for deliveries")
struct UntilDeliveredTests {
    @Test("fails with the deliveries that are missing")
    func missing() async throws {
        let folder = try TemporaryFolder()
        let store = try folder.subscribe(1, platform: .apple) { _ in "ann" }
        let subscription = try #require(try store.deviceSubscriptions(matching: SubscriptionFilter()).first)
        try store.outbox.enqueue([
            Delivery(
                notificationID: UUID(), options: [:], target: .subscription(subscription), createdAt: Date(),
                expiresAt: Date().addingTimeInterval(60))
        ])
        let error = try await #require(throws: UndeliveredError.self) {
            try await store.untilDelivered(patience: .zero)
        }
        #expect(
            error.description
                == "no delivery came to its end within 0 s: 1 queued; for example to d0, queued after 0 attempts")
    }
}
