import AdapterRuntime
import Authentication
import Core
import Foundation
import WorklightProject

/// What decides who may do what, made once from a project's files.
final class SecurityServices: Sendable {
    let policy: SecurityPolicy
    let gate: RealmAuthenticator
    let sessions: SessionTable
    let cookieless = CookielessClientDetector()
    let deviceContexts: DeviceContextBudget
    let rules: ApplicationRules
    let authorization: AuthorizationServer
    let backEnds: BackEndAuthenticator
    /// `nil` in production.
    let development: DevelopmentAccess?
    /// Answers from this size on are compressed for clients that want it, in bytes (server-api 5.4,
    /// `compress.response.threshold`).
    let compressionThreshold: Int
    /// Logs what clients can cause again and again.
    let log: LogLimiter

    init(
        policy: SecurityPolicy, gate: RealmAuthenticator, sessions: SessionTable, deviceContexts: DeviceContextBudget,
        rules: ApplicationRules,
        authorization: AuthorizationServer, backEnds: BackEndAuthenticator, development: DevelopmentAccess?,
        compressionThreshold: Int, log: LogLimiter
    ) {
        self.policy = policy
        self.gate = gate
        self.sessions = sessions
        self.deviceContexts = deviceContexts
        self.rules = rules
        self.authorization = authorization
        self.backEnds = backEnds
        self.development = development
        self.compressionThreshold = compressionThreshold
        self.log = log
    }
}
