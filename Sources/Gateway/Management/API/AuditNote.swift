import Core
import Synchronization

/// What a call changed, for the audit log.
final class AuditNote: Sendable {
    private let values = Mutex<(before: JSONValue?, after: JSONValue?)>((nil, nil))
    private let name = Mutex<String?>(nil)
    private let failed = Mutex(false)

    /// - Parameters:
    ///   - before: what was there; `nil` for nothing.
    ///   - after: what is there now; `nil` for nothing.
    func set(before: JSONValue? = nil, after: JSONValue? = nil) {
        values.withLock { $0 = (before, after) }
    }

    /// Notes the account that a login is for.
    func set(account: String) { name.withLock { $0 = account } }

    /// Notes that the action failed although the call is answered with a status below 400.
    func setFailed() { failed.withLock { $0 = true } }

    var isFailed: Bool { failed.withLock { $0 } }

    var account: String? { name.withLock { $0 } }

    var change: (before: JSONValue?, after: JSONValue?) { values.withLock { $0 } }
}
