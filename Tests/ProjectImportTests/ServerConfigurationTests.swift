import Foundation
import TestSupport
import Testing
import WorklightProject

@testable import ProjectImport

@Suite("Import of Liberty's server.xml", .defaultTimeLimit)
struct ServerConfigurationTests {
    private static let war = TestArchive([
        ("WEB-INF/classes/conf/worklight.properties", "publicWorkLightPort=10080\nbackend.host=old.example.com\n")
    ])

    private static let server = """
        <server>
            <variable name="db.host" value="db.example.com"/>
            <httpEndpoint id="defaultHttpEndpoint" httpPort="9080" httpsPort="9443"/>
            <keyStore id="defaultKeyStore" location="resources/security/key.jks" password="{xor}LDo8LTor"/>
            <application id="shop" location="${server.config.dir}/apps/shop.war" type="war" context-root="/shop"/>
            <application id="console" location="worklightconsole.war" type="war" context-root="/worklightconsole"/>
            <jndiEntry jndiName="shop/publicWorkLightPort" value="9443"/>
            <jndiEntry jndiName="shop/backend.host" value='"new.example.com"'/>
            <jndiEntry jndiName="worklightconsole/ibm.worklight.topology" value="Standalone"/>
            <library id="MySQLLib"><fileset dir="${shared.resource.dir}/mysql" includes="mysql-connector-java.jar"/></library>
            <dataSource jndiName="jdbc/orders">
                <jdbcDriver libraryRef="MySQLLib"/>
                <properties databaseName="ORDERS" serverName="${db.host}" user="jo" password="{xor}LDo8LTor"/>
            </dataSource>
            <dataSource jndiName="jdbc/prices">
                <jdbcDriver libraryRef="DB2Lib"/><properties.db2.jcc databaseName="PRICES" serverName="db2" portNumber="50001" user="al" password="{aes}AAAA"/>
            </dataSource>
            <dataSource jndiName="shop/jdbc/WorklightDS"><properties databaseName="WRKLGHT" user="wl" password="wl-password"/></dataSource>
        </server>
        """

    private func imported(_ folder: ImportFolder, server: String = server) throws -> ImportReport {
        try folder.run([try folder.add("server.xml", Data(server.utf8)), try folder.add("shop.war", Self.war)])
    }

