import Foundation
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
        "A problem in an XML file is reported with its line",
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
                "not an adapter name"
            ),
            (
                "<wl:adapter xmlns:wl=\"http://www.worklight.com/integration\" name=\"B\"/>", "A.xml:1:",
                "differs from the file"
            ),
            ("", "A.xml:1:", "empty"),
            ("not XML", "A.xml:1:", "not well-formed"),
            (
                "<wl:adapter xmlns:wl=\"http://www.worklight.com/integration\" name=\"A\">\n"
                    + "<JAXRSApplicationClass>com.x.App</JAXRSApplicationClass></wl:adapter>", "A.xml:2:",
                "this is a Java adapter"
            ),
            ("<a>\n<b>A & B</b>\n<c/>\n</a>\n", "A.xml:2:7", "should be written"),
            ("<a>\n<b></c>\n<d/>\n</a>\n", "A.xml:2:", "does not match"),
            ("\n<?xml version='1.0'?>\n<a/>\n", "A.xml:2:", "characters precede <?xml"),
            ("<a>\n<!-- a -- b -->\n</a>\n", "A.xml:2:", "a comment has '--' in it"),
            (
                "<wl:adapter xmlns:wl=\"http://www.worklight.com/integration\" name=\"A\">\n<procedure/></wl:adapter>",
                "A.xml:2:", "'name' attribute"
            ),
            (
                "<wl:adapter xmlns:wl=\"http://www.worklight.com/integration\" name=\"A\">\n"
                    + "<procedure name='p' requestTimeoutInSeconds='soon'/></wl:adapter>", "A.xml:2:", "'soon'"
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

    @Test("XML without its script is reported, with the file to create")
    func missingScript() throws {
        let project = try read(adapterXML("A"), script: nil)
        #expect(
            project.problems.map(\.description) == [
                "adapters/A/A.xml: error: its implementation adapters/A/A-impl.js is missing; create that file"
            ])
    }

    @Test("A script that is a link to nowhere is reported as that")
    func danglingScript() throws {
        let folder = try TemporaryFolder(["adapters/A/A.xml": adapterXML("A")])
        try FileManager.default.createSymbolicLink(
            atPath: folder.path("adapters/A/A-impl.js"), withDestinationPath: "../gone.js")
        #expect(
            Project(reading: folder.url).problems.map(\.description) == [
                "adapters/A/A.xml: error: its implementation adapters/A/A-impl.js is missing; it is a link to "
                    + "../gone.js, which does not exist: fix the link or its target"
            ])
    }

    @Test("A procedure that is declared twice counts once")
    func duplicateProcedure() throws {
        let project = try read(adapterXML("A", procedures: ["run", "run"]))
        #expect(project.adapters.first?.descriptor.procedures.map(\.name) == ["run"])
        #expect(project.problems.map(\.severity) == [.warning])
    }

    @Test("A folder without adapters is reported with the missing folder")
    func noProject() throws {
        let folder = try TemporaryFolder()
        let problem = try #require(Project(reading: folder.url).problems.first)
        #expect(problem.description.hasPrefix("adapters: error: there is no such folder in \(folder.path)"))
    }

    @Test("A byte order mark before a script is not a part of it")
    func byteOrderMark() throws {
        #expect(
            try read(adapterXML("A"), script: "\u{FEFF}function run() {}").adapters[0].script == "function run() {}")
    }

    @Test("Every attribute of a procedure is read")
    func procedure() throws {
        let descriptor = try descriptor(
            of: """
                <procedure name="a" audit="true" connectAs="endUser" requestTimeoutInSeconds="1.5" securityTest="T">
                <displayName>One</displayName><description>Two</description></procedure><procedure name="b"/>
                """, attributes: #"securityTest="Standard""#)
        let procedure = try #require(descriptor.procedures.first)
        #expect(procedure.isAudited)
        #expect(procedure.connectAs == .endUser)
        #expect(procedure.requestTimeout == 1.5)
        #expect(procedure.securityTest == "T")
        #expect(procedure.displayName == "One")
        #expect(procedure.description == "Two")
        #expect(descriptor.procedures[1].connectAs == .server)
        #expect(!descriptor.procedures[1].isAudited)
        #expect(descriptor.procedures[1].securityTest == "Standard")
    }

    @Test("Every element of an HTTP policy is read")
    func httpPolicy() throws {
        let policy = try #require(
            try descriptor(
                of: """
                    <connectivity><connectionPolicy xsi:type="http:HTTPConnectionPolicyType" cookiePolicy="BEST_MATCH"
                        maxRedirects="3">
                    <protocol>https</protocol><domain>example.com</domain>
                    <connectionTimeoutInMilliseconds>1</connectionTimeoutInMilliseconds>
                    <socketTimeoutInMilliseconds>2</socketTimeoutInMilliseconds>
                    <authentication><digest/><serverIdentity><username>u</username><password>p</password></serverIdentity>
                    </authentication>
                    <proxy><protocol>http</protocol><domain>proxy</domain><port>3128</port><authentication><basic/>
                    <serverIdentity><username>pu</username><password>pp</password></serverIdentity></authentication></proxy>
                    <sslCertificateAlias>alias</sslCertificateAlias><sslCertificatePassword>secret</sslCertificatePassword>
                    <maxConcurrentConnectionsPerNode>7</maxConcurrentConnectionsPerNode>
                    </connectionPolicy></connectivity>
                    """
            ).connectivity.http)
        #expect(policy.scheme == "https" && policy.domain == "example.com" && policy.port == 443)
        #expect(policy.connectionTimeout == 1 && policy.socketTimeout == 2)
        #expect(policy.cookiePolicy == .bestMatch && policy.maxRedirects == 3)
        #expect(policy.authentication == HTTPAuthentication(scheme: .digest, username: "u", password: "p"))
        #expect(
            policy.proxy
                == HTTPProxy(
                    host: "proxy", port: 3128,
                    authentication: HTTPAuthentication(scheme: .basic, username: "pu", password: "pp")))
        #expect(policy.sslCertificateAlias == "alias" && policy.sslCertificatePassword == "secret")
        #expect(policy.maxConcurrentConnections == 7)
    }

    @Test(
        "each authentication scheme loads without a serverIdentity; only spnego has a note",
        arguments: ["basic", "digest", "ntlm workstation=\"W\"", "spnego stripPortOffServiceName=\"true\""])
    func schemes(element: String) throws {
        let project = try read(
            adapterXML(
                "A",
                connectivity: """
                    <connectivity><connectionPolicy xsi:type="http:HTTPConnectionPolicyType"><domain>d</domain>
                    <authentication><\(element)/></authentication></connectionPolicy></connectivity>
                    """
            ).replacing(#"name="run""#, with: #"name="run" connectAs="endUser" securityTest="T""#))
        let authentication = try #require(project.adapters.first?.descriptor.connectivity.http?.authentication)
        #expect(element.hasPrefix(authentication.scheme.rawValue) && authentication.serverIdentity == nil)
        let notes = project.problems.filter { $0.severity == .note }.map(\.message)
        #expect(
            notes == (authentication.scheme == .spnego ? [notes.first { $0.contains("spnego (Kerberos)") } ?? ""] : []))
        #expect(project.problems.contains { $0.message.contains("which names no user realm") })
    }

    @Test("A minimal HTTP policy has the original's default values")
    func standardPolicy() throws {
        let policy = try #require(
            try descriptor(of: "<connectivity><connectionPolicy/></connectivity>").connectivity.http)
        #expect(policy == HTTPConnectionPolicy())
        #expect(policy.port == 80 && policy.maxRedirects == 10 && policy.maxConcurrentConnections == 50)
        #expect(policy.connectionTimeout == 30_000 && policy.socketTimeout == 30_000 && policy.cookiePolicy == .rfc2109)
    }

    @Test("A database is defined, or named by JNDI; connections are limited by loadConstraints")
    func sqlPolicy() throws {
        let defined = try #require(
            try descriptor(
                of: """
                    <connectivity><connectionPolicy xsi:type="sql:SQLConnectionPolicy"><dataSourceDefinition>
                    <driverClass>D</driverClass><url>jdbc:mysql://h/d</url><user>u</user><password>p</password>
                    </dataSourceDefinition></connectionPolicy><loadConstraints maxConcurrentConnectionsPerNode="5"/>
                    </connectivity>
                    """
            ).connectivity.sql)
        #expect(
            defined.source
                == .definition(SQLDataSourceDefinition(url: "jdbc:mysql://h/d", user: "u", password: "p")))
        #expect(defined.maxConcurrentConnections == 5)
        let named = try descriptor(
            of: """
                <connectivity><connectionPolicy xsi:type="sql:SQLConnectionPolicy">
                <dataSourceJNDIName>jdbc/x</dataSourceJNDIName></connectionPolicy></connectivity>
                """)
        #expect(named.connectivity.sql?.source == .jndiName("jdbc/x"))
    }

    @Test("JMS and other policies are noted, and the adapter is loaded")
    func unsupportedPolicy() throws {
        let project = try read(
            Self.xml("<connectivity><connectionPolicy xsi:type=\"jms:JMSConnectionPolicyType\"/></connectivity>"))
        #expect(project.adapters[0].descriptor.connectivity == .unsupported(type: "jms:JMSConnectionPolicyType"))
        #expect(project.problems.map(\.severity) == [.note])
    }

    @Test("${key} becomes its value in worklight.properties, in content and attributes")
    func expansion() throws {
        let folder = try TemporaryFolder([
            "adapters/A/A.xml": Self.xml(
                "<connectivity><connectionPolicy><domain>${backend.host}</domain><port>${backend.port}</port>"
                    + "</connectionPolicy></connectivity><procedure name='p' securityTest='${test}'/>"),
            "adapters/A/A-impl.js": "",
            "server/conf/worklight.properties": "backend.host=example.com\nbackend.port=81\ntest=wl_unprotected",
        ])
        let project = Project(reading: folder.url)
        #expect(project.problems == [])
        #expect(project.adapters[0].descriptor.connectivity.http?.domain == "example.com")
        #expect(project.adapters[0].descriptor.connectivity.http?.port == 81)
        #expect(project.adapters[0].descriptor.procedures[0].securityTest == "wl_unprotected")
    }

    @Test("An undefined key is an error at its line that says where to define it")
    func unknownKey() throws {
        let project = try read(Self.xml("\n<procedure name='${nope}'/>"))
        #expect(
            project.problems.map(\.description).first
                == "adapters/A/A.xml:4: error: ${nope} is not defined; add a line nope=… to server/conf/worklight.properties, "
                + "or set the environment variable LAMPLIGHTER_PROPERTY_NOPE"
        )
        #expect(project.adapters == [])
    }

    @Test("An unknown name is a warning at its line, with the closest known one")
    func misspelt() throws {
        let project = try read(
            Self.xml(
                "\n<procedure name='p' requestTimoutInSeconds='3'/>\n<procedur name='q'/>\n"
                    + "<connectivity><connectionPolicy><domian>x</domian></connectionPolicy></connectivity>"))
        #expect(
            project.problems.map(\.description) == [
                "adapters/A/A.xml:4: warning: the attribute 'requestTimoutInSeconds' of 'procedure' is not known and is "
                    + "ignored; is 'requestTimeoutInSeconds' meant?",
                "adapters/A/A.xml:5: warning: the element 'procedur' in 'adapter' is not known and is ignored; is "
                    + "'procedure' meant?",
                "adapters/A/A.xml:6: warning: the element 'domian' in 'connectionPolicy' is not known and is ignored; is "
                    + "'domain' meant?",
            ])
        #expect(project.adapters.count == 1)
    }

    @Test("All errors of a file are reported at once, each at its line")
    func allErrors() throws {
        let project = try read(
            Self.xml(
                "\n<connectivity><connectionPolicy>\n<port>x</port>\n<protocol>ftp</protocol></connectionPolicy>"
                    + "</connectivity>\n<procedure/>\n<procedure name='p' audit='maybe'/>"))
        #expect(project.problems.filter { $0.severity == .error }.map(\.line) == [5, 6, 7, 8])
    }

    @Test("A file whose name differs in case only is named")
    func otherCase() throws {
        let folder = try TemporaryFolder(["adapters/A/A.xml": adapterXML("A"), "adapters/A/A-Impl.js": ""])
        let problem = try #require(Project(reading: folder.url).problems.first)
        #expect(problem.message.contains("adapters/A/A-Impl.js exists: rename it"))
    }

    @Test("A file that is far too large is not read")
    func largeFile() throws {
        let project = try read(adapterXML("A"), script: String(repeating: " ", count: 17 << 20))
        #expect(project.problems.map(\.message) == ["the file has 17 MB; more than 16 MB are not read"])
    }

    @Test("Elements that nest endlessly, and invalid characters, are errors")
    func hostile() throws {
        let deep = String(repeating: "<a>", count: 100_000)
        for xml in [deep, "\u{0}", "<a>\u{1}</a>", "<a b=1/>", "<a>&#0;</a>"] {
            let project = try read(xml)
            #expect(project.adapters == [])
            #expect(project.problems.map(\.severity).contains(.error))
        }
    }

    private func descriptor(of contents: String, attributes: String = "") throws -> AdapterDescriptor {
        let project = try read(Self.xml(contents, attributes: attributes))
        return try #require(project.adapters.first?.descriptor, "\(project.problems)")
    }

    private static func xml(_ contents: String, attributes: String = "") -> String {
        """
        <wl:adapter xmlns:wl="http://www.worklight.com/integration" xmlns:http="http://www.worklight.com/integration/http"
            xmlns:sql="http://www.worklight.com/integration/sql" xmlns:jms="http://www.worklight.com/integration/jms"
            xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" name="A" \(attributes)>\(contents)
        </wl:adapter>
        """
    }
}
