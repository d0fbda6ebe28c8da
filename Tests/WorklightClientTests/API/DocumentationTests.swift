import Foundation
import Testing

@Suite("docs/client-api.md")
struct DocumentationTests {
    private static let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()

    @Test("Each section of seed 004 from 2.2.1 to 3.5.1 has a row, and each row names existing tests")
    func table() throws {
        let file = Self.tests.deletingLastPathComponent().deletingLastPathComponent().appending(
            path: "docs/client-api.md")
        let rows = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").compactMap {
            line -> [Substring]? in
            let cells = line.split(separator: "|")
            return cells.count == 4 && cells[0].contains(/^\s*\d/) ? cells : nil
        }
        let numbers = Set(rows.map { $0[0].trimmingCharacters(in: .whitespaces) })
        let sections = [
            (2, 1, 2), (2, 2, 14), (2, 3, 2), (2, 4, 2), (2, 5, 5), (2, 6, 8), (2, 7, 3), (2, 8, 1), (2, 9, 8),
            (2, 11, 13),
            (3, 1, 7), (3, 2, 4), (3, 3, 1), (3, 4, 1), (3, 5, 1),
        ].flatMap { chapter, section, last in (1...last).map { "\(chapter).\(section).\($0)" } }
        #expect(Set(sections + ["2.10", "2.12"]).subtracting(numbers) == [])
        for row in rows {
            var source = ""
            var found = 0
            for match in row[3].matches(of: /([A-Z][A-Za-z]+\/[A-Za-z]+)|`([a-zA-Z]+)`/) {
                if let path = match.output.1 {
                    source = try String(contentsOf: Self.tests.appending(path: "\(path).swift"), encoding: .utf8)
                    found += 1
                } else if let name = match.output.2 {
                    #expect(source.contains("func \(name)("), "\(row[0]): no test \(name)")
                }
            }
            #expect(found > 0, "\(row[0]): no test")
        }
    }
}
