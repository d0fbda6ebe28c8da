import AdapterSyntax
import TestSupport
import Testing

@Suite("Random edits")
struct FuzzTests {
    private static let pieces: [String] = [
        "(", ")", "[", "]", "{", "}", "<", ">", "/", "=", "=>", "'", "\"", "`", "${", ";", ",", ":", "::", ".", "..",
        "...", "@", "?", "?.", "#", "\\", "\n", " ",
        "/*", "*/", "//", "<!--", "-->", "</", "/>", "++", "-", "*", "**", "!", "&&", "??", "=", "+=", "0", "1n", "0x",
        "a", "é", "😀", "\u{2028}",
        "yield", "let", "async", "await", "each", "for", "for each (", "in", "of", "if", "else", "catch (e if ",
        "function ", "return ", "class ", "const ",
        "var ", "default xml namespace = ", "new ", "typeof ", "get ", "static ", "xml", "case ", "break", "with (",
        "do ", "while (", "<a>", "</a>", "<![CDATA[",
    ]

    /// Scripts with one to three changes.
    private func variants(count: Int, seed: UInt64) -> [String] {
        var numbers = SeededNumbers(state: seed)
        let seeds = Scripts.good + Scripts.rhino + Scripts.adapters
        return (0..<count).map { _ in
            var text = Array((seeds.randomElement(using: &numbers) ?? "").unicodeScalars)
            for _ in 0..<Int.random(in: 1...3, using: &numbers) {
                let at = Int.random(in: 0...text.count, using: &numbers)
                switch Int.random(in: 0..<4, using: &numbers) {
                case 0 where at < text.count:
                    text.removeSubrange(at..<min(text.count, at + Int.random(in: 1...4, using: &numbers)))
                case 1:
                    let other = Array((seeds.randomElement(using: &numbers) ?? "").unicodeScalars)
                    let from = Int.random(in: 0...other.count, using: &numbers)
                    let to = min(other.count, from + Int.random(in: 0...20, using: &numbers))
                    text.insert(contentsOf: other[from..<to], at: at)
                default:
                    text.insert(contentsOf: (Self.pieces.randomElement(using: &numbers) ?? "").unicodeScalars, at: at)
                }
            }
            return String(String.UnicodeScalarView(text))
        }
    }

    @Test(
        "Every source ends in a tree or an error, and trees hold together",
        arguments: TestExtent.size(0..<2, full: 0..<8)
    )
    func trees(seed: Int) throws {
        for source in variants(count: 400, seed: UInt64(seed)) {
            guard let tree = try? SyntaxTree(source, file: "A.js") else { continue }
            check(tree)
            _ = ScriptFacts(tree)
        }
    }

    private func check(_ tree: SyntaxTree) {
        tree.walk(
            from: tree.root,
            enter: { id in
                var end = tree.range(id).start
                for child in tree.children(id) where !child.isAbsent {
                    let range = tree.range(child)
                    // A property written short is key and value at once.
                    let isShort = [.property, .propertyPattern].contains(tree.kind(id))
                    if !tree.range(id).contains(range) || range.start > range.end || range.start < end && !isShort {
                        Issue.record("\(tree.kind(child)) in \(tree.kind(id)) is misplaced in \(tree.source.text)")
                    }
                    end = range.end
                }
                return true
            }, leave: { _ in })
    }

    @Test(
        "The engine's scripts parse here, and the translation's scripts parse in the engine",
        arguments: TestExtent.size(8..<9, full: 8..<16))
    func agreement(seed: Int) async throws {
        let sources = variants(count: 400, seed: UInt64(seed))
        let engine = try Engine()
        let accepted = try await engine.reads(sources)
        var results: [(source: String, result: String)] = []
        for (source, isAccepted) in zip(sources, accepted) {
            do {
                let tree = try SyntaxTree(source, file: "A.js")
                guard let translation = try? Translation(of: tree) else { continue }
                // A script that the engine refuses for its own reasons, as strict mode's rules, may be translated wrongly.
                if isAccepted {
                    results.append((source, translation.source))
                    results.append((source, InstrumentedScript(tree).source))
                }
                #expect(lines(translation.source) == lines(source))
            } catch {
                #expect(!isAccepted, "\(error) in:\n\(source)")
            }
        }
        for (item, isAccepted) in zip(results, try await engine.reads(results.map(\.result))) where !isAccepted {
            Issue.record("\(item.source)\nbecame\n\(item.result)")
        }
    }

    private func lines(_ text: String) -> Int { text.unicodeScalars.count { $0 == "\n" } }
}
