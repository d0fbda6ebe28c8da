import Foundation
import TestSupport
import Testing
import WorklightProject

@Suite("worklight.properties")
struct WorklightPropertiesTests {
    private func read(_ text: String) -> [String: String] {
        Dictionary(uniqueKeysWithValues: WorklightProperties(parsing: text).entries.map { ($0.key, $0.value) })
    }

    @Test(
        "Java's ways to write a property are read",
        arguments: [
            ("a.b=1", ["a.b": "1"]), ("a.b = 1 ", ["a.b": "1 "]), ("a:1", ["a": "1"]), ("a 1", ["a": "1"]),
            ("# no\n! no\n\na=1", ["a": "1"]), ("a=1,\\\n   2", ["a": "1,2"]), ("a\\ b=1", ["a b": "1"]),
            ("a=x\\u00e9\\ty", ["a": "xé\ty"]), ("a=1\r\nb=2\r\n", ["a": "1", "b": "2"]), ("a", ["a": ""]),
            ("url=http://x:80/?q=1", ["url": "http://x:80/?q=1"]), ("a=c:\\\\d", ["a": "c:\\d"]),
        ])
    func formats(text: String, expected: [String: String]) {
        #expect(read(text) == expected)
    }

    @Test("The last of a key that occurs twice counts")
    func duplicate() {
        #expect(read("a=1\na=2") == ["a": "2"])
    }

    @Test("Characters beyond U+FFFF are two escapes, joined")
    func surrogates() {
        #expect(read("a=\\uD83D\\uDE00!") == ["a": "😀!"])
    }

