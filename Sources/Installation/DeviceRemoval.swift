import AdapterRuntime
import Core
import Foundation
import Logging
import Push
import PushModel
import Synchronization

/// Removes devices that a push service no longer knows. The original went on sending to uninstalled apps (server-api 2.7).
final class DeviceRemoval: Sendable {
    private let store: any RegistrationStore
    private let logger: Logger
    private let log: LogLimiter
    /// Set once the adapters are loaded, which the deliveries of an earlier run need not wait for. Weak, since the runtime
    /// holds the worker, which holds this.
    private struct Listener {
        weak var runtime: AdapterRuntime?
    }

    private let listener = Mutex(Listener())

    init(store: any RegistrationStore, time: any TimeSource, logger: Logger) {
        self.store = store
        self.logger = logger
        log = LogLimiter(logger: logger, time: time)
    }

    func attach(_ runtime: AdapterRuntime) {
        listener.withLock { $0.runtime = runtime }
    }

    /// Removes the app on the device with all its subscriptions and tags, and runs `onDeviceUnsubscribe` and, with a user's last
    /// device, `onUserUnsubscribe`. An app that has another token by then, or has sent the same one again after the
    /// service's time of the removal, stays. In the first case, subscriptions that still have the refused token are removed.
    ///
    /// - Parameters:
    ///   - delivery: the delivery that the service refused.
    ///   - reason: the service's reason.
    ///   - date: the service's time of the removal, if given.
    /// - Returns: whether the delivery's target has another token by now.
    @Sendable func remove(_ delivery: Delivery, reason: String, asOf date: Date?) async -> UnregisteredDevice {
        guard let token = delivery.target.token, let application = delivery.target.applicationID,
            let device = delivery.target.deviceID
        else { return .settled }
        let metadata: Logger.Metadata = [
            "application": "\(application)", "device": "\(device)", "token": "\(token)", "delivery": "\(delivery.id)",
        ]
        let remove: @Sendable (UUID) throws -> [RemovedSubscription] = { [store, logger] change in
            let removed = try store.unregister(
                applicationID: application, deviceID: device, token: token, notSince: date, owing: change)
            guard let removed else {
                logger.info("\(reason): the device has registered again, so it stays", metadata: metadata)
                return []
            }
            var metadata = metadata
            metadata["subscriptions"] = "\(removed.subscriptions.count)"
            let removal = removed.registration == nil ? "subscriptions removed" : "device removed"
            logger.notice("\(removal): \(reason)", metadata: metadata)
            return removed.subscriptions
        }
        do {
            let removed: [RemovedSubscription]
            if let runtime = listener.withLock({ $0.runtime }) {
                removed = try await runtime.end(Caller(), remove)
            } else {
                // The callbacks stay owed until the adapters are loaded.
                removed = try await runBlocking { try remove(UUID()) }
            }
            // Another user of the device may have registered another token: that one is not this user's.
            if case .subscription(let target) = delivery.target,
                removed.contains(where: {
                    $0.deviceSubscription.eventSource == target.eventSource
                        && $0.deviceSubscription.userID == target.userID
                })
            {
                return .settled
            }
            let current = try await runBlocking { [store] in
                try store.registration(applicationID: application, deviceID: device)
            }
            return current == nil || current?.token == token ? .settled : .hasOtherToken
        } catch {
            // The next delivery to it finds it gone again.
            log.log(
                "removal", at: .error, metadata: metadata, "a device that is gone could not be removed: \(error)")
            return .settled
        }
    }
}
