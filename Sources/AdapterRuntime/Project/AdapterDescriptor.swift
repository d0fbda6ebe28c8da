/// What an adapter's XML file says (server-api 5.1).
public struct AdapterDescriptor: Sendable, Hashable {
    public let name: String
    public let displayName: String?
    public let description: String?
    /// How the adapter reaches its back end by HTTP; `nil` when it has another kind of connectivity, or none.
    public let http: HTTPConnectionPolicy?
    /// The procedures that may be called, in the file's order.
    public let procedures: [ProcedureDescriptor]
    /// The descriptor, relative to the project's folder.
    public let path: String
    /// The implementation, relative to the project's folder.
    public let scriptPath: String

    /// The declared procedure of that name.
    public func procedure(named name: String) -> ProcedureDescriptor? {
        procedures.first { $0.name == name }
    }
}

/// A `procedure` element.
public struct ProcedureDescriptor: Sendable, Hashable {
    public let name: String
    /// `requestTimeoutInSeconds`: how long a call may take, in seconds; `nil` for the server's own limit, 30 unless set.
    public let requestTimeout: Double?
    /// `securityTest`: the test in authenticationConfig.xml that guards it.
    public let securityTest: String?
    public let line: Int
}

/// A `connectionPolicy` of type `HTTPConnectionPolicyType`.
public struct HTTPConnectionPolicy: Sendable, Hashable {
    /// `http` or `https`.
    public let scheme: String
    /// The back end's host; `nil` when the file has none, as with adapters that never call one.
    public let domain: String?
    public let port: Int
    /// In milliseconds.
    public let connectionTimeout: Int
    /// In milliseconds.
    public let socketTimeout: Int
}
