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

    @Test("A malformed escape, and a key given twice, are told with their lines")
    func oddities() throws {
        let folder = try TemporaryFolder([
            "adapters/.keep": "", WorklightProperties.path: "a=\\u+123\nb=1\nb=2\n",
        ])
        let project = Project(reading: folder.url)
        #expect(
            project.problems.map(\.description) == [
                "server/conf/worklight.properties:1: warning: \\u must be followed by four hexadecimal digits, not by "
                    + "'+123'; it is taken as it stands",
                "server/conf/worklight.properties:3: warning: 'b' is given on line 2 already; this one counts",
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

    @Test("A value may name the machine's address; another of its keys is a warning")
    func localKeys() throws {
        let folder = try TemporaryFolder([
            "adapters/.keep": "",
            WorklightProperties.path: "publicWorkLightHostname=${local.IPAddress}\nx=${local.nobodyKnows}\n",
        ])
        let project = Project(reading: folder.url)
        #expect(project.properties["publicWorkLightHostname"]?.wholeMatch(of: /\d+(\.\d+){3}/) != nil)
        #expect(
            project.problems.map(\.description) == [
                "server/conf/worklight.properties:2: warning: x: ${local.nobodyKnows} is not defined"
            ])
    }

    @Test("A value may name other properties; one that names itself, or one that is not there, is an error")
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
    }
}
