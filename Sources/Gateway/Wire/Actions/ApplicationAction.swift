/// What an application can ask for (wire-protocol 1).
enum ApplicationAction: String, Sendable, CaseIterable {
    case initialize = "init"
    case query
    case notifications
    case login
    case logout
    case userInfo = "getuserinfo"
    case heartbeat
    case logActivity = "logactivity"
    case setPreferences = "setup"
    case deletePreference = "deleteup"
    case authenticate
    case composite
    case versionAccess = "appversionaccess"
    case updates
    case deviceAuthentication = "deviceauth"
    case events
    case loginForm = "j_security_check"

    /// Whether the client must have passed the application's own test, users included. Of the others, some are how one
    /// passes it, some tell nothing, and a query is guarded by its procedure (server-api 5.1).
    var wantsApplicationUsers: Bool {
        switch self {
        case .initialize, .notifications, .setPreferences, .deletePreference, .events: true
        case .query, .login, .logout, .userInfo, .heartbeat, .logActivity, .authenticate, .composite, .versionAccess,
            .updates, .deviceAuthentication, .loginForm:
            false
        }
    }
}
