import AdapterRuntime
import AdapterSyntax
import Testing

/// Holds the names that `check --strict` knows against what scripts really get.
@Suite("Names that the strict check knows")
struct CheckedNamesTests {
    private func names(_ expression: String) async throws -> Set<String> {
        var settings = RuntimeSettings.patient
        settings.scopes.ownRealm = .all
        let project = try await TestProject(
            "function run() { return { names: \(expression).join() }; }", settings: settings)
        let answer = await project.call()
        let list = try #require(answer.firstMatch(of: /"names":"([^"]*)"/), "\(answer)").1
        return Set(list.split(separator: ",").map(String.init))
    }

    @Test("The members of WL are those that scripts get", arguments: ["Server", "Logger", "Geo"])
    func members(space: String) async throws {
        let known = ["Server": RuntimeNames.server, "Logger": RuntimeNames.logger, "Geo": RuntimeNames.geo]
        #expect(try await names("Object.keys(WL.\(space))") == known[space])
    }

    @Test("The names of the top level are those that scripts get")
    func globals() async throws {
        let there = try await names("Object.getOwnPropertyNames(globalThis)").subtracting(["run"])
        let known = RuntimeNames.language.union(RuntimeNames.bindings)
        #expect(known.subtracting(there).sorted() == [], "known, but not there")
        #expect(there.subtracting(known).sorted() == [], "there, but not known")
    }
}
