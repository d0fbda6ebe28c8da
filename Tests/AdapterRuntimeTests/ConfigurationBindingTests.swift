import TestSupport
import Testing

@Suite("WL.Server.configuration")
struct ConfigurationBindingTests {
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

    @Test("getPropertyValue, of 8.0, reads the same properties")
    func propertyValue() async throws {
        let project = try await TestProject(files: [
            "adapters/A/A.xml": adapterXML("A"),
            "adapters/A/A-impl.js":
                "function run() { return { a: MFP.Server.getPropertyValue('a'), b: MFP.Server.getPropertyValue('b') } }",
            "server/conf/worklight.properties": "a=1",
        ])
        #expect(await project.call() == #"{"isSuccessful":true,"a":"1","b":null}"#)
    }
}
