import Core
import Credentials
import Foundation
import Tokens
public import WorklightProject

/// Creates the realms that authenticationConfig.xml declares (server-api 5.3).
///
/// Reports unsupported realms, with the line. No client passes such a realm, and the others work. The report is an error if a security
/// test in use has the realm, and else a note, since every project has the realms of Studio's template.
public struct RealmReader {
    private let project: Project
    private let services: LoginServices
    private let activeRealms: Set<String>
    private var problems: [ProjectError] = []

    public static func read(_ project: Project, services: LoginServices) -> (
        realms: RealmTable, problems: [ProjectError]
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
        if let key = realm.unresolvedKeys.first, !project.authentication.isDeviceRealm(realm.name) {
            return unavailable(realm, "the realm '\(realm.name)': \(WorklightProperties.advice(onUnresolved: key))")
        }
        switch realm.shortClassName {
        case "FormBasedAuthenticator": return form(realm)
        case "BasicAuthenticator": return .basic(realm: realm.parameter("basic-realm-name") ?? realm.name)
        case "HeaderAuthenticator": return .header
        case "PersistentCookieAuthenticator": return persistentCookie(realm)
        case "UserCertificateAuthenticator": return certificate(realm)
        case "DeviceAutoProvisioningAuthenticator":
            // Not a user's realm: a security test with it requires the device's identity alone (``SecurityPolicy``).
            return .unavailable(
                reason: "the realm '\(realm.name)' identifies devices, and Lamplighter issues no device certificates")
        case "TrusteerAuthenticator":
            return unavailable(
                realm,
                "the realm '\(realm.name)' has TrusteerAuthenticator, whose service IBM has ended; remove the realm from the "
                    + "security tests")
        case "BearerAuthenticator" where Self.isOurs(realm.className): return .bearer
        case "AdapterAuthenticator":
            guard let login = realm.parameter("login-function").flatMap(AdapterFunction.init) else {
                return unavailable(
                    realm,
                    "the realm '\(realm.name)' has no 'login-function'; expected Adapter.function"
                        + (Suggestion.nearest(to: "login-function", among: realm.parameters.map(\.name)).map {
                            ", as the value of 'login-function', not of '\($0)'"
                        } ?? ""))
            }
            return .adapter(login: login, logout: realm.parameter("logout-function").flatMap(AdapterFunction.init))
        default:
            if let script = script(realm.className, of: realm, realm.parameters) { return .script(script) }
            if let remedy = Self.remedy(realm.className) {
                return unavailable(
                    realm,
                    "nobody gets past the realm '\(realm.name)': its authenticator \(realm.className ?? "") is Java; \(remedy)"
                )
            }
            return unavailable(
                realm,
                "the realm '\(realm.name)' has the authenticator \(realm.className ?? "(none)"), which this server has not: "
                    + "nobody gets past it. It has FormBasedAuthenticator, BasicAuthenticator, HeaderAuthenticator, "
                    + "AdapterAuthenticator, PersistentCookieAuthenticator, UserCertificateAuthenticator and "
                    + "lamplighter.BearerAuthenticator")
        }
    }

    /// The script in place of a class, if the project has one.
    private mutating func script(
        _ className: String?, of realm: AuthenticationConfiguration.Realm,
        _ parameters: [AuthenticationConfiguration.Parameter]
    ) -> RealmScript? {
        guard let className else { return nil }
        let name = AuthenticationConfiguration.scriptName(ofClass: className, realm: realm.name)
        guard let script = project.realmScripts.first(where: { $0.descriptor.name == name }) else { return nil }
        var options = JSONObject()
        for parameter in parameters { options[parameter.name] = .string(parameter.value) }
        if let line = script.untouchedTemplateLine {
            report(
                severity(of: realm), file: script.descriptor.scriptPath, line,
                "this is the template of 'lamplighter new authenticator', which refuses every login: check the password here"
            )
        }
        return RealmScript(
            name: name, options: options,
            seesAuthenticated: script.script.contains("processRequestAlreadyAuthenticated"))
    }

    private mutating func unavailable(_ realm: AuthenticationConfiguration.Realm, _ message: String) -> Authenticator {
        report(severity(of: realm), realm.line, message)
        return .unavailable(reason: "users cannot log in to '\(realm.name)' on this server")
    }

    /// Certificates are issued by the project's own authority: IBM's enrolment of users on devices is not here.
    private mutating func certificate(_ realm: AuthenticationConfiguration.Realm) -> Authenticator {
        if realm.parameter("pki-bridge-class") != nil {
            report(
                .note, realm.line,
                "the realm '\(realm.name)': pki-bridge-class is ignored, since Lamplighter issues no user certificates; the "
                    + "clients need certificates of an authority in tls.clientAuthorities")
        }
        let advice = "set tls.clientAuthorities, or clientCertificateHeader for a proxy that verifies certificates"
        switch services.takesClientCertificates {
        case true?: return .certificate
        case false?:
            return unavailable(realm, "the realm '\(realm.name)' needs client certificates; \(advice)")
        case nil:
            report(.note, realm.line, "the realm '\(realm.name)' needs client certificates: \(advice)")
            return .certificate
        }
    }

    private mutating func persistentCookie(_ realm: AuthenticationConfiguration.Realm) -> Authenticator {
        guard let name = realm.parameter("cookie-name"), name != "WL_PERSISTENT_COOKIE" else {
            return .persistentCookie(name: nil)
        }
        guard name != "JSESSIONID", name.wholeMatch(of: /[A-Za-z0-9_.\-]+/) != nil else {
            return unavailable(
                realm,
                "the realm '\(realm.name)' has the cookie-name '\(name)'; expected letters, digits, '_', '.' and '-', and another "
                    + "name than JSESSIONID")
        }
        return .persistentCookie(name: name)
    }

