import Installation
import Logging
import NIOHTTP1
import TestSupport
import Testing

@Suite("Requests below another context root")
struct ContextRootTests {
    private static let files = ["adapters/A/A.xml": adapterXML("A"), "adapters/A/A-impl.js": "function run() {}"]

    private func answer(
        to path: String, root: String, mode: InstallationSettings.Mode = .development, times: Int = 1
    ) async throws -> (text: String, warnings: [String]) {
        let log = LogRecorder()
        let text = AwaitableValue("")
        try await RunningServer.run(
            files: Self.files, log: log,
            change: { settings in
                settings.contextRoot = root
                settings.mode = mode
            }
        ) { server in
            for _ in 0..<times {
                let answer = try await server.send(.GET, path)
                #expect(answer.status == 404)
                text.update { $0 = answer.body }
            }
        }
        return (text.value, log.messages(at: .warning).filter { $0.contains("context root") })
    }

    @Test(
        "get one warning that names the setting, and the hint in development",
        arguments: [
            ("/Shop/apps/services/api/App/android/init", "/", "/Shop"), ("/Shop/invoke", "/wl", "/Shop"),
            ("/apps/services/api/App/android/init", "/wl", "/"), ("/a/b/adapters/A/run", "/", "/a/b"),
        ])
    func hint(path: String, root: String, expected: String) async throws {
        let (text, warnings) = try await answer(to: path, root: root, times: 3)
        let advice = "set contextRoot: \(expected) in lamplighter.yaml"
        #expect(text.contains(advice), "\(text)")
        #expect(warnings.count == 1 && warnings[0].contains(advice), "\(warnings)")
    }

    @Test("get no hint in production")
    func production() async throws {
        let (text, warnings) = try await answer(
            to: "/Shop/apps/services/api/App/android/init", root: "/", mode: .production)
        #expect(text.contains("there is nothing at this path") && !text.contains("contextRoot"))
        #expect(warnings.count == 1)
    }

    @Test(
        "xx", arguments: ["/favicon.ico", "/Shop/apps", "/a/b/c/invoke/x"])
    func others(path: String) async throws {
        #expect(try await answer(to: path, root: "/").warnings == [])
    }
}

@Suite("Warnings at the start about a project")
struct StartWarningTests {
    private static let files = [
        "adapters/A/A-impl.js": "function run() {}",
        "adapters/A/A.xml": """
        <wl:adapter xmlns:wl="http://www.worklight.com/integration" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
            xmlns:sql="http://www.worklight.com/integration/sql" name="A">
        <connectivity><connectionPolicy xsi:type="sql:SQLConnectionPolicy"><dataSourceDefinition>
        <url>jdbc:oracle:thin:@h:1521:x</url></dataSourceDefinition></connectionPolicy></connectivity>
        <procedure name="run" securityTest="T"/></wl:adapter>
        """,
        "server/conf/authenticationConfig.xml": """
        <tns:loginConfiguration xmlns:tns="http://www.worklight.com/auth/config"><securityTests>
        <mobileSecurityTest name="T"><testUser realm="R" sso="true"/></mobileSecurityTest></securityTests>
        <realms><realm name="R" loginModule="M"><className>c.FormBasedAuthenticator</className></realm></realms>
        <loginModules><loginModule name="M"><className>c.NonValidatingLoginModule</className></loginModule></loginModules>
        </tns:loginConfiguration>
        """,
        "apps/App/application-descriptor.xml":
            "<application xmlns=\"http://www.worklight.com/application-descriptor\" id=\"App\"><iphone/></application>",
    ]

    private func warnings(_ mode: InstallationSettings.Mode) async throws -> [String] {
        let log = LogRecorder()
        try await RunningServer.run(files: Self.files, log: log, change: { $0.mode = mode }) { _ in }
        return log.messages(at: .warning)
    }

    @Test("name missing ODBC drivers and features that Lamplighter does not have")
    func development() async throws {
        let found = try await warnings(.development)
        #expect(
            found.contains { $0.hasPrefix("adapters/A/A.xml:4: every SQL call fails on this machine: no ODBC driver") })
        #expect(found.contains { $0.hasPrefix("server/conf/authenticationConfig.xml:2: device single sign-on") })
        #expect(!found.contains { $0.contains("NonValidatingLoginModule") })
    }

    @Test("name realms in production that accept every password")
    func production() async throws {
        let found = try await warnings(.production)
        #expect(found.contains { $0.contains("the realm 'R' accepts every user name") })
    }
}
