import Core
import Foundation
import Logging
import PushModel
import Storage

/// Removes what clients have left in the store and nobody needs any more.
struct Housekeeping {
    /// What clients log may come from anybody, so that its age is not the only limit.
    private static let mostLogEntries = 200_000
    /// A client that is not seen for so long has been removed from its phone. If it has not, it registers again.
    private static let clientLife = TimeInterval(400 * 24 * 3600)

    /// The retention of the audit log, in seconds.
    private static let auditLife = TimeInterval(400 * 24 * 3600)
    private static let mostAuditEntries = 1_000_000

    let installation: Installation

    /// - Throws: `StoreError`.
    func clean() throws {
        let (store, log, now) = (installation.store, installation.clientLog, installation.time.now)
        let retention = installation.settings.clientLogRetention / .seconds(1)
        var entries = try log.purgeClientLog(receivedBefore: now.addingTimeInterval(-retention))
        entries += try log.purgeClientLog(keepingNewest: Self.mostLogEntries)
        let clients = try store.purgeOAuthClients(unusedSince: now.addingTimeInterval(-Self.clientLife))
        // With its deliveries, and not before its key may be used again.
        let messages = max(Installation.keyLife, installation.settings.deliveryRetention / .seconds(1))
        _ = try store.purgeMessages(before: now.addingTimeInterval(-messages))
        _ = try store.purgeAuditLog(before: now.addingTimeInterval(-Self.auditLife), keeping: Self.mostAuditEntries)
        if entries + clients > 0 {
            installation.logger.debug("removed \(entries) old entries of clients' logs, \(clients) unused clients")
        }
    }
}
