import Authentication
import Core
import Testing
import WorklightProject

@Suite("Security tests and what they ask")
struct SecurityPolicyTests {
    private static let tests = """
        <customSecurityTest name="T"><test realm="R" isInternalUserID="true"/></customSecurityTest>\
        <customSecurityTest name="Steps"><test realm="C" step="2"/><test realm="A" step="1"/><test realm="D" step="2"/>\
        <test realm="B"/><test realm="A" step="3"/></customSecurityTest>\
        <customSecurityTest name="Device"><test realm="wl_deviceNoProvisioningRealm" isInternalDeviceID="true"/>\
        </customSecurityTest>\
        <customSecurityTest name="Own"><test realm="Mine" isInternalDeviceID="true"/></customSecurityTest>\
        <customSecurityTest name="BuiltIn"><test realm="wl_antiXSRFRealm"/><test realm="wl_authenticityRealm"/>\
        <test realm="wl_remoteDisableRealm"/><test realm="wl_directUpdateRealm"/></customSecurityTest>\
        <customSecurityTest name="Anonymous"><test realm="wl_anonymousUserRealm" isInternalUserID="true"/></customSecurityTest>\
        <mobileSecurityTest name="Mobile"><testAppAuthenticity/><testDeviceId provisioningType="auto"/>\
        <testUser realm="R"/><testDirectUpdate mode="perSession"/></mobileSecurityTest>\
        <mobileSecurityTest name="Bare"/><webSecurityTest name="Web"><testUser realm="R"/></webSecurityTest>
        """

    private func policy(
        _ environments: String? = "<android version=\"1.0\"/><desktopBrowser version=\"1.0\"/>",
        allowsTools: Bool = false
    ) throws -> SecurityPolicy {
        let applications = environments.map { ["App": RealmTestProject.application($0)] } ?? [:]
        let test = try RealmTestProject(
            tests: Self.tests, realms: RealmTestProject.realm("R", "FormBasedAuthenticator"),
            modules: RealmTestProject.module("NonValidatingLoginModule"), applications: applications)
        return SecurityPolicy(project: test.project, allowsTools: allowsTools)
    }

    private func application(_ environment: String, id: String = "App") -> ClientApplication {
        ClientApplication(id: id, environment: ClientEnvironment(environment), version: "1.0")
    }

    @Test(
        "Each kind of test requires its realms and its device",
        arguments: [
            ("T", SecurityRequirements(userRealms: ["R"])),
            ("Steps", SecurityRequirements(userRealms: ["A", "B", "C", "D"])),
            ("Device", SecurityRequirements(device: true)), ("Own", SecurityRequirements(device: true)),
            ("BuiltIn", SecurityRequirements()),
            ("Anonymous", SecurityRequirements(userRealms: ["wl_anonymousUserRealm"])),
            ("Mobile", SecurityRequirements(device: true, userRealms: ["R"])), ("Bare", SecurityRequirements()),
            ("Web", SecurityRequirements(userRealms: ["R"])), ("wl_unprotected", SecurityRequirements()),
        ])
    func kinds(name: String, requirements: SecurityRequirements) throws {
        #expect(try policy().requirements(ofTest: name) == requirements)
    }

    @Test("An undefined test lets nobody pass", arguments: ["Nowhere", "", "t", "wl_unprotected "])
    func unknownTest(name: String) throws {
        let requirements = try policy().requirements(ofTest: name)
        #expect(
            requirements.obstacle
                == "the security test '\(name)' is not defined in server/conf/authenticationConfig.xml")
    }

    @Test("A missing security test requires nothing")
    func noTest() throws {
        #expect(try policy().requirements(ofTest: nil) == SecurityRequirements())
    }

    @Test("An application requires its environment's test, and on a device the device")
    func application() throws {
        let policy = try policy(
            "<android version=\"1.0\" securityTest=\"T\"/><desktopBrowser version=\"1.0\" securityTest=\"Web\"/>"
                + "<iphone version=\"1.0\"/>")
        #expect(
            policy.admission(of: application("android"))
                == .admitted(SecurityRequirements(device: true, userRealms: ["R"])))
        #expect(
            policy.admission(of: application("DesktopBrowser")) == .admitted(SecurityRequirements(userRealms: ["R"])))
        #expect(policy.admission(of: application("iphone")) == .admitted(SecurityRequirements(device: true)))
    }

    @Test("A native client is admitted by its native descriptor")
    func native() throws {
        let descriptor = """
            <nativeIOSApp id="N" platformVersion="6.2.0.0" version="1.0" securityTest="T"
                xmlns="http://www.worklight.com/native-ios-descriptor"><displayName>N</displayName></nativeIOSApp>
            """
        let test = try RealmTestProject(tests: Self.tests, applications: ["N": descriptor])
        let policy = SecurityPolicy(project: test.project, allowsTools: false)
        #expect(
            policy.admission(of: application("iOSNative", id: "N"))
                == .admitted(SecurityRequirements(device: true, userRealms: ["R"])))
        guard case .unknown = policy.admission(of: application("iphone", id: "N")) else {
            Issue.record("expected that a hybrid client is refused")
            return
        }
    }

    @Test("An unknown name is refused, with the known ones")
    func unknown() throws {
        let policy = try policy()
        #expect(
            policy.admission(of: application("android", id: "Other"))
                == .unknown("there is no application 'Other' here; there are: App"))
        #expect(
            policy.admission(of: application("iphone"))
                == .unknown(
                    "the application 'App' has no environment 'iphone'; its descriptor has: android, desktopBrowser"))
        guard
            case .unknown(let reason) = policy.admission(of: application("x", id: String(repeating: "y", count: 1000)))
        else {
            Issue.record("expected a refusal")
            return
        }
        #expect(reason.count < 200)
    }

    @Test("The tools' own environments are accepted in development only", arguments: ["common", "preview"])
    func tools(environment: String) throws {
        #expect(try policy(allowsTools: true).admission(of: application(environment)) == .admitted(.init()))
        guard case .unknown = try policy().admission(of: application(environment)) else {
            Issue.record("expected a refusal")
            return
        }
    }

    @Test("A project without applications admits none in production")
    func noApplicationsInProduction() throws {
        let policy = try policy(nil, allowsTools: false)
        for environment in ["android", "desktopbrowser"] {
            guard case .unknown = policy.admission(of: application(environment, id: "Any")) else {
                Issue.record("expected a refusal")
                return
            }
        }
    }

    @Test("A project without applications admits every one in development")
    func noApplications() throws {
        let policy = try policy(nil, allowsTools: true)
        #expect(policy.admission(of: application("android", id: "Any")) == .admitted(.init(device: true)))
        #expect(policy.admission(of: application("desktopbrowser", id: "Any")) == .admitted(.init()))
    }

    @Test("The user of a test is the one of its user realm")
    func userRealm() throws {
        let policy = try policy()
        #expect(policy.userRealm(ofTest: "T") == "R")
        #expect(policy.userRealm(ofTest: "Web") == "R")
        #expect(policy.userRealm(ofTest: "Steps") == nil)
        #expect(policy.userRealm(ofTest: "Nowhere") == nil)
    }

    @Test("Requirements add up, each realm once, the first ones first")
    func adding() {
        let sum = SecurityRequirements(userRealms: ["A", "B"])
            .adding(SecurityRequirements(device: true, userRealms: ["C", "A"], obstacle: "x"))
        #expect(sum == SecurityRequirements(device: true, userRealms: ["A", "B", "C"], obstacle: "x"))
    }
}
