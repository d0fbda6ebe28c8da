import Core
import Foundation

/// The permissions of an account or a token. Each role includes those before it. The names are those of the original's console.
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

/// The account, token or program that makes a ``ManagementCall``.
public struct ManagementPrincipal: Sendable, Hashable {
    /// The account's or token's name, for the audit log.
    public let account: String
    public let role: ManagementRole
    /// The client's address; empty within the process.
    public let address: String
    /// The hash of the token of a session; `nil` for other callers.
    package let session: String?

    public init(account: String, role: ManagementRole, address: String) {
        self.init(account: account, role: role, address: address, session: nil)
    }

    init(account: String, role: ManagementRole, address: String, session: String?) {
        (self.account, self.role, self.address, self.session) = (account, role, address, session)
    }

    /// The command line, when no server runs.
    public static let commandLine = ManagementPrincipal(unixUser: userName, address: "")

    /// A user of this machine, who can read the data folder.
    init(unixUser name: String, address: String) {
        self.init(account: "unix:\(name)", role: .admin, address: address)
    }

    /// The header with the name of the user who runs a command. It counts only beside the key of `server.json`.
    public static let userHeader = "Lamplighter-User"

    /// The name of the user of this process, or its number when the name is not ``isUserName(_:)``.
    public static let userName: String = {
        let name = NSUserName()
        return isUserName(name) ? name : "\(geteuid())"
    }()

    /// Returns true if a string is 1 to 64 visible characters of ASCII.
    static func isUserName(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count) && text.utf8.allSatisfy(PercentEncoding.isVisible)
    }
}
