/// What an account or a token may do. Each role includes those before it. The names are those of the original's console.
public enum ManagementRole: String, Sendable, Hashable, CaseIterable, Comparable {
    /// Reads everything except accounts, tokens and the audit log.
    case monitor
    /// Also sends messages, calls procedures, and changes subscriptions, devices, deliveries and access rules.
    case `operator`
    /// Also deploys and removes adapters.
    case deployer
    /// Also manages accounts and tokens and reads the audit log.
    case admin

    private var rank: Int {
        switch self {
        case .monitor: 0
        case .operator: 1
        case .deployer: 2
        case .admin: 3
        }
    }

    public static func < (one: ManagementRole, other: ManagementRole) -> Bool { one.rank < other.rank }
}

/// Who makes a ``ManagementCall``.
public struct ManagementPrincipal: Sendable, Hashable {
    /// The account's or token's name, for the audit log.
    public let account: String
    public let role: ManagementRole
    /// The client's address; empty within the process.
    public let address: String
    /// The hash of the token of a session; `nil` for other callers.
    let session: String?

    public init(account: String, role: ManagementRole, address: String) {
        self.init(account: account, role: role, address: address, session: nil)
    }

    init(account: String, role: ManagementRole, address: String, session: String?) {
        (self.account, self.role, self.address, self.session) = (account, role, address, session)
    }

    /// The command line, when no server runs.
    public static let commandLine = ManagementPrincipal(account: "command line", role: .admin, address: "")
}
