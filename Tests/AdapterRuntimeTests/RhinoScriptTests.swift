import AdapterSyntax
import Logging
import TestSupport
import Testing
import WorklightProject

@testable import AdapterRuntime

@Suite("Scripts of Rhino's kind")
struct RhinoScriptTests {
    @Test("for each, conditional catch, an expression closure and an E4X body run")
    func runs() async throws {
        let project = try await TestProject(
            """
            function run(names) {
                var bodies = [], twice = function (x) x + x;
                for each (var name in names) {
                    try {
                        if (name === "bad") throw { code: 7 };
                        bodies.push(<soap:Envelope xmlns:soap="urn:soap"><soap:Body><find>{twice(name)}</find></soap:Body></soap:Envelope>.toXMLString());
                    } catch (e if e.code === 7) {
                        bodies.push("seven");
                    } catch (e) {
                        bodies.push("other");
                    }
                }
                return { bodies: bodies.map(function (body) { return body.replace(/\\n\\s*/g, "") }) };
            }
            """)
        #expect(project.problems == [])
        #expect(
            await project.call(#"[["a&", "bad"]]"#)
                == #"{"isSuccessful":true,"bodies":["<soap:Envelope xmlns:soap=\"urn:soap\"><soap:Body><find>a&amp;a&amp;</find></soap:Body></soap:Envelope>","seven"]}"#
        )
    }

