import Credentials
import Foundation
import Tokens
public import WorklightProject

/// Makes the realms that authenticationConfig.xml declares (server-api 5.3).
///
/// Reports what this server cannot do, with the line; nobody gets past such a realm, and the others work. It is an error where
/// a security test in use asks for the realm, and a note elsewhere: every project has the realms of Studio's template.
public struct RealmReader {
    private let project: Project
    private let services: LoginServices
    private let activeRealms: Set<String>
    private var problems: [ProjectProblem] = []

    public static func read(_ project: Project, services: LoginServices) -> (
        realms: RealmTable, problems: [ProjectProblem]
    ) {
        var reader = RealmReader(project: project, services: services)
        let realms = project.authentication.realms.map { reader.realm($0) }
        return (RealmTable(realms), reader.problems)
    }

    private init(project: Project, services: LoginServices) {
        self.project = project
        self.services = services
        activeRealms = project.authentication.activeRealms(of: project)
    }

    private mutating func realm(_ declared: AuthenticationConfiguration.Realm) -> Realm {
        let module = declared.loginModule.flatMap { project.authentication.loginModule(named: $0) }
        let expiration = module.flatMap { $0.expiration < 0 ? nil : Duration.seconds($0.expiration) }
        return Realm(
            name: declared.name, authenticator: authenticator(declared), loginModule: loginModule(module, of: declared),
            expiration: expiration)
    }

    private mutating func authenticator(_ realm: AuthenticationConfiguration.Realm) -> Authenticator {
        if let key = realm.unresolvedKeys.first {
            return unavailable(realm, "the realm '\(realm.name)': \(WorklightProperties.advice(onUnresolved: key))")
        }
        switch Self.shortName(realm.className) {
        case "FormBasedAuthenticator": return .form(page(realm))
        case "BasicAuthenticator": return .basic(realm: realm.parameter("basic-realm-name") ?? realm.name)
        case "HeaderAuthenticator": return .header
        case "PersistentCookieAuthenticator": return .persistentCookie
        case "BearerAuthenticator" where Self.isOurs(realm.className): return .bearer
        case "AdapterAuthenticator":
            guard let login = realm.parameter("login-function").flatMap(AdapterFunction.init) else {
                return unavailable(
                    realm, "the realm '\(realm.name)' has no 'login-function'; expected Adapter.function")
            }
            return .adapter(login: login, logout: realm.parameter("logout-function").flatMap(AdapterFunction.init))
        default:
            return unavailable(
                realm,
                "the realm '\(realm.name)' has the authenticator \(realm.className ?? "(none)"), which this server has not: "
                    + "nobody gets past it. It has FormBasedAuthenticator, BasicAuthenticator, HeaderAuthenticator, "
                    + "AdapterAuthenticator, PersistentCookieAuthenticator and lamplighter.BearerAuthenticator")
        }
    }

    private mutating func unavailable(_ realm: AuthenticationConfiguration.Realm, _ message: String) -> Authenticator {
        report(severity(of: realm), realm.line, message)
        return .unavailable(reason: "users cannot log in to '\(realm.name)' on this server")
    }

    /// The project's own login page, where it has one that clients will know.
    private mutating func page(_ realm: AuthenticationConfiguration.Realm) -> LoginPage {
        guard let name = realm.parameter("login-page") else { return .standard }
        let places = ["server/conf", "server/webapp", "server"]
        let file = places.map { project.folder.appending(path: "\($0)/\(name)") }.first {
            FileManager.default.fileExists(atPath: $0.path)
        }
        guard !name.contains(".."), let file, let text = try? FileText(markup: Data(contentsOf: file)).text else {
            report(.note, realm.line, "login-page '\(name)' is not in server/conf; this server's own page is shown")
            return .standard
        }
        guard let page = LoginPage(template: text) else {
            report(
                .warning, realm.line,
                "login-page '\(name)' does not hold '\(LoginPage.mark)', by which clients know a login page; this server's "
                    + "own page is shown")
            return .standard
        }
        return page
    }

