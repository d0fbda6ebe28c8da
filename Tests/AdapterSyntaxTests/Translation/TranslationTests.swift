import AdapterSyntax
import Foundation
import JavaScriptEngine
import Testing

@Suite("Translating")
struct TranslationTests {
    @Test("Syntax with the same meaning in the engine is left unchanged", arguments: Scripts.good)
    func untouched(source: String) throws {
        let translation = try translation(source)
        #expect(!translation.isChanged)
        #expect(Array(translation.source.utf8) == Array(source.utf8))
        #expect(translation.helpers.isEmpty)
    }

    @Test("A translation can be read by the engine, and has as many lines", arguments: Scripts.rhino)
    func readable(source: String) async throws {
        // Names on their own stand for nothing outside of a filter, and so on: those few are refused.
        guard let translation = try? translation(source) else { return }
        #expect(translation.isChanged)
        #expect(try await Engine().problem(in: translation.source) == nil, "\(translation.source)")
        #expect(lines(translation.source) == lines(source))
        #expect(throws: Never.self) { try SyntaxTree(translation.source, file: "A.js") }
    }

    private func lines(_ text: String) -> Int { text.split(separator: "\n", omittingEmptySubsequences: false).count }

    @Test(
        "An untranslatable construct is refused, with the position and the remedy",
        arguments: [
            (
                "var a;\nx = @b",
                "A.js:2:5: E4X access: it has no object before it and is not in a filter; let invokeHttp make JSON of the XML (returnedContentType: \"xml\")"
            ),
            (
                "importPackage(scala.json)",
                "A.js:1:15: Java import: of Java's packages only the names under java, javax, com, org, edu, net, Packages exist; Lamplighter has no Java: write JavaScript in place of the classes"
            ),
            (
                "var r = importClass(java.util.Date)",
                "A.js:1:9: Java import: importClass must be a separate statement; Lamplighter has no Java: write JavaScript in place of the classes"
            ),
            (
                "importPackage(Packages); new Foo()",
                "A.js:1:15: Java import: Packages holds packages and no classes: name what is imported, as in java.util; Lamplighter has no Java: write JavaScript in place of the classes"
            ),
            (
                "importClass(java)",
                "A.js:1:13: Java import: java holds packages and no classes: name what is imported, as in java.util.HashMap; Lamplighter has no Java: write JavaScript in place of the classes"
            ),
            (
                "const a = 1;\n[a] = [2]",
                "A.js:2:2: assignment to a const: a is a const and is assigned by a pattern or loop; declare it with let or var, or do not assign to it: Rhino silently did not"
            ),
            (
                "x.function::a",
                "A.js:1:3: E4X access: function:: is not supported; let invokeHttp make JSON of the XML (returnedContentType: \"xml\")"
            ),
            (
                "function f() { 'use strict'; return x.(a == 1) }",
                "A.js:1:40: E4X filter: it does not work in strict mode; let invokeHttp make JSON of the XML (returnedContentType: \"xml\")"
            ),
            (
                "try {} catch ({ a } if a) {}",
                "A.js:1:8: conditional catch: a pattern cannot be caught together with a condition; write one catch, distinguish the errors with if, and rethrow all others"
            ),
            ("__rhino.x", "A.js:1:1: the name __rhino belongs to the translation of Rhino's syntax: use another name"),
        ])
    func refused(source: String, expected: String) throws {
        let refusal = try #require(throws: TranslationError.self) { try translation(source) }
        #expect(refusal.problems.first?.description == expected)
    }

    @Test(
        "Imports of Java's classes declare their replacements",
        arguments: [
            ("importClass(java.util.HashMap);", "var HashMap = java.util.HashMap;"),
            ("importClass(Packages.org.a.B, java.lang.System)", "var B = Packages.org.a.B, System = java.lang.System"),
            (
                "importPackage(java.lang); function f() { System.out.println(1) }",
                "var System = java.lang.System; function f() { System.out.println(1) }"
            ),
            ("importPackage(java.util)", "void 0"),
            ("importPackage(Packages.de.a); new B()", "var B = Packages.de.a.B; new B()"),
            (
                "importPackage(net.sf.json); new JSONObject()",
                "var JSONObject = net.sf.json.JSONObject; new JSONObject()"
            ),
            (
                "importPackage(java.util); importPackage(org.x); new Foo()",
                "var Foo = Packages.Foo; var Foo = Packages.Foo; new Foo()"
            ),
            (
                "importPackage(com.worklight.server.integration.api, java.io); JSObjectConverter.toFormattedString({})",
                "var JSObjectConverter = com.worklight.server.integration.api.JSObjectConverter; JSObjectConverter.toFormattedString({})"
            ),
            ("new JavaAdapter(java.lang.Runnable, {})", "new JavaAdapter(java.lang.Runnable, {})"),
            (
                "with (new JavaImporter(java.util)) new HashMap(new Foo())",
                "with (new (__rhino.importer({\"HashMap\": [\"java.util\"], \"Foo\": []}))(java.util)) new HashMap(new Foo())"
            ),
            ("importClass(Packages.B)", "var B = Packages.B"),
            ("importPackage(org.a); new Foo(), new Date()", "var Foo = org.a.Foo; new Foo(), new Date()"),
            (
                "importPackage(java.util); importPackage(java.io); new File(new HashMap())",
                "var HashMap = java.util.HashMap; var File = java.io.File; new File(new HashMap())"
            ),
        ])
    func imports(source: String, expected: String) throws {
        #expect(try translation(source).source == expected)
    }

