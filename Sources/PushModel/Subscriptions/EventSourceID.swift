import Core

/// The full name of an event source, `Adapter.EventSource` (server-api 2.7).
public struct EventSourceID: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// The adapter that declares the event source.
    public let adapter: String
    /// The `name` option given to `WL.Server.createEventSource`.
    public let name: String

    public init(adapter: String, name: String) {
        self.adapter = adapter
        self.name = name
    }

    /// Reads `Adapter.EventSource`; a bare name is resolved inside `adapter` unless that is `nil`.
    ///
    /// - Returns: `nil` when a part is empty, or when the name is bare and `adapter` is `nil`.
    public init?(_ text: String, in adapter: String? = nil) {
        let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        switch (parts.count, adapter) {
        case (2, _) where !parts[0].isEmpty && !parts[1].isEmpty: self.init(adapter: parts[0], name: parts[1])
        case (1, let adapter?) where !parts[0].isEmpty: self.init(adapter: adapter, name: parts[0])
        default: return nil
        }
    }

    public var description: String { "\(adapter).\(name)" }

    public static func < (left: EventSourceID, right: EventSourceID) -> Bool {
        (left.adapter, left.name) < (right.adapter, right.name)
    }
}