    private mutating func loginModule(
        _ module: AuthenticationConfiguration.LoginModule?, of realm: AuthenticationConfiguration.Realm
    ) -> LoginModule {
        guard let module else { return .none }
        if let key = module.unresolvedKeys.first {
            return unavailable(module, of: realm, WorklightProperties.advice(onUnresolved: key))
        }
        switch Self.shortName(module.className) {
        case "NonValidatingLoginModule": return .nonValidating
        case "RejectingLoginModule": return .rejecting
        case "SingleIdentityLoginModule": return singleIdentity(module, of: realm)
        case "HeaderLoginModule":
            guard let user = module.parameter("user-name-header") else {
                return unavailable(module, of: realm, "it has no 'user-name-header'")
            }
            return .header(user: user, displayName: module.parameter("display-name-header"))
        case "LdapLoginModule": return directory(module, of: realm, services.ldap)
        case "RDBMSLoginModule": return directory(module, of: realm, services.rdbms)
        case "PasswordFileLoginModule" where Self.isOurs(module.className):
            return directory(module, of: realm, services.passwordFile)
        case "OpenIDConnectLoginModule" where Self.isOurs(module.className):
            do { return .openID(try services.openID(module.parameters)) } catch {
                return unavailable(module, of: realm, "\(error)")
            }
        default:
            // The adapter itself is the judge of its users.
            if Self.shortName(realm.className) == "AdapterAuthenticator" { return .none }
            return unavailable(
                module, of: realm,
                "this server has no \(module.className ?? "login module without a class"); it has NonValidatingLoginModule, "
                    + "SingleIdentityLoginModule, RejectingLoginModule, HeaderLoginModule, LdapLoginModule, "
                    + "RDBMSLoginModule, lamplighter.PasswordFileLoginModule and lamplighter.OpenIDConnectLoginModule")
        }
    }

    /// The user whom worklight.properties names, as for the original's console.
    private mutating func singleIdentity(
        _ module: AuthenticationConfiguration.LoginModule, of realm: AuthenticationConfiguration.Realm
    ) -> LoginModule {
        let user = module.parameter("username") ?? project.properties["console.username"]
        let password = module.parameter("password") ?? project.properties["console.password"]
        guard let user, let password, !user.isEmpty, !password.isEmpty else {
            return unavailable(
                module, of: realm, "console.username and console.password are not in worklight.properties")
        }
        return .singleIdentity(user: user, password: password)
    }

    private mutating func directory(
        _ module: AuthenticationConfiguration.LoginModule, of realm: AuthenticationConfiguration.Realm,
        _ make: (LoginServices.Parameters) throws -> any PasswordDirectory
    ) -> LoginModule {
        do { return .directory(try make(module.parameters)) } catch {
            return unavailable(module, of: realm, "\(error)")
        }
    }

    private mutating func unavailable(
        _ module: AuthenticationConfiguration.LoginModule, of realm: AuthenticationConfiguration.Realm,
        _ message: String
    ) -> LoginModule {
        report(severity(of: realm), module.line, "the login module '\(module.name)' cannot be used: \(message)")
        return .unavailable(reason: "the login module '\(module.name)' cannot be used: \(message)")
    }

    private func severity(of realm: AuthenticationConfiguration.Realm) -> ProjectProblem.Severity {
        activeRealms.contains(realm.name) ? .error : .note
    }

    private mutating func report(_ severity: ProjectProblem.Severity, _ line: Int, _ message: String) {
        let problem = ProjectProblem(severity, file: AuthenticationConfiguration.path, line: line, message)
        if !problems.contains(problem) { problems.append(problem) }
    }

    private static func shortName(_ className: String?) -> String {
        className.flatMap { $0.split(separator: ".").last.map(String.init) } ?? ""
    }

    /// Whether a class is an extension of ours, which old servers did not have.
    private static func isOurs(_ className: String?) -> Bool { className?.hasPrefix("lamplighter.") ?? false }
}
