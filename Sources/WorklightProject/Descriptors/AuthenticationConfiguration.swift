/// `server/conf/authenticationConfig.xml`: the security tests that clients must pass to reach procedures (server-api 5.3).
public struct AuthenticationConfiguration: Sendable, Hashable {
    public var staticResources: [StaticResource] = []
    public var securityTests: [SecurityTest] = []
    public var realms: [Realm] = []
    public var loginModules: [LoginModule] = []
    /// True if the file could be read, or there is none. If it could not, references to it are not reported.
    public var isReadable = true

    public static let path = "server/conf/authenticationConfig.xml"

    /// The file of the script in place of a Java class, relative to the project's folder.
    ///
    /// - Returns: `nil` when the class has no simple name that can be a file's.
    public static func scriptPath(ofClass className: String) -> String? {
        guard let name = className.split(separator: ".").last, name.wholeMatch(of: /[A-Za-z_][A-Za-z0-9_$]*/) != nil
        else {
            return nil
        }
        return "server/authentication/\(name).js"
    }

    /// The name under which the server runs the script of a class for a realm. No adapter can have it.
    public static func scriptName(ofClass className: String, realm: String) -> String {
        "\(className.split(separator: ".").last ?? "") of realm \(realm)"
    }

    /// The security test that lets everybody through.
    public static let unprotectedTest = "wl_unprotected"

    /// The realms that exist without a declaration.
    public static let builtInRealms: Set = [
        "wl_antiXSRFRealm", "wl_anonymousUserRealm", "wl_remoteDisableRealm", "wl_deviceNoProvisioningRealm",
        "wl_deviceAutoProvisioningRealm", "wl_directUpdateRealm", "wl_authenticityRealm", "wl_devicePinningRealm",
        "SampleAppRealm", "WorklightConsole",
    ]

    public func securityTest(named name: String) -> SecurityTest? { securityTests.first { $0.name == name } }

    public func realm(named name: String) -> Realm? { realms.first { $0.name == name } }

    public func loginModule(named name: String) -> LoginModule? { loginModules.first { $0.name == name } }

    /// The realm whose identity is the user for code that a test guards; `nil` when the test is not known or says nothing of
    /// users.
    public func userRealm(ofSecurityTest name: String) -> String? {
        securityTest(named: name)?.tests.first(where: \.isInternalUserID)?.realm
    }

    /// Returns the realms in use: those of the security tests that procedures, applications or scripts name, and those of
    /// applications' users.
    ///
    /// `staticResources` do not count: they guard the original's own pages, such as its console, which Lamplighter does not have. A
    /// test's name anywhere in a script counts, since event sources name their tests there.
    public func activeRealms(of project: Project) -> Set<String> {
        Set(
            activeTests(of: project).flatMap(\.tests).map(\.realm)
                + project.applications.flatMap { $0.userIdentityRealms + $0.startupRealms.map(\.name) })
    }

    /// The security tests that procedures, applications or scripts name.
    func activeTests(of project: Project) -> [SecurityTest] {
        let named = Set(
            project.adapters.flatMap { $0.descriptor.procedures.compactMap(\.securityTest) }
                + project.applications.flatMap { $0.environments.compactMap(\.securityTest) })
        return securityTests.filter { test in
            named.contains(test.name) || project.adapters.contains { $0.script.contains(test.name) }
        }
    }

    /// Returns true if a realm identifies devices, by their claim or by a certificate: a built-in one, or one of custom provisioning.
    public func isDeviceRealm(_ name: String) -> Bool {
        name == "wl_deviceNoProvisioningRealm" || isProvisioningRealm(name)
    }

    /// Returns true if a realm identifies devices by a certificate that the original's server issued.
    func isProvisioningRealm(_ name: String) -> Bool {
        name == "wl_deviceAutoProvisioningRealm"
            || realm(named: name)?.shortClassName == "DeviceAutoProvisioningAuthenticator"
    }

    /// A `resource` of `staticResources`.
    public struct StaticResource: Sendable, Hashable {
        public let id: String
        public let securityTest: String?
        /// `urlPatterns`, such as `/console*`.
        public let urlPatterns: [String]
        public let line: Int
    }

    /// A security test: realms that must have been passed.
    public struct SecurityTest: Sendable, Hashable {
        public enum Kind: String, Sendable, Hashable, CaseIterable {
            case mobile = "mobileSecurityTest"
            case web = "webSecurityTest"
            case custom = "customSecurityTest"
        }

        public let name: String
        public let kind: Kind
        /// In order; the tests of a mobile or web security test are converted to those of a custom one.
        public let tests: [Test]
        public let line: Int
    }

    /// A `test` of a security test.
    public struct Test: Sendable, Hashable {
        public let realm: String
        /// The position of the test. Steps are processed one after the other; tests with the same step are asked at once.
        public let step: Int?
        /// True if the identity in the realm is the user.
        public let isInternalUserID: Bool
        /// True if the identity in the realm is the device.
        public let isInternalDeviceID: Bool
        /// `sso` of `testUser`: true if a login counts for all applications of the device.
        public let isSharedOnDevice: Bool
        /// `testDirectUpdate`: `perSession`, `perRequest` or `disabled`.
        public let mode: String?
        /// `testDeviceId`: `none`, `auto` or `custom`.
        public let provisioningType: String?
        public let line: Int
    }

    /// A `realm`: an authenticator that asks, and a login module that checks the credentials.
    public struct Realm: Sendable, Hashable {
        public let name: String
        public let loginModule: String?
        public let className: String?
        public let onLoginURL: String?
        public let parameters: [Parameter]
        /// The placeholders in it that worklight.properties does not define.
        public let unresolvedKeys: [String]
        public let line: Int

        public func parameter(_ name: String) -> String? { parameters.first { $0.name == name }?.value }

        /// The class without its package.
        public var shortClassName: String? { className?.split(separator: ".").last.map(String.init) }
    }

    /// A `loginModule`.
    public struct LoginModule: Sendable, Hashable {
        public let name: String
        public let className: String?
        public let isAudited: Bool
        /// In seconds; -1 for never.
        public let expiration: Double
        public let canBeResourceLogin: Bool
        public let isIdentityAssociationKey: Bool
        public let ssoDeviceLoginModule: String?
        public let parameters: [Parameter]
        /// The placeholders in it that worklight.properties does not define.
        public let unresolvedKeys: [String]
        public let line: Int

        public func parameter(_ name: String) -> String? { parameters.first { $0.name == name }?.value }

        /// The class without its package.
        public var shortClassName: String? { className?.split(separator: ".").last.map(String.init) }
    }

    public struct Parameter: Sendable, Hashable {
        public let name: String
        public let value: String
    }
}
