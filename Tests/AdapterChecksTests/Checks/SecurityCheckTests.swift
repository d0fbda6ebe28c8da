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
