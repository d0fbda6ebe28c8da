public import Logging
import Synchronization

/// A request that is being handled, as the access log (``AccessLog``) knows it.
final class RequestRecord: Sendable {
    private enum Caller {
        case account(String)
        case session(String)
    }

    /// The record of the request that the task handles; `nil` elsewhere, and without `log.access`.
    @TaskLocal static var current: RequestRecord?

    let id: String
    /// When the request's head arrived, in uptime.
    let start: Duration
    private let caller = Mutex<Caller?>(nil)

    init(id: String, start: Duration) {
        (self.id, self.start) = (id, start)
    }

    /// Notes the account of the management API that makes the request.
    func note(account: String) { caller.withLock { $0 = .account(account) } }

    /// Notes the client's session: the first 8 hexadecimal digits of the id's SHA-256 hash, which lead nobody into the session.
    func note(sessionID: String) {
        let digest = String(ManagementAccess.hash(sessionID).prefix(8))
        caller.withLock { $0 = .session(digest) }
    }

    /// `account` or `session`, and `request`.
    var metadata: Logger.Metadata {
        var fields: Logger.Metadata = ["request": "\(id)"]
        switch caller.withLock({ $0 }) {
        case .account(let name): fields["account"] = "\(name)"
        case .session(let digest): fields["session"] = "\(digest)"
        case nil: break
        }
        return fields
    }
}

/// Returns a new id for a request: 32 lowercase hexadecimal digits.
func makeRequestID() -> String { RandomBytes.hexadecimal(16) }

extension Logger.MetadataProvider {
    /// The field `request`: the id of the request that the task handles, with `log.access`.
    public static let request = Logger.MetadataProvider {
        guard let record = RequestRecord.current else { return [:] }
        return ["request": "\(record.id)"]
    }
}
