public import Credentials
public import Tokens
public import WorklightProject

/// Makes what login modules need from their parameters in authenticationConfig.xml.
public struct LoginServices: Sendable {
    public typealias Parameters = [AuthenticationConfiguration.Parameter]

    public var ldap: @Sendable (Parameters) throws -> any PasswordDirectory
    public var rdbms: @Sendable (Parameters) throws -> any PasswordDirectory
    public var passwordFile: @Sendable (Parameters) throws -> any PasswordDirectory
    /// True if clients can show certificates, by TLS or through a proxy; `nil` when the settings are not known, as in `check`.
    public var takesClientCertificates: Bool?
    public var openID: @Sendable (Parameters) throws -> OpenIDConnect

    public init(
        ldap: @escaping @Sendable (Parameters) throws -> any PasswordDirectory,
        rdbms: @escaping @Sendable (Parameters) throws -> any PasswordDirectory,
        passwordFile: @escaping @Sendable (Parameters) throws -> any PasswordDirectory,
        openID: @escaping @Sendable (Parameters) throws -> OpenIDConnect
    ) {
        self.ldap = ldap
        self.rdbms = rdbms
        self.passwordFile = passwordFile
        self.openID = openID
    }
}
