import AdapterRuntime
import Authentication
import Core
import Installation
import Logging
import PushModel

/// Stores for a client, and counts what clients without a user have stored.
struct GuestQuotaEnforcer: Sendable {
    let store: any GuestStore
    let quota: GuestQuota
    let log: LogLimiter

    /// Refuses a client without a user where too much is stored already.
    ///
    /// - Throws: ``GuestQuotaError``, `StoreError`.
    func check(_ exchange: ClientRequestContext) throws {
        guard exchange.isGuest else { return }
        let network = exchange.call.network
        let usage = try store.guestUsage(of: network)
        let error: GuestQuotaError
        if usage.own >= quota.perNetwork {
            error = GuestQuotaError(setting: "limits.guestDataPerAddress", network: network)
        } else if usage.all >= quota.total {
            error = GuestQuotaError(setting: "limits.guestData", network: nil)
        } else {
            return
        }
        log.guards.acted(error.setting)
        log.log(
            "guest data \(error.setting)", at: .warning, metadata: ["address": "\(exchange.call.address)"], "\(error)"
        )
        throw error
    }

    /// Counts rows that a client has just stored, or no longer counts them when it has a user now.
    ///
    /// - Throws: `StoreError`.
    func note(_ rows: [GuestRow], _ exchange: ClientRequestContext) throws {
        if exchange.isGuest {
            try store.noteGuest(rows, of: exchange.call.network)
        } else {
            try store.releaseGuest(rows)
        }
    }
}

extension ClientRequestContext {
    /// True if the session has no checked login.
    var isGuest: Bool { session.standing != .user }
}

/// A client without a user may store nothing more.
struct GuestQuotaError: Error, CustomStringConvertible {
    /// The setting that says how much there may be.
    let setting: String
    /// The network of the client; `nil` when the total for all networks is exceeded.
    let network: String?

    var description: String {
        "clients without a user cannot store more: \(network.map { "those at \($0) have" } ?? "they have in all") reached "
            + "\(setting); raise it, or remove devices that are not used"
    }
}
