import Foundation
import TestSupport
import Testing

@Suite("console")
struct ScriptConsoleTests {
    /// Returns the lines that a script's calls of `console` have written, as `level: line`.
    private func lines(_ script: String, time: ManualTime? = nil) async throws -> [String] {
        let project = try await TestProject("function run() {\n\(script)\n}", time: time ?? ManualTime())
        #expect(await project.call() == #"{"isSuccessful":true}"#)
        return project.log.texts
    }

    @Test("Each function has its level")
    func levels() async throws {
        let lines = try await lines("['debug', 'log', 'info', 'warn', 'error'].forEach(function (l) { console[l](l) })")
        #expect(lines == ["debug: debug", "info: log", "info: info", "warning: warn", "error: error"])
    }

    @Test(
        "Values are written as a console prints them",
        arguments: [
            ("'a', 1, null, undefined, true", "a 1 null undefined true"), ("{ a: [1] }, 'b'", #"{"a":[1]} b"#),
            ("'%s has %d of %i, %f %%', 'ann', '2.5', 2.9, 0.5", "ann has 2.5 of 2, 0.5 %"),
            ("'%j %o', { a: 1 }, [2], 'rest'", #"{"a":1} [2] rest"#), ("'%d', {}", "NaN"),
            ("'%c red', 'color: red'", " red"),
            ("'100%'", "100%"), ("'%s'", "%s"), ("'%s %s', 1", "1 %s"), ("'%x', 1", "%x 1"), ("", ""),
        ])
    func values(arguments: String, line: String) async throws {
        #expect(try await lines("console.log(\(arguments))") == ["info: \(line)"])
    }

    @Test("An Error is written with its stack, by WL.Logger as well")
    func errors() async throws {
        let lines = try await lines("console.error('failed:', new TypeError('no'));\nWL.Logger.warn(new Error('x'))")
        #expect(
            lines == [
                "error: failed: TypeError: no\n    at run@adapters/A/A-impl.js:2:39",
                "warning: Error: x\n    at run@adapters/A/A-impl.js:3:25",
            ])
    }

    @Test("trace writes the calls that are running")
    func trace() async throws {
        let lines = try await lines("(function inner() { console.trace('here') })()")
        #expect(
            lines == ["info: Trace: here\n    at inner@adapters/A/A-impl.js:2:34\n    at run@adapters/A/A-impl.js:2:45"]
        )
    }

    @Test("assert writes when the condition does not hold")
    func assert() async throws {
        #expect(
            try await lines("console.assert(1 < 2, 'a'); console.assert('', 'b %s', 1); console.assert(0)")
                == ["error: Assertion failed: b 1", "error: Assertion failed"])
    }

    @Test("Timers log the elapsed time")
    func timers() async throws {
        #expect(
            try await lines(
                "console.time(); console.time(); console.timeLog('default', 5); console.timeEnd(); console.timeEnd('x')"
            )
                == [
                    "warning: the timer 'default' runs already", "info: default: 0 ms 5", "info: default: 0 ms",
                    "warning: there is no timer 'x'; console.time('x') starts it",
                ])
    }

    @Test("Counters count in their scope")
    func counters() async throws {
        #expect(
            try await lines(
                "console.count(); console.count('a'); console.count(); console.countReset(); console.count()")
                == ["info: default: 1", "info: a: 1", "info: default: 2", "info: default: 1"])
    }

    @Test("Groups indent, until the call ends")
    func groups() async throws {
        let project = try await TestProject(
            "function run() { console.log('a'); console.group('g'); console.log('b\\nc') }")
        _ = await project.call()
        _ = await project.call()
        let one = ["info: a", "info: g", "info:   b\n  c"]
        #expect(project.log.texts == one + one)
    }

    @Test("A table has a line for each row")
    func table() async throws {
        #expect(
            try await lines("console.table([{ a: 1, b: 'x' }, { b: 'yy' }]); console.table([5]); console.table(7)") == [
                "info: \n(index)  a  b\n-------  -  ----\n0        1  \"x\"\n1           \"yy\"",
                "info: \n(index)  (value)\n-------  -------\n0        5", "info: 7",
            ])
    }

    @Test("Values of any kind do no harm")
    func hostile() async throws {
        let lines = try await lines(
            """
            var cyclic = {}; cyclic.c = cyclic;
            console.log(cyclic); console.table(cyclic); console.log('%j', cyclic); console.dir(function f() {});
            console.log(new Array(1e6).join('x')); console.table(new Array(1e4)); console.log(Object.create(null));
            """)
        #expect(lines.count == 7)
        #expect(lines.allSatisfy { $0.count < 17_000 })
    }

    @Test("worklight.d.ts declares the functions that there are")
    func declarations() async throws {
        let project = try await TestProject("function run() { return Object.keys(console).sort().join() }")
        let there = try #require(await project.call().firstMatch(of: /"result":"([^"]*)"/)).1
        let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().appending(path: "adapters/worklight.d.ts")
        let text = try String(contentsOf: file, encoding: .utf8)
        let declared = try #require(text.split(separator: "interface Console {").last?.split(separator: "\n}").first)
        let names = declared.matches(of: /\n    (\w+)\(/).map { String($0.1) }.sorted()
        #expect(names.joined(separator: ",") == there)
    }
}
