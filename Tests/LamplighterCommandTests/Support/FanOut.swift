import Core
import Foundation
import PushModel
import PushSandbox
import Storage
import TestSupport

/// Makes a project whose procedure `all` notifies all devices of a user that are subscribed to the event source `S`.
func makeFanOutProject() throws -> TemporaryFolder {
    try makeProject(
        """
        WL.Server.createEventSource({ name: 'S' });
        function all(user) {
            WL.Server.notifyAllDevices(WL.Server.getUserNotificationSubscription('S', user), { APNS: { alert: 'hi' } });
        }
        """, procedures: ["all"])
}

/// Helpers for tests that kill a server while it notifies thousands of devices.
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
            folder: data.path, busyTimeout: .noLimit, pragmas: ["PRAGMA synchronous = OFF"])
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
    /// - Parameters:
    ///   - project: the project's path in this folder, with `/` at its end.
    ///   - settings: more lines for the file with settings.
    func useAPNs(of sandbox: PushSandbox, in project: String = "", and settings: String = "") throws {
        try write(sandbox.rootCertificate, to: project + "root.pem")
        try write(sandbox.credentials.apnsPrivateKey, to: project + "key.p8")
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
            """, to: project + "lamplighter.yaml")
    }
}

extension TemporaryFolder {
    /// Returns once a condition on the project's store holds: checks it now and after each write to the store's files.
    func waitForStore(until condition: () async throws -> Bool) async throws {
        try await FolderWatch(url.appending(path: ".lamplighter")).wait(until: condition)
    }

    /// Returns once no delivery waits or is under way.
    func waitUntilDelivered(by store: SQLStore) async throws {
        try await waitForStore { try store.outbox.depth().waiting == 0 }
    }
}
