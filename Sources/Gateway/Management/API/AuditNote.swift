import PushModel
import Synchronization

/// What a call changed, for the audit log.
final class AuditNote: Sendable {
    private let values = Mutex<(before: JSONValue?, after: JSONValue?)>((nil, nil))
    private let name = Mutex<String?>(nil)

    /// - Parameters:
    ///   - before: what was there; `nil` for nothing.
    ///   - after: what is there now; `nil` for nothing.
    func set(before: JSONValue? = nil, after: JSONValue? = nil) {
        values.withLock { $0 = (before, after) }
    }

    /// Notes the account that a login is for.
    func set(account: String) { name.withLock { $0 = account } }

    var account: String? { name.withLock { $0 } }

    var change: (before: JSONValue?, after: JSONValue?) { values.withLock { $0 } }
}