    @Test(
        "An error is reported in the script's own line",
        arguments: [
            ("var a = 1;\nfor each (var x in [1])\n  null.y", 3),
            ("var x =\n  <a>\n    <b>{1}</b>\n    <b>{null.y}</b>\n  </a>;", 4),
            ("[\n 2 for each\n (x in\n null.y)]", 4),
            ("try { throw 1 }\ncatch (e if e == 2) { }\ncatch (e if e == 1) {\n null.y }", 4),
            ("let (a = 1,\n b = null.y\n) { }", 2), ("function f(x)\n\n  x.y\nf(null)", 3),
            ("var x = <a/>;\nx.b.(\nnull.c == 1).d;\nx.e = <e/>;\nx.e.(\nnull.c == 1)", 6),
        ])
    func errorLines(source: String, line: Int) async throws {
        guard case .thrown(let summary, let actual) = try await translateAndRun(source) else {
            Issue.record("nothing was thrown")
            return
        }
        #expect(summary.hasPrefix("TypeError: null is not an object"))
        #expect(actual == line)
    }

    @Test(
        "Ends of lines stay as they are",
        arguments: ["\r\n", "\r", "\u{2028}", "\n"])
    func lineEnds(end: String) async throws {
        let lines = ["var a =", "<a b={", "1}>", "<c/>", "</a>; for each", "(var x", "in a.c) {", "null.y }"]
        let source = lines.joined(separator: end)
        let translation = try translation(source)
        #expect(translation.source.ranges(of: end).count == lines.count - 1 || end == "\r\n")
        guard case .thrown(_, let line) = try await translateAndRun(source) else {
            Issue.record("nothing was thrown")
            return
        }
        #expect(line == 8)
    }

    @Test("A filter in a strict script is refused, too")
    func strictScript() throws {
        #expect(throws: TranslationError.self) { try translation("'use strict'; x.(a == 1)") }
    }

    @Test("The examples' adapters are left as they are")
    func examples() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        var count = 0
        for folder in ["examples", "adapters"] {
            let files = FileManager.default.enumerator(
                at: root.appending(path: folder), includingPropertiesForKeys: nil)
            for case let file as URL in try #require(files) where file.pathExtension == "js" {
                // One example is broken on purpose.
                guard !file.path.contains("broken-project") else { continue }
                let source = try String(contentsOf: file, encoding: .utf8)
                let translation = try translation(source)
                #expect(translation.source == source && translation.findings.isEmpty, "\(file.path)")
                count += 1
            }
        }
        #expect(count > 0)
    }

    @Test("An error that passes a conditional catch keeps its line")
    func rethrown() async throws {
        let outcome = try await translateAndRun("var a;\ntry {\n  null.x\n} catch (e if false) {\n}")
        guard case .thrown(_, let line) = outcome else {
            Issue.record("nothing was thrown")
            return
        }
        #expect(line == 3)
    }

    @Test("Columns lead back to the script's own position")
    func columns() throws {
        let source = "var é = 1; for each (var x in o) foo(x);\nvar y = <a>{bar}</a>; baz;"
        let translation = try translation(source)
        for word in ["foo", "bar", "baz", "var y", "o) foo", "var é"] {
            let needle = word == "o) foo" ? "o)) foo" : word
            let place = try #require(position(of: needle, in: translation.source))
            #expect(translation.map.original(place) == position(of: word, in: source), "\(word)")
        }
        // Inserted code maps to the position of its insertion.
        let inserted = try #require(position(of: "__rhino.values", in: translation.source))
        #expect(translation.map.original(inserted) == position(of: "o) foo", in: source))
    }

    private func position(of word: String, in text: String) -> SourcePosition? {
        guard let range = text.ranges(of: word).first else { return nil }
        let before = text[..<range.lowerBound]
        let line = before.count { $0 == "\n" } + 1
        let start = before.lastIndex(of: "\n").map { before.index(after: $0) } ?? before.startIndex
        return SourcePosition(line: line, column: before[start...].utf16.count + 1)
    }

    @Test("Every construct is reported with its position and the replacement")
    func findings() throws {
        let source = """
            for each (var x in <a/>.b.(@c == 1)) f(function (y) y);
            try {} catch (e if e) {}
            String.trim(uneval(x));
            """
        let findings = Translation.findings(in: try SyntaxTree(source, file: "A.js"))
        #expect(
            findings.map { "\($0.position) \($0.construct.rawValue)" } == [
                "1:1 for each", "1:20 E4X literal", "1:28 E4X access", "1:28 E4X filter", "1:40 expression closure",
                "2:8 conditional catch", "3:1 generic of String or Array", "3:13 toSource",
            ])
    }

    @Test("The helpers can be installed twice, and stay hidden", arguments: RuntimeHelper.allCases)
    func helpers(helper: RuntimeHelper) async throws {
        let script = RuntimeHelper.script(for: [helper])
        let before = try await Engine().run("Object.keys(this).concat(0)")
        #expect(try await Engine().run("Object.keys(this).concat(0)", prelude: script + script) == before)
    }
}
