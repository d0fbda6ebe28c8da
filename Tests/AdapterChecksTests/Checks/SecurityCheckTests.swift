import AdapterChecks
import TestSupport
import Testing
import WorklightProject

@Suite("Security tests that are missing")
struct SecurityCheckTests {
    private static let files = [
        "server/conf/authenticationConfig.xml": """
        <tns:loginConfiguration xmlns:tns="http://www.worklight.com/auth/config">
        <securityTests><customSecurityTest name="T"><test realm="wl_anonymousUserRealm"/></customSecurityTest></securityTests>
        </tns:loginConfiguration>
        """
    ]

    private func files(procedure attributes: String) -> [String: String] {
        Self.files.merging([
            "adapters/A/A.xml": """
            <adapter xmlns="http://www.ibm.com/mfp/integration" name="A">
            <procedure name="run" \(attributes)/>
            </adapter>
            """
        ]) { first, _ in first }
    }

    @Test(
        "A procedure without a security test is found",
        arguments: [
            ("", ["xml:2 missing-security-test"]), ("securityTest='T'", []), ("securityTest='wl_unprotected'", []),
        ])
    func procedure(attributes: String, places: [String]) async throws {
        #expect(try await Checked("function run() {}", files: files(procedure: attributes)).places == places)
    }

    @Test("warns once for all procedures of an adapter, without those that a comment allows")
    func oncePerAdapter() async throws {
        let names = (1...8).map { "p\($0)" }
        var files = Self.files
        files["adapters/A/A.xml"] = """
            <adapter xmlns="http://www.ibm.com/mfp/integration" name="A">
            <procedure name="open"/><!-- lamplighter:allow missing-security-test -->

            \(names.map { "<procedure name=\"\($0)\"/>" }.joined(separator: "\n"))
            </adapter>
            """
        let script = (["open"] + names).map { "function \($0)() {}" }.joined()
        let checked = try await Checked(script, files: files)
        #expect(checked.places == ["xml:4 missing-security-test"])
        #expect(
            checked.problems[0].message.hasPrefix(
                "8 procedures have no securityTest ('p1', 'p2', 'p3', 'p4', 'p5' and 3 more): every client"))
    }

    @Test(
        "An event source without a security test is found",
        arguments: [
            ("name: 'E'", ["1:1 missing-security-test"]), ("name: 'E', securityTest: 'T'", []),
            ("name: 'E', securityTest: 'wl_unprotected'", []), ("name: 'E', ...rest", []),
            ("name: 'E', securityTest: rest.test", []), ("name: 'E', securityTest: 'U'", ["1:1 unknown-security-test"]),
        ])
    func eventSource(options: String, places: [String]) async throws {
        let checked = try await Checked(
            "WL.Server.createEventSource({ \(options) });\nvar rest = {}; function run() { return rest; }",
            files: files(procedure: "securityTest='T'"))
        #expect(checked.places == places)
    }

    @Test("A project without security tests needs none")
    func noSecurity() async throws {
        #expect(
            try await Checked("WL.Server.createEventSource({ name: 'E', securityTest: 'T' }); function run() {}").places
                == [])
    }

    @Test("A project with an application is")
    func application() async throws {
        let checked = try await Checked(
            "function run() {}",
            files: [
                "apps/App/application-descriptor.xml":
                    "<application id=\"App\" xmlns=\"http://www.worklight.com/application-descriptor\"/>"
            ])
        #expect(checked.places == ["xml:4 missing-security-test"])
    }
}

@Suite("Logins that the server cannot limit, or does not check")
struct LoginCheckTests {
    private func files(
        _ authenticator: String, module: String, script: String = "", comment: String = ""
    ) -> [String: String] {
        [
            "server/conf/authenticationConfig.xml": """
            <tns:loginConfiguration xmlns:tns="http://www.worklight.com/auth/config"><securityTests>
            <customSecurityTest name="T"><test realm="R" isInternalUserID="true"/></customSecurityTest></securityTests><realms>
            \(comment)
            <realm name="R" loginModule="M"><className>com.x.\(authenticator)</className></realm></realms>
            <loginModules><loginModule name="M"><className>com.x.\(module)</className></loginModule></loginModules>
            </tns:loginConfiguration>
            """,
            "adapters/A/A.xml": """
            <adapter xmlns="http://www.ibm.com/mfp/integration" name="A"><procedure name="run" securityTest="T"/></adapter>
            """,
            "server/authentication/Own.js": script,
        ]
    }

    @Test(
        "NonValidatingLoginModule is a warning behind a form and HTTP Basic, not where the authenticator checks the user",
        arguments: [
            ("FormBasedAuthenticator", 1), ("BasicAuthenticator", 1), ("AdapterAuthenticator", 0),
            ("HeaderAuthenticator", 0),
        ])
    func unverified(authenticator: String, count: Int) async throws {
        let files = files(authenticator, module: "NonValidatingLoginModule")
        let found = try await Checked("function run() {}", files: files).problems
        #expect(found.map(\.id) == Array(repeating: "unverified-login", count: count))
        #expect(found.allSatisfy { $0.line == 4 && $0.message.contains("'R' accepts every user name") })
    }

    @Test("A comment allows NonValidatingLoginModule")
    func allowed() async throws {
        let files = files(
            "FormBasedAuthenticator", module: "NonValidatingLoginModule",
            comment: "<!-- lamplighter:allow unverified-login a demo -->")
        #expect(try await Checked("function run() {}", files: files).problems == [])
    }

    @Test(
        "An authenticator's data without a user name is a warning with the setting, if the script is certain",
        arguments: [
            ("return { pin: request.pin };", true), ("var data = {}; data.pin = 1; return data;", true),
            ("return { user: 1 };", false), ("var data = {}; data['username'] = 1; return data;", false),
            ("return collect();", false), ("return kept;", false),
            ("return { cardNumber: username, pin: user };", true), ("return { pin: 1, username };", false),
            ("return { 'user': 1 };", false),
        ])
    func loginKey(body: String, isReported: Bool) async throws {
        let script = "var kept = {};\nfunction getAuthenticationData() { \(body) }"
        let files = files("Own", module: "RejectingLoginModule", script: script)
        let found = try await Checked("function run() {}", files: files).problems
        #expect(found.map(\.place) == (isReported ? ["server/authentication/Own.js:2:1"] : []))
        #expect(found.allSatisfy { $0.message.contains("loginKeys: [R=MEMBER]") })
    }

    @Test("A comment in the authenticator's script allows data without a user name")
    func allowedKey() async throws {
        let script =
            "// lamplighter:allow login-key a PIN alone\nfunction getAuthenticationData() { return { pin: 1 }; }"
        let files = files("Own", module: "RejectingLoginModule", script: script)
        #expect(try await Checked("function run() {}", files: files).problems == [])
    }

    @Test("A realm with a login key gets no advice about it")
    func withKey() async throws {
        let script = "function getAuthenticationData() { return { pin: 1 }; }"
        var all = files("Own", module: "RejectingLoginModule", script: script)
        all["adapters/A/A-impl.js"] = "function run() {}"
        let folder = try TemporaryFolder(all)
        #expect(await StrictCheck.problems(of: Project(reading: folder.url), loginKeys: ["R"]) == [])
    }
}