    @Test(
        "The small things of Java that adapters use work",
        arguments: [
            ("typeof java.lang.Thread.currentThread().getId()", #""number""#),
            ("java.lang.Thread.currentThread().getId() === Packages.java.lang.Thread.currentThread().getId()", "true"),
            ("Math.abs(java.lang.System.currentTimeMillis() - Date.now()) < 1e6", "true"),
            (
                "(function () { var p = new java.util.Properties(); p.put('a', 1); p.setProperty('b', 'x'); "
                    + "return [p.get('a'), p.getProperty('b'), p.getProperty('c', 'd'), p.get('c'), p.size(), p.containsKey('a'), "
                    + "p.put('a', 2), p.remove('a'), p.isEmpty(), String(p), p] })()",
                #"[1,"x","d",null,2,true,1,2,false,"{b=x}",{"b":"x"}]"#
            ),
            ("new java.util.Hashtable(new java.util.Properties()).isEmpty()", "true"),
            ("String(java.util.Properties)", #""[Java java.util.Properties]""#),
            ("new java.util.Properties() instanceof java.util.Properties", "true"),
            ("(function () { importClass(java.util.Properties); return new Properties().size() })()", "0"),
            ("(function () { with (new JavaImporter(java.util.Properties)) return new Properties().size() })()", "0"),
            (
                "java.net.URLEncoder.encode(\"a b&c=é*(x)'\", 'UTF-8')", #""a+b%26c%3D%C3%A9*%28x%29%27""#
            ),
            ("java.net.URLDecoder.decode('a+b%26%C3%A9', 'utf-8')", #""a b&é""#),
        ])
    func javaMembers(expression: String, json: String) async throws {
        let project = try await TestProject("function run() { return { v: \(expression) } }")
        #expect(await project.call() == #"{"isSuccessful":true,"v":\#(json)}"#)
    }

    @Test("java-members.js has each member of Java's library", arguments: JavaLibrary.Member.allCases)
    func memberOfJava(member: JavaLibrary.Member) {
        #expect(RuntimeScripts.javaMembers.contains("\n        \"\(member.rawValue)\": "))
    }

    @Test(
        "Unsupported Java fails as before, also in a partly supported class",
        arguments: [
            ("java.lang.Thread.sleep(1)", "java.lang.Thread.sleep"),
            ("java.net.URLEncoder.encode('a', 'UTF-16')", "java.net.URLEncoder.encode to UTF-16"),
            ("new java.util.ArrayList()", "new java.util.ArrayList"),
        ])
    func unavailableJava(expression: String, name: String) async throws {
        let project = try await TestProject("function run() { return { v: \(expression) } }")
        #expect(await project.call().contains("\(name) is not available: Lamplighter has no Java; write "))
    }

    @Test(
        "The name of a closing tag may be computed, as ECMA-357 has it",
        arguments: [
            ("<{n}>x</{n}>", #""<b>x</b>""#), ("<a><{n} c='1'>{n}</{n}></a>", #""<a>\n  <b c=\"1\">b</b>\n</a>""#),
            ("<b>x</{n}>", #""<b>x</b>""#), ("<{n}>x</ >", #""<b>x</b>""#), ("<{n}>x</{ n } >", #""<b>x</b>""#),
        ])
    func computedClosingTag(literal: String, json: String) async throws {
        let project = try await TestProject("function run() { var n = 'b'; return { v: \(literal).toXMLString() } }")
        #expect(await project.call() == #"{"isSuccessful":true,"v":\#(json)}"#)
    }

    @Test("A computed closing tag that closes another element is an error of the call")
    func wrongClosingTag() async throws {
        let project = try await TestProject("function run() { var n = 'b'; return { v: String(<a>x</{n}>) } }")
        #expect(await project.call().contains("XML: </b> does not close <a>"))
    }

    @Test(
        "A mistake in an XML literal is reported at its position, not at the literal's start",
        arguments: [
            ("var x = <a><b></a>;", "1:15", "</a> does not close <b>: expected </b>"),
            ("var x = <a b=c/>;", "1:14", "expected the attribute's value in quotes or braces"),
            ("var x = <a>{y z}</a>;", "1:15", "expected } to end the expression in the XML"),
            ("var x = <a><b>;", "1:12", "the XML that begins here has no end: expected </b>"),
            ("var x = <a>;", "1:9", "the XML that begins here has no end: expected </a>"),
        ])
    func literalMistakes(script: String, place: String, message: String) async throws {
        let project = try await TestProject(script)
        let problem = try #require(project.problems.first)
        #expect(problem.place == "adapters/A/A-impl.js:\(place)")
        #expect(problem.message.contains(message), "\(problem)")
    }

    @Test("A load error in a translated line is reported at its own line and column")
    func placeWhileLoading() async throws {
        let project = try await TestProject("var list = [1];\nfor each (var x in list) { missing.call(x); }")
        let problem = try #require(project.problems.first)
        #expect(
            problem.description.hasPrefix(
                "adapters/A/A-impl.js:2:35: error: thrown while loading: ReferenceError: Can't find variable: missing"))
        #expect(problem.message.contains("at (top level)@adapters/A/A-impl.js:2:35"))
    }

    @Test("An error in a translated line of a procedure has its own column in the log's stack")
    func placeInProcedure() async throws {
        let project = try await TestProject(
            "function run() {\n    for each (var x in [1]) { missing.call(x); }\n}")
        #expect(
            await project.call().contains("ReferenceError: Can't find variable: missing (adapters/A/A-impl.js#2)"))
        let log = project.log.messages(at: .error).joined(separator: "\n")
        #expect(log.contains("adapters/A/A-impl.js:2:38: ReferenceError"))
        #expect(log.contains("at run@adapters/A/A-impl.js:2:38"))
    }

    @Test("An error inside the translation's own functions is reported at the line that called them")
    func placeInHelper() async throws {
        let project = try await TestProject("function run() {\n    return { xml: new XML(\"<a>\") };\n}")
        #expect(await project.call().contains("(adapters/A/A-impl.js#2)"))
        let log = project.log.messages(at: .error).joined(separator: "\n")
        #expect(log.contains("adapters/A/A-impl.js:2:"))
        #expect(!log.contains("lamplighter:rhino"))
    }

    @Test("A refused construct is reported with its location and remedy, and stops only its adapter")
    func refused() async throws {
        let project = try await TestProject(files: [
            "adapters/A/A.xml": adapterXML("A"),
            "adapters/A/A-impl.js": "function run(x) {\n    return x.function::a;\n}",
            "adapters/B/B.xml": adapterXML("B"),
            "adapters/B/B-impl.js": "function run() { for each (var x in [3]) return { x: x } }",
        ])
        let problem = try #require(project.problems.first)
        #expect(project.problems.count == 1)
        #expect(
            problem.description.hasPrefix("adapters/A/A-impl.js:2:14: error: E4X access: function:: is not supported"))
        #expect(problem.message.contains("let invokeHttp make JSON of the XML"))
        let other = await project.runtime.invoke(adapter: "B", procedure: "run", parameters: "[]")
        #expect(other.json == #"{"isSuccessful":true,"x":3}"#)
        #expect(project.runtime.adapterNames == ["B"])
    }

    @Test(
        "JavaAdapter and JavaImporter's members fail only in the call that uses them, with location and remedy",
        arguments: [
            (
                "new JavaAdapter(java.lang.Runnable, {})", "JavaAdapter",
                "write a JavaScript object with these functions"
            ),
            ("JavaAdapter(java.lang.Runnable, {})", "JavaAdapter", "write a JavaScript object with these functions"),
            ("with (new JavaImporter(java.util)) new ArrayList()", "new java.util.ArrayList", "write an array, []"),
            (
                "with (JavaImporter(java.io, Packages.de.Foo)) { Foo.bar(); }", "de.Foo.bar",
                "write it in JavaScript, or call a service"
            ),
            (
                "with (JavaImporter(java.io, org.a)) { new Bar(); }", "new Bar",
                "write it in JavaScript, or call a service"
            ),
            (
                "var i = new JavaImporter(); i.importPackage(java.io); i.importClass(java.util.UUID); with (i) UUID.randomUUID()",
                "java.util.UUID.randomUUID", "write an id of the back end's"
            ),
            ("with (imported) new File('a')", "new java.io.File", "write a table of a database"),
        ])
    func javaWhenReached(statement: String, name: String, mend: String) async throws {
        let project = try await TestProject(files: [
            "adapters/A/A.xml": adapterXML("A", procedures: ["run", "other"]),
            "adapters/A/A-impl.js": """
            var imported = new JavaImporter(java.io);
            function Item(x) { this.x = x; }
            function run() {
                \(statement);
            }
            function other() { with (new JavaImporter(java.util)) return { i: new Item(1), s: [1].length, t: typeof JavaImporter }; }
            """,
        ])
        #expect(project.problems == [])
        let answer = await project.call()
        #expect(answer.contains("\(name) is not available"), "\(answer)")
        #expect(answer.contains(mend), "\(answer)")
        #expect(answer.contains("A-impl.js#4"), "\(answer)")
        let other = await project.runtime.invoke(adapter: "A", procedure: "other", parameters: "[]")
        #expect(other.json == #"{"isSuccessful":true,"i":{"x":1},"s":1,"t":"function"}"#)
    }

    @Test("Java at the top level is a warning, also by JavaAdapter and JavaImporter")
    func javaWhileLoading() async throws {
        let project = try await TestProject(
            """
            var task = new JavaAdapter(java.lang.Runnable, { run: function () {} });
            with (new JavaImporter(java.util)) { var list = new ArrayList(); }
            function run() { return { ok: 1 }; }
            """)
        #expect(project.problems == [])
        #expect(await project.call() == #"{"isSuccessful":true,"ok":1}"#)
        let log = project.log.messages(at: .warning).joined(separator: "\n")
        #expect(
            log.contains("new JavaAdapter is not available") && log.contains("new java.util.ArrayList is not"), "\(log)"
        )
    }

    @Test("A script that needs nothing translated is run as it is written, in a realm with nothing added")
    func untouched() async throws {
        let script = """
            var scope = this;
            const run = () => ({ text: run.toString(), names: ["__rh" + "ino", "X" + "ML"].filter((name) => name in scope) });
            """
        var settings = RuntimeSettings.patient
        settings.scopes.ownRealm = .all
        let project = try await TestProject(script, settings: settings)
        #expect(project.problems == [])
        #expect(
            await project.call()
                == #"{"isSuccessful":true,"text":"() => ({ text: run.toString(), names: [\"__rh\" + \"ino\", \"X\" + \"ML\"].filter((name) => name in scope) })","names":[]}"#
        )
        // `this` at the top level may be anything.
        let problems = try await Project(reading: project.folder.url).syntaxProblems()
        #expect(problems.allSatisfy { $0.message.hasPrefix("the script may keep state between calls") })
    }

