import PushModel

/// The key of a lane, whose deliveries are sent one after the other: an application on a device, or a phone number.
///
/// A hash of 64 bits, the same in every process and version. Two devices with the same hash only wait for each other.
struct OrderingKey: Hashable {
    let number: Int64

    init(applicationID: String?, deviceID: String?, phoneNumber: String?) {
        var hash = FNV1a()
        if let phoneNumber {
            // However it is spelled.
            hash.add((try? PhoneNumber(phoneNumber))?.digits ?? phoneNumber)
        } else {
            hash.add(applicationID ?? "")
            hash.add(deviceID ?? "")
        }
        number = Int64(bitPattern: hash.value)
    }

    init(_ target: DeliveryTarget) {
        if case .sms(let subscription) = target {
            self.init(applicationID: nil, deviceID: nil, phoneNumber: subscription.phoneNumber.text)
        } else {
            self.init(applicationID: target.applicationID, deviceID: target.deviceID, phoneNumber: nil)
        }
    }
}

/// The hash function FNV-1a, in 64 bits.
private struct FNV1a {
    private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

    /// Adds a string and a terminator.
    mutating func add(_ text: String) {
        var text = text
        text.withUTF8 { bytes in
            for byte in bytes { add(byte) }
        }
        // No byte of UTF-8.
        add(0xFF)
    }

    private mutating func add(_ byte: UInt8) {
        value = (value ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
    }
}
