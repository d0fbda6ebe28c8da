import Authentication
import TestSupport
import Testing
import WorklightProject

@Suite("Realms and login modules of a project")
struct RealmReaderTests {
    private func read(
        realms: String = "", modules: String = "", files: [String: String] = [:],
        directory: TestDirectory = TestDirectory(passwords: [:])
    ) throws -> (realms: RealmTable, problems: [ProjectError]) {
        let test = try RealmTestProject(realms: realms, modules: modules, files: files)
        return RealmReader.read(test.project, services: .using(directory))
    }

    private static let believing = RealmTestProject.module("NonValidatingLoginModule")

    @Test(
        "Every authenticator is known by its class, whatever package it is in",
        arguments: [
            ("com.worklight.core.auth.ext.FormBasedAuthenticator", "form"),
            ("com.worklight.core.auth.ext.BasicAuthenticator", "basic(realm: \"R\")"),
            ("com.worklight.core.auth.ext.HeaderAuthenticator", "header"),
            ("com.worklight.core.auth.ext.PersistentCookieAuthenticator", "persistentCookie"),
            ("com.worklight.integration.auth.AdapterAuthenticator", "adapter(login: A.login, logout: A.logout)"),
            ("lamplighter.BearerAuthenticator", "bearer"), ("FormBasedAuthenticator", "form"),
        ])
    func authenticators(name: String, kind: String) throws {
        let parameters = ["login-function": "A.login", "logout-function": "A.logout"]
        let (realms, problems) = try read(
            realms: RealmTestProject.realm("R", name, package: "", parameters), modules: Self.believing)
        let realm = try #require(realms["R"])
        let text: String =
            switch realm.authenticator {
            case .form: "form"
            case .basic(let name): "basic(realm: \"\(name)\")"
            case .header: "header"
            case .adapter(let login, let logout): "adapter(login: \(login), logout: \(logout?.description ?? ""))"
            case .persistentCookie: "persistentCookie"
            case .bearer: "bearer"
            case .certificate: "certificate"
            case .script: "script"
            case .unavailable: "unavailable"
            }
        #expect(text == kind)
        #expect(problems.filter { $0.severity != .note }.isEmpty)
    }

    /// The test `T`, which a procedure of the adapter names, with the realm `R`.
    private static let active =
        "<customSecurityTest name='T'><test realm='R' isInternalUserID='true'/></customSecurityTest>"

    @Test(
        "A realm's problem is an error when a security test in use needs it, and else a note",
        arguments: [
            (active, ProjectError.Severity.error), ("", .note),
            ("<customSecurityTest name='Unused'><test realm='R'/></customSecurityTest>", .note),
            ("<customSecurityTest name='OfScript'><test realm='R'/></customSecurityTest>", .error),
            ("<webSecurityTest name='OfApp'><testUser realm='R'/></webSecurityTest>", .error),
        ])
    func severity(test: String, severity: ProjectError.Severity) throws {
        for (realm, module) in [
            ("FormBasedAuthenticator", "SingleIdentityLoginModule"), ("FormBasedAuthenticator", "MyLoginModule"),
            ("MyAuthenticator", "NonValidatingLoginModule"),
        ] {
            let project = try RealmTestProject(
                tests: test, realms: RealmTestProject.realm("R", realm), modules: RealmTestProject.module(module),
                applications: [
                    "App": RealmTestProject.application("<android version='1.0' securityTest='OfApp'/>")
                ],
                script: "WL.Server.createEventSource({ name: 'E', securityTest: 'OfScript' }); function open() {}")
            let problems = RealmReader.read(
                project.project, services: .using(TestDirectory(passwords: [:]))
            ).problems
            #expect(problems.map(\.severity) == [severity], "\(problems)")
        }
    }

    @Test("Studio's template, whose console has no credentials and guards a static resource, has no error")
    func template() throws {
        let project = try RealmTestProject(
            tests: """
                <customSecurityTest name="WorklightConsole"><test realm="WorklightConsole" isInternalUserID="true"/></customSecurityTest>
                """,
            realms: RealmTestProject.realm("WorklightConsole", "FormBasedAuthenticator"),
            modules: RealmTestProject.module(
                "SingleIdentityLoginModule", ["username": "${console.username}", "password": "${console.password}"]))
        let (realms, problems) = RealmReader.read(
            project.project, services: .using(TestDirectory(passwords: [:])))
        #expect(project.project.problems.filter { $0.file.hasSuffix("authenticationConfig.xml") } == [])
        #expect(problems.map(\.severity) == [.note])
        #expect(problems.first?.place == "server/conf/authenticationConfig.xml:9")
        #expect(problems.first?.message.contains("${console.password} is not defined") == true, "\(problems)")
        // Nobody logs in with the placeholder for a name.
        guard case .unavailable? = realms["WorklightConsole"]?.loginModule else { throw UnexpectedCallError() }
    }

