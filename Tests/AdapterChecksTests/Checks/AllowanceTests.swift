import AdapterChecks
import TestSupport
import Testing
import WorklightProject

@Suite("Problems that a comment allows")
struct AllowanceTests {
    @Test(
        "A problem is allowed on its line, or on the line before",
        arguments: [
            "function run() {\n x = 1; // lamplighter:allow implicit-global\n}",
            "function run() {\n // lamplighter:allow implicit-global\n x = 1;\n}",
            "function run() {\r\n // lamplighter:allow implicit-global since it is kept on purpose\r\n x = 1;\r\n}",
            "function run() {\n /* lamplighter:allow unknown-name, implicit-global*/ x = 1;\n}",
        ])
    func allowed(source: String) async throws {
        #expect(try await Checked(source).places == [])
    }

    @Test(
        "A comment elsewhere, or for another check, allows nothing",
        arguments: [
            "// lamplighter:allow implicit-global\nfunction run() {\n x = 1;\n}",
            "function run() {\n x = 1;\n // lamplighter:allow implicit-global\n}",
            "function run() {\n // lamplighter:allow unknown-name\n x = 1;\n}",
            "function run() {\n // lamplighter:allow because implicit-global is fine\n x = 1;\n}",
        ])
    func notAllowed(source: String) async throws {
        #expect(try await Checked(source).problems.map(\.id) == ["implicit-global"])
    }

    @Test("A comment in the adapter's XML does the same there")
    func xml() async throws {
        let xml = """
            <adapter xmlns="http://www.ibm.com/mfp/integration" name="A">
            <!-- lamplighter:allow missing-function-->
            <procedure name="gone"/>
            <procedure name="lost"/>
            </adapter>
            """
        let checked = try await Checked("", files: ["adapters/A/A.xml": xml])
        #expect(checked.places == ["xml:4 missing-function"])
    }
}
