import AdapterChecks
import Testing
import WorklightProject

@Suite("Properties that there are not")
struct PropertyTests {
    private static let files = ["server/conf/worklight.properties": "app.host=h\nplain=p"]

    @Test(
        "A key missing in worklight.properties is found, with the closest known one",
        arguments: [
            ("WL.Server.configuration['app.hots']", "is 'app.host' meant?"),
            ("WL.Server.configuration.plan", "is 'plain' meant?"),
            ("MFP.Server.configuration.client_id", "add a line client_id=… there"),
            ("MFP.Server.getPropertyValue('client_id')", "so the value is null"),
            ("settings.client_id", "so the value is undefined"),
        ])
    func found(read: String, message: String) async throws {
        let checked = try await Checked(
            "var settings = WL.Server.configuration; function run() { settings.plain; return 'id=' + \(read); }",
            files: Self.files)
        #expect(checked.problems.compactMap(\.id) == ["missing-property"])
        #expect(try checked.only(.missingProperty).message.contains(message))
    }

    @Test("A project without properties is reported too, once per key")
    func once() async throws {
        let checked = try await Checked(
            "function run() { return WL.Server.configuration.a + WL.Server.configuration.a + WL.Server.configuration.b; }"
        )
        #expect(checked.places == ["1:25 missing-property", "1:81 missing-property"])
    }

    @Test(
        "A key that exists, that the script tests, or that is known only at run time is not reported",
        arguments: [
            "return WL.Server.configuration['app.host'] + WL.Server.configuration.plain;",
            "return WL.Server.configuration.a || 'b';", "return WL.Server.configuration.a ?? 'b';",
            "if (WL.Server.configuration.a) return WL.Server.configuration.a;",
            "return typeof WL.Server.configuration.a;", "return WL.Server.configuration.a === undefined ? 1 : 2;",
            "var a = WL.Server.configuration.a; if (!a) return 1; return a;",
            "return WL.Server.configuration[x];", "return WL.Server.configuration.hasOwnProperty('a');",
            "WL.Server.configuration.a = 1; return WL.Server.configuration.a;",
            "var WL = { Server: { configuration: {} } }; return WL.Server.configuration.a;",
            "return MFP.Server.getPropertyValue(x);",
        ])
    func harmless(body: String) async throws {
        let checked = try await Checked("function run(x) { \(body) }", files: Self.files)
        #expect(checked.problems == [])
    }
}
