import Core
import PushModel

/// One value of a target. Devices are selected value by value, each through an index: registrations in the order of their devices,
/// subscriptions to an event source in the order of their users and devices.
struct TargetPart {
    enum Kind: String {
        case device, user, tag, platform, eventSource
    }

    let kind: Kind
    let value: String
    /// The tags before it. They match recipients that have one of these tags.
    let earlier: [String]

    var address: MessageAddress {
        switch kind {
        case .tag: .tag(value)
        case .user: .user
        case .device, .platform, .eventSource: .device
        }
    }
}

extension BroadcastTarget {
    var kind: TargetPart.Kind {
        switch self {
        case .devices: .device
        case .users: .user
        case .tags: .tag
        case .platforms: .platform
        case .eventSource: .eventSource
        }
    }

    /// The stored form of each value.
    var values: [String] {
        switch self {
        case .devices(let values), .users(let values), .tags(let values): values
        case .platforms(let platforms): platforms.map(\.rawValue)
        case .eventSource(let source): [source.description]
        }
    }

    func part(_ number: Int) -> TargetPart? {
        let values = values
        guard values.indices.contains(number) else { return nil }
        return TargetPart(kind: kind, value: values[number], earlier: kind == .tag ? Array(values[..<number]) : [])
    }
}

extension StoreTransaction {
    /// A value of a broadcast's target, by its number.
    func broadcastPart(of id: String, kind: TargetPart.Kind, number: Int) throws -> TargetPart? {
        let value = try first(
            String.self, "SELECT value FROM broadcast_part WHERE broadcast_id = ? AND number = ?",
            [id, number])
        guard let value else { return nil }
        guard kind == .tag, number > 0 else { return TargetPart(kind: kind, value: value, earlier: []) }
        let earlier = try all(
            String.self, "SELECT value FROM broadcast_part WHERE broadcast_id = ? AND number < ?",
            [id, number])
        return TargetPart(kind: kind, value: value, earlier: earlier)
    }
}
