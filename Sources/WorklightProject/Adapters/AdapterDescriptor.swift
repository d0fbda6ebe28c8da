/// The contents of an adapter's XML file (server-api 5.1).
public struct AdapterDescriptor: Sendable, Hashable {
    public let name: String
    public let displayName: String?
    public let description: String?
    /// The adapter's connection to its back end.
    public let connectivity: Connectivity
    /// The procedures that may be called, in the file's order.
    public let procedures: [ProcedureDescriptor]
    /// The descriptor, relative to the project's folder.
    public let path: String
    /// The implementation, relative to the project's folder.
    public let scriptPath: String
    /// True if it is not an adapter but the script of an authenticator or a login module (``Project/realmScripts``).
    public let isRealmScript: Bool

    public init(
        name: String, displayName: String? = nil, description: String? = nil, connectivity: Connectivity = .none,
        procedures: [ProcedureDescriptor], path: String, scriptPath: String, isRealmScript: Bool = false
    ) {
        self.name = name
        self.displayName = displayName
        self.description = description
        self.connectivity = connectivity
        self.procedures = procedures
        self.path = path
        self.scriptPath = scriptPath
        self.isRealmScript = isRealmScript
    }

    /// The declared procedure of that name.
    public func procedure(named name: String) -> ProcedureDescriptor? {
        procedures.first { $0.name == name }
    }
}

/// The `connectivity` element: the kind of back end and how to reach it.
public enum Connectivity: Sendable, Hashable {
    /// The file has no connection policy.
    case none
    case http(HTTPConnectionPolicy)
    case sql(SQLConnectionPolicy)
    /// Another type, such as `JMSConnectionPolicyType`: the adapter is loaded, calls of its back end fail with a reason.
    case unsupported(type: String)

    public var http: HTTPConnectionPolicy? {
        if case .http(let policy) = self { policy } else { nil }
    }

    public var sql: SQLConnectionPolicy? {
        if case .sql(let policy) = self { policy } else { nil }
    }
}

/// A `procedure` element.
public struct ProcedureDescriptor: Sendable, Hashable {
    public let name: String
    public let displayName: String?
    public let description: String?
    /// `requestTimeoutInSeconds`: the timeout of a call, in seconds; `nil` for the server's own limit, 30 unless set.
    public let requestTimeout: Double?
    /// `securityTest`: the test in authenticationConfig.xml that guards it; the adapter's own, an attribute of old tools,
    /// where the procedure names none.
    public let securityTest: String?
    /// `connectAs`: the owner of the connection to the back end that it uses.
    public let connectAs: ConnectAs
    /// `audit`: true if each call is logged with its parameters.
    public let isAudited: Bool
    public let line: Int

    public enum ConnectAs: String, Sendable, Hashable, CaseIterable {
        case server
        /// The user of the session has a separate connection, with its cookies.
        case endUser
    }

    public init(
        name: String, displayName: String? = nil, description: String? = nil, requestTimeout: Double? = nil,
        securityTest: String? = nil, connectAs: ConnectAs = .server, isAudited: Bool = false, line: Int
    ) {
        self.name = name
        self.displayName = displayName
        self.description = description
        self.requestTimeout = requestTimeout
        self.securityTest = securityTest
        self.connectAs = connectAs
        self.isAudited = isAudited
        self.line = line
    }
}
