import Core
import PushModel

import struct Foundation.Date

/// A delivery with all data of its requests.
struct OutgoingMessage {
    let delivery: Delivery
    /// The channel that makes its requests.
    let channel: any PushChannel.Type
    let notification: PushNotification
    let settings: PushServiceSettings
    let now: Date
    /// The app on the device.
    let applicationID: String
    let token: DeviceToken
    /// The options that the app set when it subscribed; empty for a message of `sendMessage`.
    let appOptions: JSONValue
    /// The member of the payload by which the client chooses the listener: the alias of the event source, or the tag. A message
    /// to a device, user or platform has none, and the client passes it to its general listener
    /// (wire-protocol 4.4).
    let mark: JSONObject.Member?
    /// Members of the adapter's own payload that would mislead the client. An `alias` would call the callback of an event
    /// source that sent nothing.
    let reservedKeys: Set<String>

    /// - Parameter now: the time of day of the attempt.
    /// - Throws: ``PushRequestError`` when the options are malformed; always for MPNS, whose requests Microsoft refuses.
    init(_ delivery: Delivery, _ settings: PushServiceSettings, now: Date) throws(PushRequestError) {
        let way = delivery.target.channel
        guard let channel = PushChannels.all.first(where: { $0.serves == way }) else {
            throw PushRequestError(
                way == .devices(.windowsPhone)
                    ? "Microsoft has shut down MPNS, the push service of Windows Phone 8"
                    : "PushChannels.all has no channel for \(way)")
        }
        self.channel = channel
        do {
            notification = try delivery.content.notification.get()
        } catch {
            throw PushRequestError.malformed(error, in: delivery)
        }
        self.delivery = delivery
        self.settings = settings
        self.now = now
        applicationID = delivery.target.applicationID ?? ""
        token = delivery.target.token ?? DeviceToken(stored: "")
        switch delivery.target {
        case .subscription(let subscription):
            appOptions = subscription.options
            mark = JSONObject.Member(key: "alias", value: .string(subscription.alias))
            reservedKeys = ["alias"]
        case .registration(_, let address):
            appOptions = [:]
            // Also for a broadcast, whose tag is `Push.ALL`.
            mark = address.tag.map { JSONObject.Member(key: "tag", value: .string($0)) }
            reservedKeys = ["alias", "tag"]
        case .sms: (appOptions, mark, reservedKeys) = ([:], nil, [])
        }
    }

    /// Returns true if the app wants an `alert`, `badge` or `sound`: everything except those that it turned off when it subscribed (wire-protocol
    /// 4.2).
    ///
    /// The references do not say whether the original server honoured these options. Lamplighter does, since clients send them. Native
    /// 5.0.6 clients write every value as a string.
    func isWanted(_ field: String) -> Bool {
        let choice = appOptions[field]
        return choice != false && choice?.string?.lowercased() != "false"
    }

    /// Returns the JSON by which a client finds its callback: the subscription's alias or the tag, and then the adapter's own members (wire-protocol
    /// 4.4, server-api 2.8). The subscription's alias replaces the adapter's `alias`.
    func payloadText(_ payload: JSONObject?) -> String {
        let own = (payload?.members ?? []).filter { !reservedKeys.contains($0.key) }
        var utf8 = [UInt8(ascii: "{")]
        for (index, member) in ((mark.map { [$0] } ?? []) + own).enumerated() {
            if index > 0 { utf8.append(UInt8(ascii: ",")) }
            JSONValue.string(member.key).write(to: &utf8)
            utf8.append(UInt8(ascii: ":"))
            member.value.write(to: &utf8)
        }
        utf8.append(UInt8(ascii: "}"))
        return String(decoding: utf8, as: UTF8.self)
    }

    /// The time to live that is left, in whole seconds, rounded up; 0 when it has run out.
    var secondsLeft: Int {
        let seconds = delivery.expiresAt.timeIntervalSince(now).rounded(.up)
        return Int(exactly: min(max(seconds, 0), PushNotification.longestTimeToLive)) ?? 0
    }

    /// For a notification that has nothing for the device's platform, or nothing that can be read.
    func missing(_ block: PushNotification.Block) -> PushRequestError {
        if let problem = notification.problems[block] { return .malformed(problem, in: delivery) }
        return PushRequestError(
            "the notification has no \(block.rawValue) block, which is what \(delivery.target.platformName) devices receive"
        )
    }
}

/// The largest payload of a push service, and the parts to report when a message is larger.
struct SizeLimit {
    let service: PushService
    let bytes: Int

    /// - Parameters:
    ///   - size: the message's, in bytes.
    ///   - parts: what the message was made of; read only when it is too large.
    /// - Throws: ``PushRequestError`` when it is too large.
    func check(_ size: Int, parts: @autoclosure () -> [MessagePart]) throws(PushRequestError) {
        guard size > bytes else { return }
        let largest = parts().max { $0.size < $1.size }
        let blame = largest.map { "; the largest part is \($0.path) with \($0.size) bytes" } ?? ""
        throw PushRequestError(
            "\(service) takes at most \(bytes) bytes and this message has \(size)\(blame)", isTooLarge: true)
    }
}

/// One value of a notification's options that went into a message.
struct MessagePart: Hashable {
    /// The keys from the options down, for example `APNS.payload.items`.
    let path: String
    /// The size of its JSON, in bytes.
    let size: Int

    init(_ path: String, _ value: JSONValue) {
        self.path = path
        size = value.text.utf8.count
    }
}

extension OutgoingMessage {
    /// The values below `path` in the options.
    ///
    /// - Parameters:
    ///   - path: the keys from the options down to an object.
    ///   - keys: which members of the object count; all of them when `nil`.
    func parts(of path: [String], only keys: [String]? = nil) -> [MessagePart] {
        let object = path.reduce(delivery.options) { value, key in value[key] ?? .null }
        return (object.object?.members ?? [])
            .filter { keys?.contains($0.key) ?? true }
            .map { MessagePart(name(path + [$0.key]), $0.value) }
    }

    /// Returns the path under which the adapter wrote a value: `sendMessage` has other paths than the blocks of `notify*`.
    private func name(_ path: [String]) -> String {
        let path = path.joined(separator: ".")
        guard case .registration = delivery.target else { return path }
        return BroadcastMessage.place(of: path)
    }

    /// The payload's members and the alias or tag, for messages that carry them.
    func payloadParts(of path: [String]) -> [MessagePart] {
        let reserved = Set(reservedKeys.map { name(path + [$0]) })
        let mark = mark.map { mark in
            MessagePart(mark.key == "alias" ? "the subscription's alias" : "the tag", mark.value)
        }
        return parts(of: path).filter { !reserved.contains($0.path) } + (mark.map { [$0] } ?? [])
    }
}