    @Test("Rhino's functions exist although the script's source is unchanged")
    func helpersAlone() async throws {
        let project = try await TestProject(
            "function run(texts) { return { list: Array.map(texts, function (text) { return String.trim(text) }) } }")
        #expect(await project.call(#"[[" a ", "b "]]"#) == #"{"isSuccessful":true,"list":["a","b"]}"#)
    }

    @Test("A check reports translated syntax with its replacement, as notes")
    func notes() async throws {
        let project = try await TestProject("function run() {\n    for each (var x in [3]) return { x: x }\n}")
        let notes = try await Project(reading: project.folder.url).syntaxProblems()
        #expect(
            notes.map(\.description) == [
                """
                adapters/A/A-impl.js:2:5: note: Rhino-only syntax, which Lamplighter translates when it loads the script; \
                for each: write for (var value of Object.values(object ?? {}))
                """
            ])
    }

    @Test("A mistake behind Rhino-only syntax is reported at its own location")
    func mistakeAfterRhino() async throws {
        let project = try await TestProject("for each (var x in [3]) {}\nfunction run() {\n    return 1 +;\n}")
        let problem = try #require(project.problems.first)
        #expect(problem.place == "adapters/A/A-impl.js:3:15")
        #expect(problem.message.hasPrefix("SyntaxError: \";\" is not expected here"))
    }

    @Test("An error that only the engine finds is reported at its own column, also behind translated syntax")
    func engineOnly() async throws {
        let project = try await TestProject(
            "for each (var x in [3]) { let a = 1; let a = 2; }\nfunction run() {}")
        let problem = try #require(project.problems.first)
        #expect(problem.severity == .error)
        #expect(problem.place == "adapters/A/A-impl.js:1:42")
    }

    @Test("A script that only the engine reads runs as it is, with a note")
    func engineIsJudge() async throws {
        // Deeper than the parser goes; the engine goes on.
        let deep = String(repeating: "(", count: 450) + "7" + String(repeating: ")", count: 450)
        let project = try await TestProject("function run() { return { value: \(deep) } }")
        #expect(project.problems.map(\.severity) == [.note])
        #expect(project.problems.first?.message.contains("Lamplighter's own parser stops here") == true)
        #expect(await project.call() == #"{"isSuccessful":true,"value":7}"#)
    }
}
