import Core
public import Logging
import ServiceContextModule
import Synchronization

/// A request that is being handled, as the access log (``AccessLog``) knows it.
package final class RequestRecord: Sendable {
    private enum Caller {
        case account(String)
        case session(String)
    }

    /// The record of the request that the task handles; `nil` elsewhere, and without `log.access`.
    @TaskLocal package static var current: RequestRecord?

    /// The id of the request's trace; `nil` for health checks and scrapes of metrics.
    let traceID: String?
    /// The arrival of the request's head, in uptime.
    package let start: Duration
    private let caller = Mutex<Caller?>(nil)

    package init(traceID: String?, start: Duration) {
        (self.traceID, self.start) = (traceID, start)
    }

    /// Notes the account of the management API that makes the request.
    func note(account: String) { caller.withLock { $0 = .account(account) } }

    /// Notes the client's session: the first 8 hexadecimal digits of the id's SHA-256 hash, from which the id cannot be found.
    package func note(sessionID: String) {
        let digest = String(ManagementAccess.hash(sessionID).prefix(8))
        caller.withLock { $0 = .session(digest) }
    }

    /// `account` or `session`, and `trace_id`.
    package var metadata: Logger.Metadata {
        var fields: Logger.Metadata = [:]
        fields["trace_id"] = traceID.map { "\($0)" }
        switch caller.withLock({ $0 }) {
        case .account(let name): fields["account"] = "\(name)"
        case .session(let digest): fields["session"] = "\(digest)"
        case nil: break
        }
        return fields
    }
}

extension Logger.MetadataProvider {
    /// The field `trace_id`: the id of the trace that the task works in: that of a request, of a poll or of a delivery's attempt.
    public static let trace = Logger.MetadataProvider {
        guard let trace = ServiceContext.current?.trace else { return [:] }
        return ["trace_id": "\(trace.traceID)"]
    }
}
