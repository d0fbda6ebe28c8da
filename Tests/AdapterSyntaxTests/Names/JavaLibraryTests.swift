import AdapterSyntax
import Foundation
import Testing

@Suite("Java's supported library")
struct JavaLibraryTests {
    private func page(_ name: String) throws -> String {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        return try String(contentsOf: root.appending(path: name), encoding: .utf8)
    }

    @Test("docs/rhino.md lists the methods that work, and no other, and names the roots")
    func listed() throws {
        let text = try page("docs/rhino.md")
        let section = try #require(text.split(separator: "\n## ").first { $0.hasPrefix("Java\n") })
        let rows = section.matches(of: /(?m)^\| `([\w.]+)` \|/).map { String($0.1) }
        #expect(rows == JavaLibrary.Member.allCases.map(\.rawValue))
        let sentence = try #require(section.firstMatch(of: /Names under ([^;]*?) can be named/)).1
        #expect(sentence.matches(of: /`(\w+)`/).map { String($0.1) } == JavaLibrary.roots)
    }

    @Test("adapters/worklight.d.ts declares the roots")
    func declared() throws {
        let text = try page("adapters/worklight.d.ts")
        let declared = text.matches(of: /(?m)^declare var (\w+): any;/).map { String($0.1) }
        #expect(Set(declared).isSuperset(of: JavaLibrary.roots))
    }

    @Test("adapters/worklight.d.ts and docs/adapter-api.md name every method and class that works")
    func named() throws {
        for name in ["adapters/worklight.d.ts", "docs/adapter-api.md"] {
            let text = try page(name)
            for member in JavaLibrary.Member.allCases where member != .toFormattedStringOfIntegration {
                #expect(text.contains("`\(member.rawValue)`"), "\(name)")
            }
        }
    }

    @Test("The class of each supported method is listed in its package")
    func packages() {
        #expect(
            JavaLibrary.packages(of: "JSObjectConverter").sorted() == [
                "com.worklight.common.js.util", "com.worklight.server.integration.api",
            ])
        #expect(JavaLibrary.packages(of: "System") == ["java.lang"])
        #expect(JavaLibrary.packages(of: "Nothing") == [])
    }

    @Test(
        "A class of Java's has its replacement in one sentence",
        arguments: [
            ("new java.util.Date", "write new Date()"), ("java.util.UUID.randomUUID", "write an id of the back end's"),
            ("new java.util.HashMap()", "write an object, {}, or new Map()"),
            ("java.lang.Thread.sleep", "write a poll of an event source: a script cannot wait"),
            ("com.acme.Crypto.sign", "write it in JavaScript, or call a service over HTTP"),
        ])
    func replacement(path: String, start: String) {
        #expect(JavaLibrary.replacement(for: path).hasPrefix(start))
    }
}
