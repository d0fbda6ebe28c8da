import Foundation
import Testing

/// Compares docs/contributing/architecture.md with Package.swift, and the files that the pages for contributors name with the sources.
@Suite("The pages for contributors")
struct ArchitectureTests {
    /// The dependencies of each name.
    private typealias Graph = [String: Set<String>]

    private static let repository = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..")
        .standardizedFileURL

    private static func read(_ path: String) throws -> String {
        try String(contentsOf: repository.appending(path: path), encoding: .utf8)
    }

    /// The libraries and programs in `Sources`, with the ones that each depends on. Each target begins on a separate line, with eight
    /// spaces; its first quoted string is its name. Targets elsewhere have a `path`.
    private static func targets() throws -> Graph {
        var quoted: [String: Set<String>] = [:]
        for part in try read("Package.swift").components(separatedBy: "\n        .") {
            guard part.hasPrefix("target(") || part.hasPrefix("executableTarget("), !part.contains("path:") else {
                continue
            }
            let texts = part.matches(of: /"([^"]+)"/).map { String($0.output.1) }
            let name = try #require(texts.first)
            quoted[name] = Set(texts.dropFirst())
        }
        let names = Set(quoted.keys)
        return quoted.mapValues { $0.intersection(names) }
    }

    /// The nodes, each on a separate line, and the arrows, `A --> B & C`.
    private static func picture() throws -> (nodes: Set<String>, edges: [(from: String, to: String)]) {
        let parts = try read("docs/contributing/architecture.md").components(separatedBy: "```")
        let block = try #require(parts.first { $0.hasPrefix("mermaid\n") })
        var nodes: Set<String> = []
        var edges: [(from: String, to: String)] = []
        for line in block.split(separator: "\n").dropFirst() {
            let text = line.trimmingCharacters(in: .whitespaces)
            let sides = text.components(separatedBy: " --> ")
            if sides.count == 2 {
                for end in sides[1].components(separatedBy: " & ") { edges.append((sides[0], end)) }
            } else if !text.contains(" "), text != "end" {
                nodes.insert(text)
            }
        }
        return (nodes, edges)
    }

    private static func graph(_ edges: [(from: String, to: String)]) -> Graph {
        edges.reduce(into: [:]) { graph, edge in graph[edge.from, default: []].insert(edge.to) }
    }

    /// Everything that a name depends on, directly or not.
    private static func dependencies(of name: String, in graph: Graph) -> Set<String> {
        var found: Set<String> = []
        var next = Array(graph[name] ?? [])
        while let dependency = next.popLast() {
            if found.insert(dependency).inserted { next += graph[dependency] ?? [] }
        }
        return found
    }

    @Test("the picture has each library and program of Sources as a node, and no others")
    func nodes() throws {
        let targets = Set(try Self.targets().keys)
        let nodes = try Self.picture().nodes
        #expect(targets.count > 25)
        #expect(targets.subtracting(nodes).sorted() == [], "not in the picture")
        #expect(nodes.subtracting(targets).sorted() == [], "not in Package.swift")
    }

    @Test("each arrow of the picture is a dependency in Package.swift")
    func arrows() throws {
        let targets = try Self.targets()
        let edges = try Self.picture().edges
        #expect(edges.count > 30)
        for edge in edges {
            #expect(Self.dependencies(of: edge.from, in: targets).contains(edge.to), "\(edge.from) --> \(edge.to)")
        }
    }

    @Test("the arrows of the picture lead to each dependency in Package.swift")
    func dependencies() throws {
        let picture = Self.graph(try Self.picture().edges)
        for (name, direct) in try Self.targets() {
            let missing = direct.subtracting(Self.dependencies(of: name, in: picture))
            #expect(missing.sorted() == [], "missing arrows from \(name)")
        }
    }

    @Test("the picture leaves out each arrow that follows from others")
    func fewestArrows() throws {
        let edges = try Self.picture().edges
        for edge in edges {
            let others = Self.graph(edges.filter { $0.from != edge.from || $0.to != edge.to })
            #expect(!Self.dependencies(of: edge.from, in: others).contains(edge.to), "\(edge.from) --> \(edge.to)")
        }
    }

    @Test("the table has a row for each target, and the file to open first exists")
    func table() throws {
        let lines = try Self.read("docs/contributing/architecture.md").split(separator: "\n")
        for name in try Self.targets().keys.sorted() {
            let row = lines.first { $0.hasPrefix("| `\(name)` |") }
            let cells = row?.split(separator: "|").map { $0.trimmingCharacters(in: [" ", "`"]) } ?? []
            #expect(cells.count == 4, "\(name)")
            guard cells.count == 4 else { continue }
            let file = Self.repository.appending(path: "Sources/\(name)/\(cells[2])")
            #expect(FileManager.default.fileExists(atPath: file.path), "\(name): \(cells[2])")
        }
    }

    /// A page names a file as `Sources/Target/File.swift`. A name in backticks right after it, on the same line or the next, is a function,
    /// property or type that the file declares.
    @Test("each file that a page for contributors names exists, and declares the name that follows it")
    func references() throws {
        let folder = Self.repository.appending(path: "docs/contributing")
        var count = 0
        for page in try FileManager.default.contentsOfDirectory(atPath: folder.path) where page.hasSuffix(".md") {
            let text = try Self.read("docs/contributing/\(page)")
            for match in text.matches(of: /`(Sources\/[^`]+\.swift)`(?:\s+`(\w+)`)?/) {
                count += 1
                let path = String(match.output.1)
                guard let source = try? Self.read(path) else {
                    Issue.record("\(page): there is no file \(path)")
                    continue
                }
                guard let name = match.output.2 else { continue }
                let kinds = "func|var|let|struct|class|enum|actor|protocol"
                let declaration = try Regex("(\(kinds)) \(name)(?![A-Za-z0-9_])")
                let isDeclared = source.contains(declaration)
                #expect(isDeclared, "\(page): \(path) declares no \(name)")
            }
        }
        #expect(count > 100)
    }
}