    @Test("A placeholder without a value in a login module in use is an error, and nobody passes it")
    func unresolved() throws {
        let project = try RealmTestProject(
            tests: Self.active, realms: RealmTestProject.realm("R", "FormBasedAuthenticator"),
            modules: RealmTestProject.module("SingleIdentityLoginModule", ["username": "u", "password": "${secret}"]))
        let (realms, problems) = RealmReader.read(
            project.project, services: .using(TestDirectory(passwords: [:])))
        #expect(problems.map(\.severity) == [.error])
        #expect(problems.first?.message.contains("${secret} is not defined; add a line secret=…") == true)
        guard case .unavailable? = realms["R"]?.loginModule else { throw UnexpectedCallError() }
    }

    @Test("Basic's own realm name is the one for the browser")
    func basicName() throws {
        let (realms, _) = try read(
            realms: RealmTestProject.realm("R", "BasicAuthenticator", ["basic-realm-name": "Front door"]),
            modules: Self.believing)
        guard case .basic(let name)? = realms["R"]?.authenticator else { throw UnexpectedCallError() }
        #expect(name == "Front door")
    }

    @Test(
        "An unknown authenticator is reported with its line, and lets nobody in",
        arguments: ["com.example.MyAuthenticator", "example.BearerAuthenticator", "com.worklight.WASLTPARealm"])
    func unknownAuthenticator(name: String) throws {
        let (realms, problems) = try read(
            realms: RealmTestProject.realm("R", name, package: ""), modules: Self.believing)
        guard case .unavailable? = realms["R"]?.authenticator else { throw UnexpectedCallError() }
        let problem = try #require(problems.first)
        #expect(problem.place == "server/conf/authenticationConfig.xml:6")
        #expect(problem.message.contains(name))
    }

    @Test("An adapter's realm without a login function is reported", arguments: [nil, "login", "A.", ".login", ""])
    func noLoginFunction(function: String?) throws {
        let (realms, problems) = try read(
            realms: RealmTestProject.realm(
                "R", "AdapterAuthenticator", function.map { ["login-function": $0] } ?? [:]),
            modules: Self.believing)
        guard case .unavailable? = realms["R"]?.authenticator else { throw UnexpectedCallError() }
        #expect(problems.contains { $0.message.contains("expected Adapter.function") && $0.line == 6 })
    }

    @Test(
        "Every login module is known by its class",
        arguments: [
            ("com.worklight.core.auth.ext.NonValidatingLoginModule", "nonValidating"),
            ("com.worklight.core.auth.ext.RejectingLoginModule", "rejecting"),
            ("com.worklight.core.auth.ext.SingleIdentityLoginModule", "single ann:pw"),
            ("com.worklight.core.auth.ext.HeaderLoginModule", "header X-User X-Name"),
            ("com.worklight.core.auth.ext.LdapLoginModule", "directory"),
            ("com.worklight.core.auth.ext.RDBMSLoginModule", "directory"),
            ("lamplighter.PasswordFileLoginModule", "directory"), ("lamplighter.OpenIDConnectLoginModule", "openID"),
        ])
    func modules(name: String, kind: String) throws {
        let parameters = [
            "username": "ann", "password": "pw", "user-name-header": "X-User", "display-name-header": "X-Name",
            "ldapProviderUrl": "ldaps://x", "issuer": "https://example.com",
        ]
        let (realms, problems) = try read(
            realms: RealmTestProject.realm("R", "BasicAuthenticator"),
            modules: RealmTestProject.module(name, package: "", parameters))
        #expect(describe(try #require(realms["R"]).loginModule) == kind)
        #expect(problems.isEmpty)
    }

    private func describe(_ module: LoginModule) -> String {
        switch module {
        case .nonValidating: "nonValidating"
        case .singleIdentity(let user, let password): "single \(user):\(password)"
        case .rejecting: "rejecting"
        case .header(let user, let name): "header \(user) \(name ?? "")"
        case .directory: "directory"
        case .openID: "openID"
        case .none: "none"
        case .script: "script"
        case .certificate: "certificate"
        case .unavailable: "unavailable"
        }
    }

