public import struct Foundation.Date

/// A device that an operator has blocked for an application, for example because it was stolen.
public struct BlockedDevice: Sendable, Hashable {
    public let applicationID: String
    /// The id that the app claims (``DeviceClaim/named(_:)``).
    public let deviceID: String
    public let blockedAt: Date

    public init(applicationID: String, deviceID: String, blockedAt: Date) {
        (self.applicationID, self.deviceID, self.blockedAt) = (applicationID, DeviceClaim.named(deviceID), blockedAt)
    }
}

/// Keeps which devices are blocked.
///
/// Synchronous and callable from any thread, like ``SubscriptionStore``.
public protocol DeviceBlockStore: Sendable {
    /// Returns all blocked devices, in the order of application and device.
    ///
    /// - Throws: ``StoreError``.
    func blockedDevices() throws(StoreError) -> [BlockedDevice]

    /// Blocks a device. One that is blocked stays so since its former date.
    ///
    /// - Throws: ``StoreError``.
    func block(_ device: BlockedDevice) throws(StoreError)

    /// Ends the block of a device.
    ///
    /// - Returns: whether it was blocked.
    /// - Throws: ``StoreError``.
    func unblock(_ device: BlockedDevice) throws(StoreError) -> Bool
}
