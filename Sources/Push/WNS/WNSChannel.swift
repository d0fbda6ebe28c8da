import PushModel

/// Where a Windows app is reached, checked once more before an access token goes there.
///
/// The address came from a device, and from a store that may be older than the check at the door.
enum WNSChannel {
    /// Why nothing is sent to it.
    struct ForeignHostError: Error {
        let reason: String
    }

    /// - Returns: the channel as the device's token.
    /// - Throws: ``ForeignHostError`` unless its host is Microsoft's beyond doubt.
    static func checked(_ url: String) throws(ForeignHostError) -> DeviceToken {
        let channel: DeviceToken
        do {
            channel = try DeviceToken(url, platform: .windows)
        } catch {
            throw ForeignHostError(reason: error.reason)
        }
        let authority = channel.value.dropFirst("https://".count).prefix { !"/?#".contains($0) }
        // Percent-encoded bytes would be decoded before the name is looked up, and a zero byte would end the name early.
        let isPlain = authority.utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                || "-.:".utf8.contains(byte)
        }
        guard isPlain else { throw ForeignHostError(reason: "its host holds other than letters, digits, - and .") }
        return channel
    }
}