    @Test(
        "An unusable login module is reported with its line, and lets nobody in",
        arguments: [
            (
                "com.example.MyModule",
                "com.example.MyModule is Java; write it in JavaScript: 'lamplighter new authenticator MyModule'"
            ),
            (
                "example.PasswordFileLoginModule",
                "'lamplighter new authenticator PasswordFileLoginModule' makes server/authentication/"
            ),
            ("com.worklight.core.auth.ext.HeaderLoginModule", "it has no 'user-name-header'"),
            ("com.worklight.core.auth.ext.LdapLoginModule", "ldapProviderUrl"),
            ("com.worklight.core.auth.ext.SingleIdentityLoginModule", "console.username and console.password"),
            ("lamplighter.OpenIDConnectLoginModule", "issuer"),
        ])
    func unknownModule(name: String, reason: String) throws {
        let (realms, problems) = try read(
            realms: RealmTestProject.realm("R", "BasicAuthenticator"),
            modules: RealmTestProject.module(name, package: ""))
        #expect(describe(try #require(realms["R"]).loginModule) == "unavailable")
        let problem = try #require(problems.first)
        #expect(problem.line == 9)
        #expect(problem.message.contains(reason))
    }

    @Test("The one user of a project is named in worklight.properties")
    func singleIdentity() throws {
        let (realms, _) = try read(
            realms: RealmTestProject.realm("R", "BasicAuthenticator"),
            modules: RealmTestProject.module("SingleIdentityLoginModule"),
            files: ["server/conf/worklight.properties": "console.username=ann\nconsole.password=pw\n"])
        #expect(describe(try #require(realms["R"]).loginModule) == "single ann:pw")
    }

    @Test("A project's own class beside an adapter's realm is not needed")
    func adapterModule() throws {
        let (realms, problems) = try read(
            realms: RealmTestProject.realm("R", "AdapterAuthenticator", ["login-function": "A.login"]),
            modules: RealmTestProject.module("com.example.Mine", package: ""))
        #expect(describe(try #require(realms["R"]).loginModule) == "none")
        #expect(problems.isEmpty)
    }

    @Test("A realm without a login module has none")
    func noModule() throws {
        let (realms, _) = try read(realms: RealmTestProject.realm("R", "BasicAuthenticator", module: "Nowhere"))
        #expect(describe(try #require(realms["R"]).loginModule) == "none")
    }

    @Test("A problem of a module that two realms have is reported once")
    func once() throws {
        let (_, problems) = try read(
            realms: RealmTestProject.realm("R", "BasicAuthenticator")
                + RealmTestProject.realm("S", "BasicAuthenticator"),
            modules: RealmTestProject.module("com.example.Mine", package: ""))
        #expect(problems.count == 1)
    }

    @Test(
        "The module sets how long a login holds",
        arguments: [
            ("", Duration.seconds(3600)), ("expirationInSeconds=\"-1\"", nil),
            ("expirationInSeconds=\"90\"", .seconds(90)),
        ] as [(String, Duration?)])
    func expiration(attributes: String, expiration: Duration?) throws {
        let (realms, _) = try read(
            realms: RealmTestProject.realm("R", "BasicAuthenticator"),
            modules: RealmTestProject.module("NonValidatingLoginModule", attributes: attributes))
        #expect(try #require(realms["R"]).expiration == expiration)
    }

    @Test("The project's own login page is shown", arguments: ["server/conf", "server/webapp", "server"])
    func page(folder: String) throws {
        let (page, problems) = try loginPage("login.html", files: ["\(folder)/login.html": "Mine: j_security_check"])
        #expect(page.html() == "Mine: j_security_check")
        #expect(problems.isEmpty)
    }

    @Test("The standard login page is shown by default, without a problem")
    func standardPage() throws {
        let (page, problems) = try loginPage(nil)
        #expect(page == .standard)
        #expect(problems.isEmpty)
    }

    @Test("A login page that clients would not recognize is reported, and the standard one is shown")
    func unknownPage() throws {
        let (page, problems) = try loginPage("login.html", files: ["server/conf/login.html": "<form action='x'>"])
        #expect(page == .standard)
        #expect(problems.first?.severity == .warning)
        #expect(problems.first?.line == 6)
        #expect(problems.first?.message.contains("j_security_check") == true)
    }

