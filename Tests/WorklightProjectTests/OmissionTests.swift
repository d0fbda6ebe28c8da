import TestSupport
import Testing
import WorklightProject

@Suite("Features of a project that Lamplighter does not have")
struct OmissionTests {
    private func omissions(
        tests: String, realms: String = "", modules: String = "", environments: String = "", test: String = "T"
    ) throws -> [ProjectError] {
        let folder = try TemporaryFolder([
            "adapters/A/A-impl.js": "",
            "adapters/A/A.xml": """
            <adapter xmlns="http://www.ibm.com/mfp/integration" name="A"><procedure name="run" securityTest="\(test)"/></adapter>
            """,
            "apps/App/application-descriptor.xml": """
            <application xmlns="http://www.worklight.com/application-descriptor" id="App">
            \(environments)
            </application>
            """,
            "server/conf/authenticationConfig.xml": """
            <tns:loginConfiguration xmlns:tns="http://www.worklight.com/auth/config">
            <securityTests>
            \(tests)
            </securityTests>
            <realms>\(realms)</realms><loginModules>\(modules)</loginModules>
            </tns:loginConfiguration>
            """,
        ])
        let problems = Project(reading: folder.url).problems
        #expect(problems.allSatisfy { $0.severity == .note || $0.message.contains("'T'") })
        return problems.filter(\.isOmission)
    }

    private static let realm = "<realm name='R' loginModule='M'><className>c.FormBasedAuthenticator</className></realm>"
    private static let module = "<loginModule name='M'><className>c.RejectingLoginModule</className></loginModule>"

    @Test(
        "Each is a note at its line in a security test in use",
        arguments: [
            ("<mobileSecurityTest name='T'><testUser realm='R' sso='true'/></mobileSecurityTest>", "single sign-on"),
            ("<mobileSecurityTest name='T'><testAppAuthenticity/></mobileSecurityTest>", "modified applications pass"),
            (
                "<customSecurityTest name='T'><test realm='wl_authenticityRealm'/></customSecurityTest>",
                "modified applications"
            ),
            (
                "<mobileSecurityTest name='T'><testDeviceId provisioningType='auto'/></mobileSecurityTest>",
                "issues none"
            ),
            (
                "<mobileSecurityTest name='T'><testDeviceId provisioningType='custom' realm='P'/></mobileSecurityTest>",
                "issues none"
            ),
            ("<customSecurityTest name='T'><test realm='P'/></customSecurityTest>", "issues none"),
        ])
    func notes(test: String, message: String) throws {
        let provisioning =
            "<realm name='P' loginModule='M'><className>c.DeviceAutoProvisioningAuthenticator</className></realm>"
        let found = try omissions(tests: test, realms: Self.realm + provisioning, modules: Self.module)
        #expect(found.map(\.place) == ["server/conf/authenticationConfig.xml:3"])
        #expect(found.first?.severity == .note && found.first?.message.contains(message) == true)
    }

    @Test("A security test that nothing names has none")
    func unused() throws {
        let test = "<mobileSecurityTest name='U'><testAppAuthenticity/></mobileSecurityTest>"
        #expect(try omissions(tests: test, test: "wl_unprotected") == [])
    }

    @Test("ssoDeviceLoginModule of a login module in use is one")
    func singleSignOnModule() throws {
        let module =
            "<loginModule name='M' ssoDeviceLoginModule='D'><className>c.RejectingLoginModule</className></loginModule>"
        let test = "<customSecurityTest name='T'><test realm='R' isInternalUserID='true'/></customSecurityTest>"
        let found = try omissions(tests: test, realms: Self.realm, modules: module)
        #expect(found.map(\.line) == [5] && found[0].message.contains("single sign-on"))
    }

    @Test(
        "An environment with pages that are not in the project is one, and one of devices is not",
        arguments: [("mobileWebApp", 1), ("desktopBrowser", 1), ("iphone", 0), ("windows8", 0)])
    func pages(environment: String, count: Int) throws {
        let found = try omissions(
            tests: "", environments: "<\(environment) version='1.0'/>", test: "wl_unprotected")
        #expect(found.map(\.place) == Array(repeating: "apps/App/application-descriptor.xml:2", count: count))
        #expect(found.allSatisfy { $0.message.contains("apps/App/\(environment)/www is missing") })
    }

    @Test("An environment whose pages are in the project is none")
    func ownPages() throws {
        let folder = try TemporaryFolder([
            "apps/App/application-descriptor.xml": """
            <application id="App" xmlns="http://www.worklight.com/application-descriptor"><mobileWebApp version="1.0"/>\
            <mainFile>start.html</mainFile></application>
            """, "apps/App/mobileWebApp/www/default/index.html": "",
        ])
        let project = Project(reading: folder.url, environment: [:])
        #expect(!project.problems.contains { $0.isOmission } && project.applications.first?.mainFile == "start.html")
    }

    @Test("A mainFile that is a path is a warning, and does not count")
    func mainFile() throws {
        let folder = try TemporaryFolder([
            "apps/App/application-descriptor.xml": """
            <application id="App" xmlns="http://www.worklight.com/application-descriptor">
            <mainFile>../../secret</mainFile></application>
            """
        ])
        let project = Project(reading: folder.url, environment: [:])
        let warnings = project.problems.filter { $0.severity == .warning }
        #expect(warnings.map(\.place) == ["apps/App/application-descriptor.xml:2"])
        #expect(project.applications.first?.mainFile == nil)
    }
}

@Suite("Context roots in the files of applications")
struct ContextRootTests {
    private func problems(_ files: [String: String], _ root: String = "/") throws -> [ProjectError] {
        let folder = try TemporaryFolder(files)
        return Project(reading: folder.url).contextRootProblems(root)
    }

    private static let properties = "wlServerHost = 10.0.0.1\nwlServerContext = /Shop/\n"
    private static let plist = "<dict>\n<key>wlServerContext</key>\n<string>/Shop/</string>\n</dict>"

    @Test(
        "A file that names another root is a warning with the setting",
        arguments: [("apps/A/wlclient.properties", properties), ("apps/A/iphone/native/worklight.plist", plist)])
    func other(path: String, text: String) throws {
        let found = try problems([path: text])
        #expect(found.map(\.place) == ["\(path):2"])
        #expect(found.first?.message.contains("set contextRoot: /Shop in lamplighter.yaml") == true)
    }

    @Test(
        "The root of the setting causes no problem, with and without a slash at its end",
        arguments: ["/Shop", "/Shop/"])
    func same(root: String) throws {
        #expect(try problems(["apps/A/wlclient.properties": Self.properties], root) == [])
    }

    @Test("A placeholder of the build causes no problem")
    func placeholder() throws {
        #expect(try problems(["apps/A/wlclient.properties": "wlServerContext = ${root}\n"]) == [])
    }

    @Test("A comment names no root")
    func comment() throws {
        let text = "# wlServerContext = /Old/\n  wlServerContext: /Shop/\n"
        #expect(try problems(["apps/A/wlclient.properties": text]).map(\.line) == [2])
        #expect(try problems(["apps/A/wlclient.properties": text], "/Shop") == [])
    }

    @Test("Apps with different roots are named together, since a server has one")
    func several() throws {
        let files = [
            "apps/A/wlclient.properties": Self.properties, "apps/B/wlclient.properties": "wlServerContext = /Other/\n",
        ]
        let found = try problems(files, "/Shop")
        #expect(found.map(\.file) == ["apps/B/wlclient.properties"])
        #expect(found.first?.message.contains("the apps name /Other, /Shop") == true)
    }
}
