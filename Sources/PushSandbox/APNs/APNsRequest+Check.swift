import Core
import Foundation
import NIOCore

extension APNsRequest {
    private static let pushTypes: Set<String> = [
        "alert", "background", "location", "voip", "complication", "fileprovider", "mdm", "liveactivity", "pushtotalk",
        "widgets", "controls",
    ]

    /// The endings that topics must have for some push types.
    private static let topicEndings = [
        "voip": ".voip", "complication": ".complication", "location": ".location-query",
        "fileprovider": ".pushkit.fileprovider", "liveactivity": ".push-type.liveactivity", "pushtotalk": ".voip-ptt",
        "widgets": ".push-type.widgets", "controls": ".push-type.controls",
    ]

    /// Method, path and what is true of all headers.
    func checkFrame() throws(APNsRefusalError) {
        guard method == "POST" else { throw .methodNotAllowed }
        guard let token else { throw .badPath }
        guard !token.utf8.contains(UInt8(ascii: "/")) else { throw .badPath }
        guard !hasDuplicates else { throw .duplicateHeaders }
    }

    /// Everything else but who may send.
    ///
    /// - Parameter certificateTopic: of the client certificate when that is what counts.
    func checkContents(certificateTopic: String?) throws(APNsRefusalError) {
        guard let token, !token.isEmpty else { throw .missingDeviceToken }
        if let id, !Self.isUUID(id) { throw .badMessageID }
        if let expiration, Self.number(expiration) == nil { throw .badExpirationDate }
        try checkPriority()
        if let collapseID, collapseID.utf8.count > 64 { throw .badCollapseID }
        try checkTopic(certificateTopic: certificateTopic)
        guard Self.isDeviceToken(token) else { throw .badDeviceToken }
        try APNsPayload.check(body, pushType: pushType)
    }

    private func checkPriority() throws(APNsRefusalError) {
        if let pushType, !Self.pushTypes.contains(pushType) { throw .invalidPushType }
        guard let priority else { return }
        guard ["10", "5", "1"].contains(priority) else { throw .badPriority }
        // "Always use priority 5. Using priority 10 is an error."
        if pushType == "background", priority == "10" { throw .badPriority }
    }

    private func checkTopic(certificateTopic: String?) throws(APNsRefusalError) {
        let ending = pushType.flatMap { Self.topicEndings[$0] }
        guard let topic = topic ?? certificateTopic, !topic.isEmpty else { throw .missingTopic }
        guard topic.utf8.count <= 255, topic.utf8.allSatisfy(Self.isTopicByte) else { throw .badTopic }
        if let ending, self.topic != nil, !topic.hasSuffix(ending) { throw .topicDisallowed }
        if let certificateTopic {
            let app = ending.map { topic.hasSuffix($0) ? String(topic.dropLast($0.count)) : topic } ?? topic
            guard app == certificateTopic else { throw .topicDisallowed }
        }
    }

    private static func isTopicByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }

    private static func isHex(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
            UInt8(ascii: "A")...UInt8(ascii: "F"):
            true
        default: false
        }
    }

    /// Hexadecimal digits of at least 32 bytes; Apple says that tokens may grow.
    private static func isDeviceToken(_ token: String) -> Bool {
        let count = token.utf8.count
        return (64...200).contains(count) && count.isMultiple(of: 2) && token.utf8.allSatisfy(isHex)
    }

    /// 32 hexadecimal digits, displayed in five groups separated by hyphens in the form 8-4-4-4-12.
    static func isUUID(_ text: String) -> Bool {
        guard text.utf8.count == 36 else { return false }
        for (index, byte) in text.utf8.enumerated() {
            switch index {
            case 8, 13, 18, 23: if byte != UInt8(ascii: "-") { return false }
            default: if !isHex(byte) { return false }
            }
        }
        return true
    }

    /// A whole number of seconds, at least 0.
    private static func number(_ text: String) -> Int? {
        text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ? Int(text) : nil
    }
}

/// The body of a request to APNs.
enum APNsPayload {
    static func limit(pushType: String?) -> Int { pushType == "voip" ? 5_120 : 4_096 }

    /// Apple's table has no reason for a body that is not JSON or has no `aps`; both count as an empty payload. A background push
    /// with members that it may not have is refused for its type.
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
