import TestSupport
import Testing
import WorklightProject

@Suite("SMSConfig.xml")
struct SMSGatewayTests {
    private func read(_ xml: String) throws -> Project {
        let folder = try TemporaryFolder(["server/conf/SMSConfig.xml": xml, "adapters/.keep": ""])
        return withExtendedLifetime(folder) { Project(reading: folder.url) }
    }

    @Test("A gateway is read with every attribute and parameter")
    func gateway() throws {
        let project = try read(
            """
            <sms:config xmlns:sms="http://www.worklight.com/sms/config/SMSConfig.xsd">
            <gateway id="g" hostname="h" port="8080" programName="send" toParamName="number" textParamName="message"
                fromParamName="sender"><parameter name="user" value="u" encode="false"/><parameter name="x" value="y"/></gateway>
            </sms:config>
            """)
        #expect(project.problems == [])
        let gateway = try #require(project.smsGateways.first)
        #expect(gateway.id == "g" && gateway.hostname == "h" && gateway.port == 8080 && gateway.programName == "send")
        #expect(
            gateway.toParamName == "number" && gateway.textParamName == "message")
        #expect(gateway.parameters.map(\.name) == ["user", "x"] && gateway.parameters.map(\.value) == ["u", "y"])
        #expect(gateway.parameters.map(\.encode) == [false, true])
    }

    @Test(
        "A problem in it is reported at its line",
        arguments: [
            ("<sms>\n<gateway id='g'/></sms>", 2, "'hostname'"), ("<sms/>", 1, "no 'gateway'"),
            ("<sms><gateway id='g' hostname='h' port='x'/></sms>", 1, "port is 'x'"),
            ("<sms><gateway id='g' hostname='h'>\n<parameter name='a'/></gateway></sms>", 2, "'value'"),
            ("<sms><gateway id='g' hostname='h'/>\n<gateway id='g' hostname='h'/></sms>", 2, "twice"),
        ])
    func wrong(xml: String, line: Int, reason: String) throws {
        let problem = try #require(try read(xml).problems.first)
        #expect(problem.line == line)
        #expect(problem.message.contains(reason))
    }
}
