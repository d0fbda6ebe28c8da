import AdapterChecks
import Foundation
import Testing
import WorklightProject

@Suite("docs/checking-a-project.md")
struct PageCheckTests {
    @Test("has a table with every existing id, and no other, in the same order")
    func ids() throws {
        let page = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().appending(path: "docs/checking-a-project.md")
        let text = try String(contentsOf: page, encoding: .utf8)
        let rows = text.matches(of: /(?m)^\| `([a-z-]+)` \|/).map { String($0.1) }
        #expect(rows == CheckID.allCases.map(\.rawValue))
    }
}
