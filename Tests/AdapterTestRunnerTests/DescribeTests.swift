import Foundation
import JavaScriptEngine
import TestSupport
import Testing

@testable import AdapterTestRunner

@Suite("describe and it")
struct DescribeTests {
    @Test("Suites nest, and each test has a separate name")
    func nesting() async throws {
        let outcome = try await run(
            """
            describe("a", function () {
                it("one", function () {});
                describe("b", () => { test("two", () => {}); });
            });
            it("three", () => { throw new Error("no"); });
            it.todo("four");
            """)
        #expect(outcome.summary == ["a > one: passed", "a > b > two: passed", "three: failed", "four: todo"])
        #expect(outcome.messages == ["no"])
    }

    @Test("skip and only choose, whether on a test or a suite")
    func choosing() async throws {
        let outcome = try await run(
            """
            describe("a", () => { it("one", () => {}); xit("two", () => {}); });
            describe.only("b", () => { it("three", () => {}); it.skip("four", () => {}); });
            fit("five", () => {});
            """)
        #expect(
            outcome.summary
                == ["a > one: skipped", "a > two: skipped", "b > three: passed", "b > four: skipped", "five: passed"])
    }

    @Test("A test chosen in a suite excludes the rest of it, though the suite is chosen itself")
    func innerOnly() async throws {
        let outcome = try await run(
            """
            describe.only("a", () => { it.only("one", () => {}); it("two", () => {}); });
            describe.only("b", () => {
                it("three", () => {});
                describe("c", () => { describe.only("d", () => { it("four", () => {}); }); });
            });
            describe.only("e", () => { it("five", () => {}); });
            it("six", () => {});
            """)
        #expect(
            outcome.summary == [
                "a > one: passed", "a > two: skipped", "b > three: skipped", "b > c > d > four: passed",
                "e > five: passed",
                "six: skipped",
            ])
    }

    @Test(
        "A table without rows is refused, for it would make no test",
        arguments: ["it.each([])('x %s', () => {});", "describe.only.each([])('x', () => {});"])
    func emptyTable(_ tests: String) async throws {
        let outcome = try await run("it('y', () => {}); " + tests)
        #expect(try #require(outcome.messages.first).contains("no rows"))
    }

    @Test("A test that cannot be run, because it has no harness, ends its suites nevertheless")
    func endWithoutHarness() async throws {
        let machine = try VirtualMachine.start(name: "test")
        let messages = try await machine.run { machine in
            let scope = try TestScope(
                file: TestFile(path: "adapters/A/A.test.js", adapter: "A"), of: URL(filePath: "/"),
                in: machine.contexts,
                bridge: HarnessBridge(file: "adapters/A/A.test.js"),
                limits: ExecutionLimits())
            let tests = "afterAll(() => { throw new Error('cleaned up'); }); it('a', () => {}); it('b', () => {});"
            _ = try scope.plan("describe('d', () => { \(tests) });")
            return (scope.run(0, limit: nil) + scope.end(1)).map(\.message)
        }
        #expect(messages == ["cleaned up"])
    }

    @Test("Hooks run from the outside in before a test, and from the inside out after it")
    func hooks() async throws {
        let outcome = try await run(
            """
            var order = [];
            beforeAll(() => order.push("all"));
            beforeEach(() => order.push("outer"));
            afterEach(() => order.push("/outer"));
            describe("s", () => {
                beforeAll(() => order.push("suite"));
                beforeEach(() => order.push("inner"));
                afterEach(() => order.push("/inner"));
                afterAll(() => order.push("/suite"));
                it("one", () => order.push("1"));
                it("two", () => order.push("2"));
            });
            it("tells", () => {
                expect(order.join(" ")).toBe(
                    "all suite outer inner 1 /inner /outer outer inner 2 /inner /outer /suite outer");
            });
            """)
        #expect(outcome.messages == [])
    }

    @Test("afterEach runs although the test has failed, and its own failure is reported as well")
    func failingHooks() async throws {
        let outcome = try await run(
            """
            afterEach(() => { throw new Error("after"); });
            it("one", () => { throw new Error("body"); });
            """)
        #expect(outcome.messages == ["body", "after"])
    }

    @Test("A failing beforeAll stops all tests of the suite")
    func failingBeforeAll() async throws {
        let outcome = try await run(
            """
            var ran = 0;
            describe("s", () => {
                beforeAll(() => { throw new Error("broken"); });
                it("one", () => ran++);
                it("two", () => ran++);
            });
            it("tells", () => expect(ran).toBe(0));
            """)
        #expect(outcome.summary == ["s > one: failed", "s > two: failed", "tells: passed"])
        #expect(outcome.messages == ["broken", "beforeAll has failed"])
    }

    @Test(
        "An asynchronous test or one with an invalid name fails alone",
        arguments: [
            "it('x', async () => {});", "it('x', function* () {});", "it('x', done => {});",
            "describe('d', async () => {});", "describe('d', function* () { it('x', () => {}); });",
            "it('x', () => {}, 1e30);", "it('x', () => {}, -5);", "it.each`a|b`('x', () => {});",
            "it.each([])('x', () => {});",
            "describe(() => {});", "it(5, () => {});", "it(() => {});", "it.todo();", "describe(String, () => {});",
        ])
    func wrongDeclarations(_ tests: String) async throws {
        let outcome = try await run("\n\(tests)\nit('good', () => {});")
        #expect(outcome.failure == nil)
        #expect(outcome.tests.map(\.status) == [.failed, .passed], "\(outcome.summary)")
        #expect(outcome.tests[0].failures.map(\.place?.line) == [2], "\(outcome.tests[0].failures)")
    }

    @Test("An asynchronous hook is refused with its file, whose tests need it")
    func wrongHooks() async throws {
        #expect(try await run("beforeEach(async () => {}); it('x', () => {});").failure != nil)
    }

    @Test("A test that returns a thenable fails")
    func thenables() async throws {
        #expect(try await run("it('x', () => ({ then() {} }));").summary == ["x: failed"])
    }

    @Test("A file without tests is a failure")
    func empty() async throws {
        #expect(try await run("// nothing").failure != nil)
    }

    @Test("afterAll runs after the last test that runs, even if others follow")
    func afterAllBeforeSkipped() async throws {
        let outcome = try await run(
            """
            describe("d", () => {
                afterAll(() => { throw new Error("ran"); });
                it("a", () => {});
                it.skip("b", () => {});
            });
            """)
        #expect(outcome.messages == ["ran"])
    }

    @Test("A failing outer beforeAll also stops the tests after the inner suite")
    func failingOuterBeforeAll() async throws {
        let outcome = try await run(
            """
            describe("o", () => {
                beforeAll(() => { throw new Error("broken"); });
                describe("i", () => { it("t1", () => {}); });
                it("t2", () => {});
            });
            """)
        #expect(outcome.summary == ["o > i > t1: failed", "o > t2: failed"])
    }

    @Test("Every afterEach runs, even if another fails")
    func allEndings() async throws {
        let outcome = try await run(
            """
            afterEach(() => { throw new Error("outer"); });
            describe("d", () => {
                afterEach(() => { throw new Error("one"); });
                afterEach(() => { throw new Error("two"); });
                it("x", () => {});
            });
            """)
        #expect(outcome.messages == ["one", "two", "outer"])
    }

    @Test("A test's own limit holds for the processor as well", .defaultTimeLimit)
    func ownLimit() async throws {
        var outcome: FileOutcome
        // The file has no more time than the tests; if the process is too slow, the file is run again.
        repeat {
            try Task.checkCancellation()
            outcome = try await run(
                "const loop = () => { for (let i = 0; i < 4e8; i++); }; it('x', loop, 600000); it('y', () => { while (1); }, 100);"
            ) { $0.timeLimit = .milliseconds(200) }
        } while outcome.failure?.message.contains("was stopped") == true
        #expect(outcome.summary == ["x: passed", "y: failed"])
        #expect(outcome.messages[0].contains("100 ms"))
    }

    @Test("A file's output outside of its tests is kept, too")
    func fileOutput() async throws {
        #expect(try await run("console.log('loaded'); it('x', () => {});").output == ["loaded"])
    }

    @Test("each makes a test of every row")
    func each() async throws {
        let outcome = try await run(
            """
            it.each([[1, 2, 3], [2, 2, 5]])("%d + %d", (a, b, sum) => expect(a + b).toBe(sum));
            it.each([{ name: "x" }])("is $name", row => expect(row.name).toBe("x"));
            describe.each([["p"]])("suite %s", p => it("has " + p, () => {}));
            """)
        #expect(
            outcome.summary == ["1 + 2: passed", "2 + 2: failed", "is x: passed", "suite p > has p: passed"])
    }

    @Test("each makes a test of every row of a template, with the names of its first line")
    func eachOfTemplate() async throws {
        let outcome = try await run(
            """
            it.each`
                a    | b    | sum
                ${1} | ${2} | ${3}
                ${2} | ${2} | ${5}
            `("$a + $b is $sum (row $#)", ({ a, b, sum }) => expect(a + b).toBe(sum));
            describe.each`who
            ${{ name: "ann" }}`("suite of $who.name.", ({ who }) => { it("has " + who.name, () => {}); });
            test.skip.each`a
            ${1}`("skips $a", () => {});
            """)
        #expect(
            outcome.summary == [
                "1 + 2 is 3 (row 0): passed", "2 + 2 is 5 (row 1): failed", "suite of ann. > has ann: passed",
                "skips 1: skipped",
            ])
    }

    @Test(
        "a template whose rows do not fit its columns fails with the difference",
        arguments: [
            ("it.each`a | b\n${1} | ${2} | ${3}`('x', () => {});", "has 2 columns, but 3 values"),
            ("it.each`\n${1}`('x', () => {});", "the names of the columns"),
            ("it.each`a | b`('x', () => {});", "no rows"),
            ("it.each(5)('x', () => {});", "an array of rows, or a template"),
        ])
    func wrongTemplates(_ tests: String, message: String) async throws {
        let outcome = try await run(tests + "\nit('good', () => {});")
        #expect(outcome.tests.map(\.status) == [.failed, .passed])
        #expect(try #require(outcome.messages.first).contains(message), "\(outcome.messages)")
    }

    @Test(
        "A thrown non-Error value has its location, in tests, hooks, functions and required files",
        arguments: [
            ("it('a', () => {\n  if (1) throw 'text';\n});", 2, 16),
            ("it('a', () => {\n\n  throw { code: 5 };\n});", 3, 9),
            ("beforeEach(() => {\n throw 7; });\nit('a', () => {});", 2, 8),
            ("function check(x) {\n  throw x;\n}\nit('a', () => check('no'));", 2, 9),
            (
                "it('a', () => {\n  try { throw 'a'; } catch (e) { 1; }\n  try { throw 'b'; } catch (e) {\n    throw e;\n  }\n});",
                3, 15
            ),
            (
                "it('a', () => {\n  harness.backEnd().get('/', () => {\n    throw 'stub';\n  });\n  harness.call('run', 1);\n});",
                3, 11
            ),
        ])
    func thrownValues(_ tests: String, line: Int, column: Int) async throws {
        let script = "function run(x) { return WL.Server.invokeHttp({ method: 'get', path: '/' }); }"
        let failure = try #require(try await run(tests, adapter: script).tests.first?.failures.first)
        #expect(failure.place?.line == line, "\(failure)")
        #expect(failure.place?.column == column, "\(failure)")
        #expect(!failure.stack.contains { $0.contains("__thrown") })
    }

    @Test("An Error in the line of an instrumented throw has its own column")
    func columnBehindThrow() async throws {
        for statement in ["throw", "var t="] {
            let outcome = try await run("function make() { return {} }\nit('a', () => { \(statement) make(null.x); });")
            #expect(outcome.tests[0].failures.first?.place?.line == 2)
            #expect(outcome.tests[0].failures.first?.place?.column == 27 + statement.count)
        }
    }

    @Test("A file that throws a value that is not an Error is reported with its location")
    func thrownWhileLoading() async throws {
        #expect(try await run("it('a', () => {});\n  throw 'text';").failure?.place?.line == 2)
    }

    @Test("A file that throws, or does not parse, is reported with its location")
    func brokenFiles() async throws {
        let thrown = try await run("\n  null.x;")
        #expect(thrown.failure?.place?.line == 2)
        let unreadable = try await run("it('x', () => {")
        #expect(try #require(unreadable.failure).message.contains("SyntaxError"))
    }

    @Test("Only tests whose names fit the filter are run and reported")
    func filter() async throws {
        let tests = "describe('Shop', () => { it('sells', () => {}); it('buys', () => {}); });"
        let some = try await run(tests) { $0.filter = try TestFilter("shop SELLS") }
        #expect(some.summary == ["Shop > sells: passed"])
        let pattern = try await run(tests) { $0.filter = try TestFilter("/b.ys$/") }
        #expect(pattern.summary == ["Shop > buys: passed"])
        let flags = try await run(tests) { $0.filter = try TestFilter("/B.YS$/i") }
        #expect(flags.summary == ["Shop > buys: passed"])
        let path = try await run("it('gets /a/lamp', () => {});") { $0.filter = try TestFilter("/a/lamp") }
        #expect(path.summary == ["gets /a/lamp: passed"])
    }

    @Test("A test that does not end is stopped, and the next one runs", .defaultTimeLimit)
    func timeLimit() async throws {
        var outcome: FileOutcome
        // If the process is slow, the file or the second test may take as long; then the file is run again.
        repeat {
            try Task.checkCancellation()
            outcome = try await run("it('loops', () => { while (true); }); it('works', () => {});") {
                $0.timeLimit = .milliseconds(1500)
            }
        } while outcome.summary.last != "works: passed"
        #expect(outcome.summary == ["loops: failed", "works: passed"])
        #expect(outcome.messages[0].contains("1.5 s"))
    }

    @Test("A test's output is kept with it")
    func output() async throws {
        let outcome = try await run("it('x', () => { console.log('a', 1, { b: 2 }); });")
        #expect(outcome.tests[0].output == ["a 1 {\n  \"b\": 2,\n}"])
    }
}
