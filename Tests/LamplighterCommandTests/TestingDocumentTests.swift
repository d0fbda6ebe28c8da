import Foundation
import TestSupport
import Testing

/// Does what docs/testing-adapters.md says, in its order.
@Suite("docs/testing-adapters.md")
struct TestingDocumentTests {
    /// A fenced block, and the paragraphs before it.
    private struct Block {
        let language: String
        let text: String
        let before: String
    }

    @Test("Every command of the walk runs as printed and prints its output as shown", .defaultTimeLimit)
    func walk() async throws {
        let folder = try TemporaryFolder()
        var place = folder.url
        var output = ""
        var all = ""
        var status: Int32 = 0
        for block in try blocks() {
            switch block.language {
            case "sh":
                for line in block.text.split(separator: "\n") {
                    if line.hasPrefix("cd ") {
                        place = place.appending(path: String(line.dropFirst(3)))
                        continue
                    }
                    // On a loaded machine a test may take longer than the default limit.
                    let patient = String(line).replacing("lamplighter test", with: "lamplighter test --timeout 3600")
                    let outcome = try await Command.shell(patient, in: place)
                    (output, status) = (outcome.output, outcome.status)
                    all += output
                }
            case "text":
                let shown = output.replacing(/\ \([0-9.]+ m?s\)/, with: "")
                #expect(shown.contains(block.text), "printed was:\n\(shown)")
            case "js", "xml":
                // `adapters/Prices/Prices.test.js`: the last path before the block.
                let path = try #require(block.before.matches(of: /`(adapters\/[^`]+)`/).last).1
                try Data(block.text.utf8).write(to: place.appending(path: String(path)))
            default: Issue.record("a block of \(block.language), which nobody runs")
            }
        }
        #expect(all.contains("5 passed"))
        // The last command checks what has come of it.
        #expect(status == 0)
    }

    private func blocks() throws -> [Block] {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(
            path: "../../docs/testing-adapters.md")
        let text = try String(contentsOf: file, encoding: .utf8)
        let start = try #require(text.range(of: "\n## From an empty folder")).upperBound
        let end = try #require(text.range(of: "\n## The harness")).lowerBound
        let parts = text[start..<end].components(separatedBy: "```")
        return stride(from: 1, to: parts.count, by: 2).map { index in
            let lines = parts[index].split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
            return Block(language: String(lines[0]), text: String(lines[1]), before: parts[index - 1])
        }
    }
}
