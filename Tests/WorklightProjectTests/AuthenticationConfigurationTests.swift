import TestSupport
import Testing
import WorklightProject

@Suite("authenticationConfig.xml")
struct AuthenticationConfigurationTests {
    private func read(_ contents: String, adapter: String = "") throws -> Project {
        let xml = """
            <tns:loginConfiguration xmlns:tns="http://www.worklight.com/auth/config"
                xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
            \(contents)
            </tns:loginConfiguration>
            """
        let folder = try TemporaryFolder([
            "server/conf/authenticationConfig.xml": xml, "adapters/A/A-impl.js": "",
            "adapters/A/A.xml": adapterXML("A").replacing("</wl:adapter>", with: "\(adapter)</wl:adapter>"),
        ])
        return withExtendedLifetime(folder) { Project(reading: folder.url) }
    }

    @Test("Static resources, realms and login modules are read with every attribute")
    func model() throws {
        let project = try read(
            """
            <staticResources><resource id="console" securityTest="T"><urlPatterns>/console*;/x</urlPatterns></resource>
            </staticResources>
            <securityTests><customSecurityTest name="T"/></securityTests>
            <realms><realm name="R" loginModule="M"><className>c.A</className><onLoginUrl>/in</onLoginUrl>
            <parameter name="login-function" value="A.onAuthRequired"/></realm></realms>
            <loginModules><loginModule name="M" audit="true" expirationInSeconds="-1" canBeResourceLogin="true"
            isIdentityAssociationKey="true" ssoDeviceLoginModule="S"><className>c.L</className>
            <parameter name="p" value="v"/></loginModule><loginModule name="N"><className>c.N</className></loginModule>
            </loginModules>
            """)
        #expect(project.problems == [])
        let configuration = project.authentication
        #expect(configuration.staticResources[0].urlPatterns == ["/console*", "/x"])
        #expect(
            configuration.staticResources[0].id == "console" && configuration.staticResources[0].securityTest == "T")
        let realm = try #require(configuration.realm(named: "R"))
        #expect(realm.loginModule == "M" && realm.className == "c.A" && realm.onLoginURL == "/in")
        #expect(realm.parameter("login-function") == "A.onAuthRequired")
        let module = try #require(configuration.loginModule(named: "M"))
        #expect(module.isAudited && module.canBeResourceLogin && module.isIdentityAssociationKey)
        #expect(module.expiration == -1 && module.ssoDeviceLoginModule == "S" && module.parameter("p") == "v")
        #expect(configuration.loginModule(named: "N")?.expiration == 3600)
    }

    private static let realm = "<realms><realm name='R'><className>c</className></realm></realms>"

    @Test("A custom test has its realms, steps and internal ids")
    func custom() throws {
        let configuration = try read(
            """
            <securityTests><customSecurityTest name="T"><test realm="wl_antiXSRFRealm" step="1"/>
            <test realm="R" step="2" isInternalUserID="true"/>
            <test realm="wl_deviceNoProvisioningRealm" isInternalDeviceID="true" mode="m"/></customSecurityTest>
            </securityTests>\(Self.realm)
            """
        ).authentication
        let tests = try #require(configuration.securityTest(named: "T")).tests
        #expect(tests.map(\.realm) == ["wl_antiXSRFRealm", "R", "wl_deviceNoProvisioningRealm"])
        #expect(tests.map(\.step) == [1, 2, nil])
        #expect(tests[2].mode == "m")
        #expect(configuration.userRealm(ofSecurityTest: "T") == "R")
        #expect(tests.map(\.isInternalDeviceID) == [false, false, true])
    }

    @Test("Mobile and web tests are their realms, with those that they test implicitly")
    func predefined() throws {
        let configuration = try read(
            """
            <securityTests><mobileSecurityTest name="M"><testAppAuthenticity/><testDeviceId provisioningType="auto"/>
            <testUser realm="R"/><testDirectUpdate mode="perSession"/></mobileSecurityTest>
            <webSecurityTest name="W"><testUser realm="R"/></webSecurityTest></securityTests>\(Self.realm)
            """
        ).authentication
        #expect(
            configuration.securityTest(named: "M")?.tests.map(\.realm) == [
                "wl_antiXSRFRealm", "wl_remoteDisableRealm", "wl_authenticityRealm", "wl_deviceAutoProvisioningRealm",
                "R", "wl_directUpdateRealm",
            ])
        #expect(configuration.securityTest(named: "M")?.tests.last?.mode == "perSession")
        #expect(configuration.userRealm(ofSecurityTest: "W") == "R")
        #expect(configuration.userRealm(ofSecurityTest: "none") == nil)
    }

    @Test(
        "A reference to an undefined name is reported at its line",
        arguments: [
            (
                "<securityTests><customSecurityTest name='T'>\n<test realm='X'/></customSecurityTest></securityTests>",
                4, "'X'"
            ),
            (
                "<realms><realm name='R' loginModule='M'><className>c</className></realm></realms>", 3,
                "login module 'M'"
            ),
            (
                "<realms><realm name='R'><className>c</className><parameter name='login-function' value='B.f'/></realm></realms>",
                3, "login-function of the realm 'R' is 'B.f'"
            ),
            ("<realms><realm name='R'/></realms>", 3, "no 'className'"),
            ("<realms><realm/></realms>", 3, "no 'name'"),
            ("<securityTests><customSecurityTest name='wl_unprotected'/></securityTests>", 3, "built in"),
            (
                "<securityTests><webSecurityTest name='T'/>\n<webSecurityTest name='T'/></securityTests>", 4,
                "on line 3 already"
            ),
            ("<securityTests><webSecurityTst name='T'/></securityTests>", 3, "is not a security test"),
            ("<realm/>", 3, "is 'realms' meant?"),
            ("<loginModules><loginModule name='M' expirationInSeconds='soon'/></loginModules>", 3, "'soon'"),
        ])
    func wrong(contents: String, line: Int, reason: String) throws {
        let problem = try #require(try read(contents).problems.first)
        #expect(problem.file == "server/conf/authenticationConfig.xml")
        #expect(problem.line == line)
        #expect(problem.message.contains(reason))
    }

    @Test("A procedure with an undefined security test is reported, and wl_unprotected is always defined")
    func procedures() throws {
        let project = try read(
            "", adapter: "<procedure name='a' securityTest='T'/><procedure name='b' securityTest='wl_unprotected'/>")
        #expect(
            project.problems.map(\.message) == [
                "the security test 'T' is not defined in server/conf/authenticationConfig.xml; there are none"
            ])
    }

    @Test("A file that is malformed is reported, and the adapters are loaded")
    func malformed() throws {
        let project = try read("<realms>")
        #expect(project.problems.count == 1 && project.problems[0].severity == .error)
        #expect(project.adapters.count == 1)
    }
}