    @Test("A malformed escape, and a repeated key, are reported with their lines")
    func oddities() throws {
        let folder = try TemporaryFolder([
            "adapters/.keep": "", WorklightProperties.path: "a=\\u+123\nb=1\nb=2\n",
        ])
        let project = Project(reading: folder.url)
        #expect(
            project.problems.map(\.description) == [
                "server/conf/worklight.properties:1: warning: \\u must be followed by four hexadecimal digits, not by "
                    + "'+123'; it is taken unchanged",
                "server/conf/worklight.properties:3: warning: 'b' is set on line 2 already; this one counts",
            ])
        #expect(project.properties["a"] == "\\u+123")
    }

    @Test("A file in Latin-1 is read, and so is one in UTF-8 with a byte order mark")
    func encodings() throws {
        let folder = try TemporaryFolder(["adapters/.keep": ""])
        let file = folder.url.appending(path: WorklightProperties.path)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data([0x61, 0x3D, 0xE9]).write(to: file)
        #expect(Project(reading: folder.url).properties["a"] == "é")
        try Data("\u{FEFF}a=é".utf8).write(to: file)
        #expect(Project(reading: folder.url).properties["a"] == "é")
    }

    @Test("A file in UTF-16 with a byte order mark is read")
    func utf16() throws {
        let folder = try TemporaryFolder([WorklightProperties.path: "", "adapters/.keep": ""])
        try ("\u{FEFF}a=é\nb=€\n".data(using: .utf16LittleEndian) ?? Data())
            .write(to: folder.url.appending(path: WorklightProperties.path))
        let properties = Project(reading: folder.url).properties
        #expect(properties["a"] == "é" && properties["b"] == "€")
    }

    @Test("A value may name the machine's address; another of its keys is a note")
    func localKeys() throws {
        let folder = try TemporaryFolder([
            "adapters/.keep": "",
            WorklightProperties.path: "publicWorkLightHostname=${local.IPAddress}\nx=${local.nobodyKnows}\n",
        ])
        let project = Project(reading: folder.url)
        #expect(project.properties["publicWorkLightHostname"]?.wholeMatch(of: /\d+(\.\d+){3}/) != nil)
        #expect(
            project.problems.map(\.description) == [
                "server/conf/worklight.properties:2: note: x: ${local.nobodyKnows} is not defined"
            ])
    }

    @Test("A value may name other properties; one that names itself is an error, an undefined name a note")
    func expansion() throws {
        let folder = try TemporaryFolder([
            "adapters/.keep": "",
            WorklightProperties.path: "host=h\nurl=http://${host}/${host}\nx=${y}\ny=${x}\nz=${none}\n",
        ])
        let project = Project(reading: folder.url)
        #expect(project.properties["url"] == "http://h/h")
        #expect(project.problems.map(\.line) == [3, 4, 5])
        #expect(project.problems[0].message.contains("in a circle"))
        #expect(project.problems[2].message == "z: ${none} is not defined")
        #expect(project.problems.map(\.severity) == [.error, .error, .note])
        #expect(project.properties["z"] == nil && project.properties.entries.last?.value == "${none}")
    }

    @Test("Placeholders that multiply a value are replaced once each, up to a limit")
    func multiplied() throws {
        let lines = (0..<400).map { "a\($0)=${a\($0 + 1)}${a\($0 + 1)}" } + ["a400=x"]
        let folder = try TemporaryFolder([
            "adapters/.keep": "", WorklightProperties.path: lines.joined(separator: "\n"),
        ])
        let project = Project(reading: folder.url)
        #expect(project.properties["a397"] == "xxxxxxxx")
        #expect(
            project.problems.contains {
                $0.message == "a380: the value has more than 65536 bytes with its placeholders replaced"
            })
    }

    @Test("a variable of the environment overrides a property, adds one, and fills placeholders")
    func environment() throws {
        let folder = try TemporaryFolder([
            "adapters/.keep": "", WorklightProperties.path: "my.host=a\nurl=http://${my.host}/${DB_USER}\n",
        ])
        let project = Project(
            reading: folder.url,
            environment: [
                "LAMPLIGHTER_PROPERTY_MY_HOST": "b", "DB_USER": "u", "LAMPLIGHTER_PROPERTY_JNDI_JDBC_X_URL": "jdbc:x",
            ])
        #expect(project.properties["url"] == "http://b/u")
        #expect(project.properties.dataSource(jndiName: "jdbc/x")?.url == "jdbc:x")
        #expect(project.problems.isEmpty)
    }

    @Test("a project does not read the server's own settings from the environment")
    func serverSettings() throws {
        let folder = try TemporaryFolder(["adapters/.keep": "", WorklightProperties.path: "a=${LAMPLIGHTER_STORE}"])
        let project = Project(reading: folder.url, environment: ["LAMPLIGHTER_STORE": "secret"])
        #expect(project.properties["a"] == nil && project.problems.map(\.severity) == [.note])
    }

    @Test("an undefined placeholder of a property is an error where the property is read")
    func readProperty() throws {
        let folder = try TemporaryFolder([
            WorklightProperties.path: "host=${nobody}\n", "adapters/A/A.xml": Self.http("${host}"),
            "adapters/A/A-impl.js": "",
        ])
        let problems = Project(reading: folder.url, environment: [:]).problems.filter { $0.severity == .error }
        #expect(problems.count == 1 && problems[0].file == "adapters/A/A.xml")
        #expect(problems[0].message.hasPrefix("${nobody} is not defined"))
    }

    @Test("an encrypted property is reported with the remedy, at its line and where it is needed")
    func encrypted() throws {
        let folder = try TemporaryFolder([
            WorklightProperties.path: "a=1\nback.host.enc=dR4lnMQDaNEQyLQl7b2RmpdE99HKpqaSJ6mce0uJgaY\\=\n",
            "adapters/A/A.xml": Self.http("${back.host}"), "adapters/A/A-impl.js": "",
        ])
        let advice = """
            back.host.enc is encrypted, and Lamplighter cannot decrypt it; write back.host=… in clear, or as ${VARIABLE} of the \
            environment, or set LAMPLIGHTER_PROPERTY_BACK_HOST
            """
        #expect(
            Project(reading: folder.url, environment: [:]).problems.map(\.description) == [
                "adapters/A/A.xml:2: error: ${back.host} is not defined: \(advice)",
                "server/conf/worklight.properties:2: note: \(advice)",
            ])
        let project = Project(reading: folder.url, environment: ["LAMPLIGHTER_PROPERTY_BACK_HOST": "b"])
        #expect(project.problems.isEmpty)
    }

    private static func http(_ domain: String) -> String {
        """
        <wl:adapter xmlns:wl="http://www.worklight.com/integration" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" name="A">
        <connectivity><connectionPolicy xsi:type="http:HTTPConnectionPolicyType"><domain>\(domain)</domain>
        </connectionPolicy></connectivity></wl:adapter>
        """
    }

    @Test(
        "custom-db properties of 5.0 define data sources, with any prefix of the name",
        arguments: ["jdbc/shop", "java:comp/env/jdbc/shop", "java:/jdbc/shop"])
    func customDatabase(name: String) {
        let properties = WorklightProperties(
            parsing: """
                custom-db.1.relative-jndi-name=jdbc/other
                custom-db.1.url=jdbc:other
                custom-db.2.relative-jndi-name= jdbc/shop
                custom-db.2.driver=com.mysql.jdbc.Driver
                custom-db.2.url=jdbc:mysql://h/shop
                custom-db.2.username=u
                custom-db.2.password=p
                """)
        #expect(
            properties.dataSource(jndiName: name)
                == SQLDataSourceDefinition(url: "jdbc:mysql://h/shop", user: "u", password: "p"))
        #expect(properties.dataSource(jndiName: "jdbc/nothing") == nil)
    }

    @Test("the advice for a data source without a definition can be pasted, colons escaped")
    func dataSourceAdvice() {
        let advice = WorklightProperties.dataSourceAdvice(jndiName: "java:x/a:b c")
        let line = advice.split(separator: " ", maxSplits: 1)[1].prefix { $0 != "," }
        let properties = WorklightProperties(parsing: String(line))
        #expect(properties.entries.map(\.key) == ["jndi.x/a:b c.url"])
    }
}