    @Test(
        "The context root, the JNDI entries and the data sources become settings and properties, which win over those of the archive"
    )
    func project() throws {
        let folder = try ImportFolder()
        let report = try imported(folder)
        #expect(try folder.text("lamplighter.yaml").hasSuffix("\ncontextRoot: /shop\n"))
        let properties = Project(reading: folder.project, environment: [:]).properties
        #expect(properties["publicWorkLightPort"] == "9443" && properties["backend.host"] == "new.example.com")
        let orders = try #require(properties.dataSource(jndiName: "jdbc/orders"))
        #expect(
            orders.url == "jdbc:mysql://db.example.com:3306/ORDERS" && orders.user == "jo"
                && orders.password == "secret")
        let prices = try #require(properties.dataSource(jndiName: "jdbc/prices"))
        #expect(prices.url == "jdbc:db2://db2:50001/PRICES" && prices.password == nil)
        #expect(
            report.remarks == [
                "publicWorkLightPort has different values in server/conf/worklight.properties and in server.xml:7: the latter is used",
                "backend.host has different values in server/conf/worklight.properties and in server.xml:8: the latter is used",
                "server.xml:16: the password of jdbc/prices is encrypted; set jndi.jdbc/prices.password in server/conf/worklight.properties",
                "server.xml:3: apps reached the old server at port 9080 (HTTP) and 9443 (HTTPS); set port, and tls.certificate for HTTPS, or have a proxy listen there",
                "server.xml:4: for the certificate in key.jks, import this file too, or run keytool -importkeystore -srckeystore key.jks -destkeystore server.p12 -deststoretype PKCS12; openssl pkcs12 -in server.p12 -nodes -out server.pem; then set tls.certificate and tls.key",
            ])
        #expect(
            report.leftOut == [
                "JNDI entries worklightconsole/… (1): they are for another context root than /shop",
                "dataSource shop/jdbc/WorklightDS: it is the old server's own database",
            ])
    }

    @Test("Passwords are in files that only their owner reads, and in no other file, report or remark")
    func passwords() throws {
        let folder = try ImportFolder()
        let report = try imported(folder)
        let path = ".lamplighter/secrets/jdbc-orders.password"
        #expect(try folder.text(path) == "secret")
        #expect(try folder.permissions(path) == 0o600)
        for text in try folder.paths.filter({ $0 != path }).map(folder.text) + ["\(report)"] {
            for secret in ["secret\"", "=secret", "LDo8LTor", "wl-password"] { #expect(!text.contains(secret)) }
        }
    }

    @Test("Without the project's archive the context root is not known, and the applications are named")
    func unknownApplication() throws {
        let folder = try ImportFolder()
        let report = try folder.run([try folder.add("server.xml", Data(Self.server.utf8))])
        #expect(
            report.remarks.first
                == "server.xml: none of its applications is a given .war file (shop.war at /shop, worklightconsole.war at /worklightconsole); import it together with the project's .war file, or set contextRoot"
        )
    }

    @Test(
        "A file that is not Liberty's configuration is an error with its line, and nothing is written",
        arguments: [
            ("<server>\n<variable>\n</server>", "server.xml:3:10: not well-formed XML"),
            ("<project/>", "server.xml:1: found the element 'project', expected 'server'"),
        ])
    func bad(text: String, message: String) throws {
        let folder = try ImportFolder()
        let file = try folder.add("server.xml", Data(text.utf8))
        let error = try #require(throws: ImportError.self) { try folder.run([file]) }
        #expect(error.description.hasPrefix(message))
        #expect(try folder.others(than: [file]) == [])
    }

    @Test("A value that server.xml replaces is a comment, so that the property is set once")
    func replaced() throws {
        let folder = try ImportFolder()
        _ = try imported(folder)
        let text = try folder.text("server/conf/worklight.properties")
        #expect(text.contains("# Replaced by server.xml: backend.host=old.example.com\n"), "\(text)")
        #expect(Project(reading: folder.project, environment: [:]).problems.filter { $0.severity == .warning } == [])
        #expect(try folder.permissions("server/conf/worklight.properties") == 0o600)
    }

    @Test("A changed server.xml for an existing project is written beside the properties, and reported so")
    func changed() throws {
        let folder = try ImportFolder()
        #expect(try imported(folder).items.contains { $0.outcome == .written("server/conf/worklight.properties") })
        let path = "server/conf/worklight.properties"
        let same = try imported(folder)
        #expect(same.items.filter { $0.source == "server.xml" && $0.outcome == .unchanged(path) }.count == 1)
        let former = try folder.text(path)
        let report = try imported(folder, server: Self.server.replacing("9443\"/>", with: "9444\"/>"))
        #expect(report.items.filter { $0.source == "server.xml" && $0.outcome == .different(path) }.count == 1)
        #expect(try folder.text(path) == former)
        #expect(try folder.text(path + ".imported").contains("publicWorkLightPort=9444"))
        #expect(try folder.permissions(path + ".imported") == 0o600)
    }

    @Test("A data source's driver and credentials may be separate elements")
    func separateElements() throws {
        let folder = try ImportFolder()
        let server = """
            <server><application location="shop.war" context-root="shop"/>
            <jdbcDriver id="mysql" libraryRef="MySQLLib"/><authData id="jo" user="jo" password="{xor}LDo8LTor"/>
            <dataSource jndiName="jdbc/a" jdbcDriverRef="mysql" containerAuthDataRef="jo"><properties databaseName="A" serverName="db"/></dataSource>
            <dataSource jndiName="jdbc/b"><properties.derby.embedded databaseName="B"/><containerAuthData user="al" password="pw-2"/></dataSource>
            </server>
            """
        let report = try imported(folder, server: server)
        let properties = Project(reading: folder.project, environment: [:]).properties
        let first = try #require(properties.dataSource(jndiName: "jdbc/a"))
        #expect(first.url == "jdbc:mysql://db:3306/A" && first.user == "jo" && first.password == "secret")
        #expect(properties["jndi.jdbc/b.user"] == "al" && properties["jndi.jdbc/b.password"] == "pw-2")
        #expect(report.remarks.contains { $0.hasPrefix("server.xml:4: the kind of database of jdbc/b is not known") })
    }

    @Test("A value with line breaks sets its own property only, and such a context root is refused")
    func injection() throws {
        let folder = try ImportFolder()
        let entry = #"<jndiEntry jndiName="shop/a" value="x&#13;b=1&#13;&#10;c=2&#10;d=3"/>"#
        let application = #"<application location="shop.war" context-root="ROOT"/>"#
        _ = try imported(folder, server: "<server>\(application.replacing("ROOT", with: "shop"))\(entry)</server>")
        let properties = Project(reading: folder.project, environment: [:]).properties
        #expect(properties["a"] == "x\rb=1\r\nc=2\nd=3" && ["b", "c", "d"].allSatisfy { properties[$0] == nil })
        let error = #expect(throws: ImportError.self) {
            try imported(
                folder,
                server: "<server>\(application.replacing("ROOT", with: "wl&#10;backEnds:&#10;  token: x"))</server>")
        }
        #expect(error?.description.contains("the context root") == true)
    }
}
