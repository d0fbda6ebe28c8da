import AdapterRuntime
package import Authentication
package import Core
import Foundation
import WorklightProject

/// What decides who may do what, made once from a project's files.
package final class SecurityServices: Sendable {
    package let policy: SecurityPolicy
    package let gate: RealmAuthenticator
    package let sessions: SessionTable
    package let cookieless = CookielessClientDetector()
    package let deviceContexts: DeviceContextBudget
    package let rules: ApplicationRules
    package let authorization: AuthorizationServer
    package let backEnds: BackEndAuthenticator
    /// `nil` in production.
    package let development: DevelopmentAccess?
    /// Answers from this size on are compressed for clients that want it, in bytes (server-api 5.4,
    /// `compress.response.threshold`).
    package let compressionThreshold: Int
    /// Logs what clients can cause again and again.
    package let log: LogLimiter

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
