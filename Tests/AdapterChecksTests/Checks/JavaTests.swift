import AdapterChecks
import Testing
import WorklightProject

@Suite("Java behind a name")
struct JavaTests {
    @Test(
        "Java is found behind a variable, a property and an import",
        arguments: [
            ("var Store = com.acme.Store; function run() { return Store.get(1); }", "com.acme.Store.get is"),
            ("var A = { Api: com.x.Api }; var api = new A.Api(); function run() { return api; }", "com.x.Api is"),
            ("var P = com.acme; var Store = P.Store; function run() { return new Store(); }", "com.acme.Store is"),
            ("function run() { var Store = Packages.acme.Store; return Store.get(1); }", "acme.Store.get is"),
            (
                "importPackage(java.util); function run() { return new HashMap(); } // lamplighter:allow rhino-only",
                "java.util.HashMap is"
            ),
            (
                "importClass(java.util.HashMap); function run() { return new HashMap(); } // lamplighter:allow rhino-only",
                "java.util.HashMap is"
            ),
        ])
    func found(source: String, message: String) async throws {
        let checked = try await Checked(source)
        #expect(checked.problems.compactMap(\.id) == ["java-class"])
        #expect(try checked.only(.javaClass).message.hasPrefix(message))
    }

    @Test(
        "What only looks like it, and what works, is none",
        arguments: [
            "var Store = com.acme.Store; function run(Store) { return Store.get(1); }",
            "var Store = com.acme.Store; function run(x) { function in_(Store) { return Store.get(x); } return in_(x); }",
            "var Store = typeof com === 'undefined' ? null : com.acme.Store; function run() { return Store; }",
            "var A = { Api: com.x.Api, get: function () {} }; function run() { return A.get(); }",
            "var out = java.lang.System.out; function run() { out.println(1); }",
            "var C = com.worklight.server.integration.api.JSObjectConverter; function run(x) { return C.toFormattedString(x); }",
            "importPackage(java.util); function run() { return new Date(); } // lamplighter:allow rhino-only",
            "importPackage(java.util); function Item() {} function run() { return new Item(); } // lamplighter:allow rhino-only",
        ])
    func harmless(source: String) async throws {
        #expect(try await Checked(source).problems == [])
    }
}
