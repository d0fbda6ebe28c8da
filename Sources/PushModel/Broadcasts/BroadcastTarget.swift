import Core

/// Which devices of an application a message of `sendMessage` is for (server-api 2.8).
///
/// The lists hold no value twice. An empty list matches no device: an adapter that asked its back end for users and got none
/// must not reach all devices.
public enum BroadcastTarget: Sendable, Hashable {
    case devices([String])
    case users([String])
    /// Devices subscribed to any of the tags; one with several of them gets the message once, for the first of these.
    case tags([String])
    case platforms([Platform])
    /// Devices subscribed to an event source: they get a notification of it, with their alias for it. Only the management API has this
    /// target. Phone numbers are not included.
    case eventSource(EventSourceID)

    /// Everybody who has not unsubscribed from broadcasts.
    public static let everybody = BroadcastTarget.tags([Tags.broadcast])

    init(_ options: OptionsReader) throws(NotificationError) {
        let keys = ["deviceIds", "userIds", "tagNames", "platforms"].filter { options.value($0) != nil }
        guard keys.count <= 1 else {
            throw options.mismatch(
                expected:
                    "only one of deviceIds, userIds, tagNames and platforms, not \(keys.joined(separator: " and "))")
        }
        switch keys.first {
        case "deviceIds": self = .devices(try options.strings("deviceIds").withoutRepeats)
        case "userIds": self = .users(try options.strings("userIds").withoutRepeats)
        case "tagNames": self = .tags(try options.strings("tagNames").map(Tags.normalised).withoutRepeats)
        case "platforms":
            var platforms: [Platform] = []
            for (index, letter) in try options.strings("platforms").enumerated() {
                guard let platform = Platform.allCases.first(where: { $0.letter == letter }) else {
                    let known = Platform.allCases.compactMap(\.letter).sorted().map { "\"\($0)\"" }
                    throw options.mismatch(
                        "platforms[\(index)]", expected: "one of \(known.joined(separator: ", "))",
                        found: .string(letter))
                }
                platforms.append(platform)
            }
            self = .platforms(platforms.withoutRepeats)
        default: self = .everybody
        }
    }
}

extension Sequence where Element: Hashable {
    /// The first of each, in order.
    fileprivate var withoutRepeats: [Element] {
        var seen: Set<Element> = []
        return filter { seen.insert($0).inserted }
    }
}