    @Test(
        "A login page from elsewhere is not shown",
        arguments: ["nowhere.html", "../../secret.html", "../adapters/A/A.xml", "", "/etc/passwd"])
    func foreignPage(name: String) throws {
        let (page, problems) = try loginPage(name, files: ["secret.html": "j_security_check"])
        #expect(page == .standard)
        #expect(problems.first?.severity == .note)
    }

    @Test(
        "reports an unsupported authenticator with the remedy",
        arguments: [
            ("TrusteerAuthenticator", "remove the realm from the security tests"),
            ("UserCertificateAuthenticator", "tls.clientAuthorities"),
        ])
    func remedies(name: String, remedy: String) throws {
        let (_, problems) = try read(realms: RealmTestProject.realm("R", name), modules: Self.believing)
        #expect(problems.count == 1 && problems[0].message.contains(remedy))
    }

    @Test("A realm of device provisioning causes no problem, and its test requires the device alone")
    func provisioning() throws {
        let test = try RealmTestProject(
            tests: "<customSecurityTest name='T'><test realm='R'/></customSecurityTest>",
            realms: RealmTestProject.realm("R", "DeviceAutoProvisioningAuthenticator"),
            modules: RealmTestProject.module("DeviceAutoProvisioningLoginModule"))
        #expect(RealmReader.read(test.project, services: .using(TestDirectory(passwords: [:]))).problems == [])
        let requirements = SecurityPolicy(project: test.project, allowsTools: false).requirements(ofTest: "T")
        #expect(requirements == SecurityRequirements(device: true))
    }

    @Test("A login module that is still the template is an error at the line that refuses every login")
    func unwrittenModule() throws {
        let template =
            "function login(data) {\n    password = data.password;\n    // Check it.\n    throw new Error(\"Own: the password is not checked yet\");\n}"
        let test = try RealmTestProject(
            tests: Self.active, realms: RealmTestProject.realm("R", "FormBasedAuthenticator"),
            modules: RealmTestProject.module("Own", package: "com.acme."),
            files: ["server/authentication/Own.js": template])
        let problems = RealmReader.read(test.project, services: .using(TestDirectory(passwords: [:]))).problems
        #expect(problems.map(\.place) == ["server/authentication/Own.js:4"] && problems[0].severity == .error)
    }

    @Test("A login module whose author has replaced the template's line causes no problem")
    func written() throws {
        let script =
            "function login(data) {\npassword = data.password;\nif (password == 'x') return true;\n"
            + "throw new Error('Own: the password is not checked yet');\n}"
        let test = try RealmTestProject(
            tests: Self.active, realms: RealmTestProject.realm("R", "FormBasedAuthenticator"),
            modules: RealmTestProject.module("Own", package: "com.acme."),
            files: ["server/authentication/Own.js": script])
        #expect(RealmReader.read(test.project, services: .using(TestDirectory(passwords: [:]))).problems == [])
    }

    @Test("login-page beside auth-redirect is a warning, and auth-redirect counts")
    func bothPages() throws {
        let (realms, problems) = try read(
            realms: RealmTestProject.realm(
                "R", "FormBasedAuthenticator", ["login-page": "a.html", "auth-redirect": "http://h/login"]),
            modules: Self.believing)
        guard case .form(let form)? = realms["R"]?.authenticator else { throw UnexpectedCallError() }
        #expect(form.redirect == .url("http://h/login"))
        #expect(problems.map(\.severity) == [.warning] && problems[0].message.contains("exclude each other"))
    }

    @Test("a cookie-name that no cookie can have is refused", arguments: ["JSESSIONID", "a;b", "a b", "a=b"])
    func cookieName(name: String) throws {
        let (realms, problems) = try read(
            realms: RealmTestProject.realm("R", "PersistentCookieAuthenticator", ["cookie-name": name]),
            modules: Self.believing)
        guard case .unavailable? = realms["R"]?.authenticator else { throw UnexpectedCallError() }
        #expect(problems.first?.message.contains("cookie-name") == true)
    }

    private func loginPage(
        _ name: String?, files: [String: String] = [:]
    ) throws -> (page: LoginPage, problems: [ProjectError]) {
        let (realms, problems) = try read(
            realms: RealmTestProject.realm("R", "FormBasedAuthenticator", name.map { ["login-page": $0] } ?? [:]),
            modules: Self.believing, files: files)
        guard case .form(let form)? = realms["R"]?.authenticator else { throw UnexpectedCallError() }
        return (form.page, problems)
    }

    private struct UnexpectedCallError: Error {}
}
