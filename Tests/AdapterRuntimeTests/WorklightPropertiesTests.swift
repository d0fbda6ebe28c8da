import AdapterRuntime
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

    @Test("WL.Server.configuration has every property, and cannot be changed")
    func configuration() async throws {
        let project = try await TestProject(files: [
            "adapters/A/A.xml": adapterXML("A"),
            "adapters/A/A-impl.js": """
            function run() {
                var c = WL.Server.configuration;
                c["my.host"] = "changed"; WL.Server.configuration = {};
                return { host: WL.Server.configuration["my.host"], missing: c["nope"] === undefined };
            }
            """,
            "server/conf/worklight.properties": "my.host=example.com",
        ])
        #expect(await project.call() == #"{"isSuccessful":true,"host":"example.com","missing":true}"#)
    }
}
