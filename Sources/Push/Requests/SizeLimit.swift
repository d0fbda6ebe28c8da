import Core
import PushModel

/// How much a push service takes, and what to blame when a message is larger.
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
    /// The bytes of its JSON text.
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

    /// Where the adapter wrote a value: `sendMessage` has other places for what the blocks of `notify*` hold.
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
