import AdapterRuntime
import TestSupport
import Testing
import WorklightProject

@Suite("Adapter descriptors")
struct AdapterDescriptorTests {
    private func read(_ xml: String, script: String? = "function run() {}") throws -> Project {
        var files = ["adapters/A/A.xml": xml]
        files["adapters/A/A-impl.js"] = script
        let folder = try TemporaryFolder(files)
        return withExtendedLifetime(folder) { Project(reading: folder.url) }
    }

    @Test(
        "Both namespaces are read, with any prefix",
        arguments: [
            #"<wl:adapter xmlns:wl="http://www.worklight.com/integration" name="A"/>"#,
            #"<mfp:adapter xmlns:mfp="http://www.ibm.com/mfp/integration" name="A"/>"#,
            #"<adapter xmlns="http://www.ibm.com/mfp/integration" name="A"/>"#,
            #"<x:adapter xmlns:x="http://www.worklight.com/integration" name="A"></x:adapter>"#,
        ])
    func namespaces(xml: String) throws {
        let project = try read(xml)
        #expect(project.problems == [])
        #expect(project.adapters.map(\.descriptor.name) == ["A"])
    }

    @Test("Procedures and the connection policy are read")
    func contents() throws {
        let project = try read(
            """
            <wl:adapter xmlns:wl="http://www.worklight.com/integration" name="A"
                xmlns:http="http://www.worklight.com/integration/http"
                xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
              <displayName> Orders </displayName>
              <connectivity>
                <connectionPolicy xsi:type="http:HTTPConnectionPolicyType">
                  <protocol>https</protocol><domain>example.com</domain><port>8443</port>
                  <socketTimeoutInMilliseconds>500</socketTimeoutInMilliseconds>
                </connectionPolicy>
                <loadConstraints maxConcurrentConnectionsPerNode="2"/>
              </connectivity>
              <procedure name="quick" requestTimeoutInSeconds="2" securityTest="T"/>
              <procedure name="plain"/>
            </wl:adapter>
            """)
        let descriptor = try #require(project.adapters.first?.descriptor)
        #expect(descriptor.displayName == "Orders")
        let http = try #require(descriptor.connectivity.http)
        #expect("\(http.scheme)://\(http.domain ?? ""):\(http.port)" == "https://example.com:8443")
        #expect(http.connectionTimeout == 30_000)
        #expect(http.socketTimeout == 500)
        #expect(descriptor.procedures.map(\.name) == ["quick", "plain"])
        #expect(descriptor.procedures.map(\.requestTimeout) == [2, nil])
        #expect(descriptor.procedures[0].securityTest == "T")
    }

    @Test(
        "What is wrong with an XML file is told with its line",
        arguments: [
            (
                "<wl:adapter xmlns:wl=\"http://www.worklight.com/integration\" name=\"A\">\n<procedure>", "A.xml:2:",
                "closed"
            ),
            ("<adapter name=\"A\"/>", "A.xml:1: error: expected an 'adapter' element of namespace", "no namespace"),
            ("<wl:adapter name=\"A\"/>", "A.xml:1:", "no namespace"),
            ("<wl:adapter xmlns:wl=\"http://www.worklight.com/integration\"\n/>", "A.xml:", "no 'name'"),
            (
                "<wl:adapter xmlns:wl=\"http://www.worklight.com/integration\" name=\"1A\"/>", "A.xml:1:",
                "no adapter name"
            ),
            (
                "<wl:adapter xmlns:wl=\"http://www.worklight.com/integration\" name=\"B\"/>", "A.xml:1:",
                "differs from the file"
            ),
            ("", "A.xml:1:", "empty"),
            ("not XML", "A.xml:1:", "not well-formed"),
            (
                "<wl:adapter xmlns:wl=\"http://www.worklight.com/integration\" name=\"A\">\n<procedure/></wl:adapter>",
                "A.xml:2:", "'name' attribute"
            ),
            (
                "<wl:adapter xmlns:wl=\"http://www.worklight.com/integration\" name=\"A\">\n"
                    + "<procedure name='p' requestTimeoutInSeconds='soon'/></wl:adapter>", "A.xml:2:", "\"soon\""
            ),
            (
                "<!DOCTYPE a [<!ENTITY e \"x\">]>\n"
                    + "<wl:adapter xmlns:wl=\"http://www.worklight.com/integration\" name=\"&e;\"/>", "A.xml:1:",
                "entities are not allowed"
            ),
        ])
    func malformed(xml: String, place: String, reason: String) throws {
        let project = try read(xml)
        let problem = try #require(project.problems.first)
        #expect(problem.description.hasPrefix("adapters/A/" + place))
        #expect(problem.message.contains(reason))
        #expect(problem.severity == .error)
        #expect(project.adapters == [])
    }

    @Test("XML without its script is told, with the file to create")
    func missingScript() throws {
        let project = try read(adapterXML("A"), script: nil)
        #expect(
            project.problems.map(\.description) == [
                "adapters/A/A.xml: error: its implementation adapters/A/A-impl.js is missing; create that file"
            ])
    }

    @Test("A procedure that is declared twice counts once")
    func duplicateProcedure() throws {
        let project = try read(adapterXML("A", procedures: ["run", "run"]))
        #expect(project.adapters.first?.descriptor.procedures.map(\.name) == ["run"])
        #expect(project.problems.map(\.severity) == [.warning])
    }

    @Test("A folder without adapters is told what a project looks like")
    func noProject() throws {
        let folder = try TemporaryFolder()
        let problem = try #require(Project(reading: folder.url).problems.first)
        #expect(problem.description.hasPrefix("adapters: error: there is no such folder in \(folder.path)"))
    }

    @Test("A byte order mark before a script is no part of it")
    func byteOrderMark() async throws {
        let project = try await TestProject("\u{FEFF}function run() { return { ok: 1 } }")
        #expect(await project.call() == #"{"isSuccessful":true,"ok":1}"#)
    }
}