    private mutating func form(_ realm: AuthenticationConfiguration.Realm) -> Authenticator {
        guard let target = realm.parameter("auth-redirect"), !target.isEmpty else {
            return .form(
                LoginForm(page: page(realm, named: realm.parameter("login-page"), by: "login-page") ?? .standard))
        }
        if realm.parameter("login-page") != nil {
            report(
                .warning, realm.line,
                "the realm '\(realm.name)' has login-page and auth-redirect, which exclude each other; login-page is ignored"
            )
        }
        if target.hasPrefix("http://") || target.hasPrefix("https://") {
            guard !target.hasControlCharacters else {
                return unavailable(realm, "the realm '\(realm.name)': auth-redirect has control characters")
            }
            return .form(LoginForm(page: .standard, redirect: .url(target)))
        }
        let page = page(realm, named: target, by: "auth-redirect") ?? .standard
        let name = target.split(separator: "/").last.map(String.init) ?? "login.html"
        return .form(LoginForm(page: page, redirect: .page(name: name)))
    }

    /// The project's own login page; `nil` without one that clients will know.
    private mutating func page(
        _ realm: AuthenticationConfiguration.Realm, named name: String?, by parameter: String
    ) -> LoginPage? {
        guard let name else { return nil }
        let places = ["server/conf", "server/webapp", "server"]
        let file = places.map { project.folder.appending(path: "\($0)/\(name)") }.first {
            FileManager.default.fileExists(atPath: $0.path)
        }
        guard !name.contains(".."), let file, let text = try? FileText(markup: Data(contentsOf: file)).text else {
            report(
                .note, realm.line, "\(parameter) '\(name)' is not in server/conf; Lamplighter's own page is shown")
            return nil
        }
        guard let page = LoginPage(template: text) else {
            report(
                .warning, realm.line,
                "\(parameter) '\(name)' does not contain '\(LoginPage.mark)', by which clients recognize a login page; "
                    + "Lamplighter's own page is shown")
            return nil
        }
        return page
    }

    private mutating func loginModule(
        _ module: AuthenticationConfiguration.LoginModule?, of realm: AuthenticationConfiguration.Realm
    ) -> LoginModule {
        guard let module, !project.authentication.isDeviceRealm(realm.name) else { return .none }
        if let key = module.unresolvedKeys.first {
            return unavailable(module, of: realm, WorklightProperties.advice(onUnresolved: key))
        }
        switch module.shortClassName {
        case "NonValidatingLoginModule": return .nonValidating
        case "RejectingLoginModule": return .rejecting
        case "UserCertificateLoginModule": return .certificate
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
            if let script = script(module.className, of: realm, module.parameters) { return .script(script) }
            // The adapter itself is the judge of its users.
            if realm.shortClassName == "AdapterAuthenticator" { return .none }
            if let remedy = Self.remedy(module.className) {
                return unavailable(module, of: realm, "\(module.className ?? "") is Java; \(remedy)")
            }
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
        do {
            return .directory(try make(module.parameters))
        } catch let error as DirectoryError where !error.lines.isEmpty {
            for line in error.lines { report(severity(of: realm), file: line.file, line.number, line.problem) }
            return .unavailable(reason: "the login module '\(module.name)' accepts no login: \(error)")
        } catch {
            return unavailable(module, of: realm, "\(error)")
        }
    }

    private mutating func unavailable(
        _ module: AuthenticationConfiguration.LoginModule, of realm: AuthenticationConfiguration.Realm,
        _ message: String
    ) -> LoginModule {
        let reason = "the login module '\(module.name)' accepts no login: \(message)"
        report(severity(of: realm), module.line, reason)
        return .unavailable(reason: reason)
    }

    private func severity(of realm: AuthenticationConfiguration.Realm) -> ProjectError.Severity {
        activeRealms.contains(realm.name) ? .error : .note
    }

    private mutating func report(
        _ severity: ProjectError.Severity, file: String = AuthenticationConfiguration.path, _ line: Int?,
        _ message: String
    ) {
        let problem = ProjectError(severity, file: file, line: line, message)
        if !problems.contains(problem) { problems.append(problem) }
    }

    /// The remedy for a Java class of the project's own; `nil` for IBM's.
    private static func remedy(_ className: String?) -> String? {
        guard let className, !className.hasPrefix("com.worklight.core."),
            !className.hasPrefix("com.worklight.integration."),
            className.contains("."), !isOurs(className),
            let name = className.split(separator: ".").last,
            let path = AuthenticationConfiguration.scriptPath(ofClass: className)
        else { return nil }
        return "write it in JavaScript: 'lamplighter new authenticator \(name)' makes \(path)"
    }

    /// Returns true if a class is an extension of Lamplighter, which old servers did not have.
    private static func isOurs(_ className: String?) -> Bool { className?.hasPrefix("lamplighter.") ?? false }
}

extension Project.Adapter {
    /// The line of a login module's script that refuses every login, if the author has written nothing in front of it; else `nil`.
    fileprivate var untouchedTemplateLine: Int? {
        let lines = script.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map {
            $0.trimmingCharacters(in: .whitespaces)
        }
        guard
            let index = lines.firstIndex(where: {
                $0.hasPrefix("throw ") && $0.contains("the password is not checked yet")
            }),
            let before = lines[..<index].last(where: { !$0.isEmpty && !$0.hasPrefix("//") }),
            before.hasPrefix("password = ")
        else { return nil }
        return index + 1
    }
}
