import Core
import JavaScriptEngine

/// A handler that a script has set for events of one kind (server-api 2.9).
struct EventHandler {
    /// The source of events.
    enum Kind: String, Sendable, Hashable, CaseIterable {
        /// A client that transmits what its triggers noticed.
        case client
        /// An SMS gateway that passes on a message.
        case sms
        /// A USSD gateway.
        case ussd
    }

    let kind: Kind
    let filter: JSONValue
    /// The function, called with the event.
    let handler: ScriptValue
}

/// Matching of events with filters.
///
/// A filter is a pattern of a part of the event: `{}` matches every event, `{status: "gold"}` those with that member, and
/// members of members likewise. Arrays match member by member.
enum EventFilter {
    static func matches(_ filter: JSONValue, _ event: JSONValue) -> Bool {
        switch (filter, event) {
        case (.object(let filter), .object(let event)):
            filter.members.allSatisfy { member in
                event[member.key].map { matches(member.value, $0) } ?? false
            }
        case (.array(let filter), .array(let event)):
            filter.count == event.count && zip(filter, event).allSatisfy { matches($0, $1) }
        default: filter == event
        }
    }
}
