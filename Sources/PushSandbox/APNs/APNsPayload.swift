import Core
import NIOCore

/// The body of a request to APNs.
enum APNsPayload {
    static func limit(pushType: String?) -> Int { pushType == "voip" ? 5_120 : 4_096 }

    /// Apple's table has no reason of its own for what is not JSON or has no `aps`; both count as an empty payload. What a
    /// background push may not hold makes it one of another type.
    static func check(_ body: ByteBuffer, pushType: String?) throws(APNsRefusalError) {
        guard body.readableBytes > 0 else { throw .payloadEmpty }
        guard body.readableBytes <= limit(pushType: pushType) else { throw .payloadTooLarge }
        guard let payload = try? JSONValue(parsing: body.readableBytesView), case .object(let members) = payload else {
            throw .payloadEmpty
        }
        if pushType == "mdm" { return }
        guard let aps = members["aps"]?.object else { throw .payloadEmpty }
        guard pushType == "background" else { return }
        let isSilent = aps["alert"] == nil && aps["badge"] == nil && aps["sound"] == nil
        guard isSilent, aps["content-available"]?.number == 1 else { throw .invalidPushType }
    }
}
