package import Foundation
package import PushModel

/// The devices that operators have blocked, in memory: their apps' requests and deliveries to them are refused.
package final class DeviceBlocks: Sendable {
    /// The message that an app shows its user.
    package static let message = "This device is blocked. Contact the operator of this app."

    private struct Key: Hashable {
        let applicationID: String
        let deviceID: String
    }

    private let store: any DeviceBlockStore
    private let devices: CachedStoreTable<[Key: Date]>

    /// - Throws: `StoreError`.
    init(store: any DeviceBlockStore) throws(StoreError) {
        self.store = store
        devices = try CachedStoreTable { () throws(StoreError) in
            Dictionary(
                try store.blockedDevices().map {
                    (Key(applicationID: $0.applicationID, deviceID: $0.deviceID), $0.blockedAt)
                }
            ) { first, _ in first }
        }
    }

    /// Returns the time since when a device is blocked; `nil` for others.
    ///
    /// - Parameter deviceID: the id in a request, in a registration or in a subscription.
    package func date(applicationID: String?, deviceID: String?) -> Date? {
        let devices = devices.current
        guard !devices.isEmpty, let applicationID, let deviceID else { return nil }
        return devices[Key(applicationID: applicationID, deviceID: DeviceClaim.named(deviceID))]
    }

    package var isEmpty: Bool { devices.current.isEmpty }

    /// - Throws: `StoreError`.
    package func block(_ device: BlockedDevice) throws(StoreError) {
        try store.block(device)
        try read()
    }

    /// - Returns: whether it was blocked.
    /// - Throws: `StoreError`.
    package func unblock(_ device: BlockedDevice) throws(StoreError) -> Bool {
        let wasBlocked = try store.unblock(device)
        try read()
        return wasBlocked
    }

    /// Reads what other servers that share the store have changed.
    ///
    /// - Throws: `StoreError`.
    package func read() throws(StoreError) { try devices.read() }
}
