import AdapterRuntime
import JavaScriptEngine
import TestSupport
import Testing

/// Native work that can last: each kind that a script can start. Its CPU time is the call's.
@Suite("Native work of a call")
struct NativeWorkTests {
    private static var settings: RuntimeSettings {
        var settings = RuntimeSettings.patient
        settings.calls.cpuTime = .milliseconds(300)
        return settings
    }

    /// Catches the failure, as a script does that goes on.
    private static let runSQL = """
        function run(text) {
            try { WL.Server.invokeSQLStatement({ preparedStatement: text, parameters: [] }); } catch (e) {}
            return 'went on';
        }
        """

    @Test(
        "in SQLite ends with the call's CPU time",
        arguments: [
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n",
            """
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)
            SELECT sum(length(printf('%16000000d', i))) FROM n
            """,
            "SELECT count(*) FROM generated a, generated b, generated c, generated d",
        ])
    func sqlite(statement: String) async throws {
        let project = try await TestProject(
            Self.runSQL,
            connectivity: """
                <connectivity><connectionPolicy xsi:type="sql:SQLConnectionPolicy"><dataSourceDefinition>
                <url>jdbc:sqlite:data.db</url></dataSourceDefinition></connectionPolicy></connectivity>
                """, settings: Self.settings)
        for setUp in [
            "CREATE TABLE generated (i)",
            "INSERT INTO generated WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 10000) SELECT i FROM n",
        ] { #expect(await project.call(#"["\#(setUp)"]"#).contains("went on")) }
        let result = await project.call(#"["\#(statement.replacing("\n", with: " "))"]"#)
        #expect(result.contains("(cpuTime) of 300 ms"), "\(result)")
    }

    @Test(
        "in a stylesheet ends with the call's CPU time",
        arguments: [
            "<xsl:value-of select='count(//*[//*[//*[//*]/@a]/@a])'/>",
            "<xsl:for-each select='//*'><xsl:for-each select='//*'><xsl:for-each select='//*'/></xsl:for-each></xsl:for-each>",
        ])
    func stylesheet(content: String) async throws {
        let items = String(repeating: "<i/>", count: 20_000)
        let server = try LoopbackServer { _ in .ok("<r>\(items)</r>", type: "text/xml") }
        let project = try await TestProject(
            files: [
                "adapters/A/A.xml": adapterXML("A", connectivity: httpConnectivity(port: server.port)),
                "adapters/A/A-impl.js": """
                function run() {
                    try {
                        WL.Server.invokeHttp({
                            method: 'get', path: '/', transformation: { type: 'xslFile', xslFile: 'a.xsl' } });
                    } catch (e) {}
                    return 'went on';
                }
                """,
                "adapters/A/a.xsl": """
                <xsl:stylesheet version='1.0' xmlns:xsl='http://www.w3.org/1999/XSL/Transform'>
                <xsl:template match='/'>\(content)</xsl:template></xsl:stylesheet>
                """,
            ], settings: Self.settings)
        let result = await project.call()
        #expect(result.contains("(cpuTime) of 300 ms"), "\(result)")
    }
}
