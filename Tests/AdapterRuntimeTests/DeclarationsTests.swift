import Foundation
import Testing

/// Holds `adapters/worklight.d.ts` and `docs/adapter-api.md` against what scripts really get.
@Suite("worklight.d.ts")
struct DeclarationsTests {
    private static let repository = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    private func text(_ path: String) throws -> String {
        try String(contentsOf: Self.repository.appending(path: path), encoding: .utf8)
    }

    /// Returns `Server.invokeHttp` and so on, each declared on a separate line in its namespace.
    private func declared() throws -> Set<String> {
        var names: Set<String> = []
        var namespace = ""
        for line in try text("adapters/worklight.d.ts").split(separator: "\n") {
            if let match = line.firstMatch(of: /^    namespace (\w+) \{/) { namespace = String(match.1) }
            if let match = line.firstMatch(of: /^        (?:function|const) (\w+)/) {
                names.insert("\(namespace).\(match.1)")
            }
        }
        return names
    }

    private func bound() async throws -> Set<String> {
        let project = try await TestProject(
            """
            function run() {
                var names = [];
                for (var space in WL) for (var name in WL[space]) names.push(space + '.' + name);
                return { names: names.join(), alias: MFP === WL };
            }
            """)
        let answer = await project.call()
        #expect(answer.contains(#""alias":true"#))
        let list = try #require(answer.firstMatch(of: /"names":"([^"]*)"/)).1
        return Set(list.split(separator: ",").map(String.init))
    }

    @Test("The declared names are exactly the names that exist")
    func sameNames() async throws {
        let declared = try declared()
        let bound = try await bound()
        #expect(declared.subtracting(bound).sorted() == [], "declared, but not there")
        #expect(bound.subtracting(declared).sorted() == [], "there, but not declared")
        #expect(declared.count > 50)
    }

    @Test("Every function has a row in the table of docs/adapter-api.md that names its test file")
    func table() throws {
        let table = try text("docs/adapter-api.md")
        for name in try declared().sorted() {
            let row = table.split(separator: "\n").first { $0.hasPrefix("| `WL.\(name)`") }
            let file = row?.split(separator: "|").last.map { $0.trimmingCharacters(in: [" ", "`"]) } ?? ""
            #expect(row != nil, "\(name) is missing")
            let path = Self.repository.appending(path: "Tests/AdapterRuntimeTests/\(file).swift").path
            #expect(FileManager.default.fileExists(atPath: path), "\(name): there is no test file '\(file)'")
        }
    }
}
