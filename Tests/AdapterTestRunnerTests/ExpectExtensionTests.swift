import AdapterTestRunner
import JavaScriptEngine
import Testing

@Suite("expect.extend and expect.assertions")
struct ExpectExtensionTests {
    private static let even = """
        expect.extend({
            toBeEven(received, unit) {
                return { pass: received % 2 === 0, message: () => `${received} is ${this.isNot ? "" : "not "}even${unit || ""}` };
            }
        });

        """

    @Test("a matcher that a test adds passes and fails, with its own message")
    func added() async throws {
        let outcome = try await run(
            Self.even + """
                it("passes", () => { expect(2).toBeEven(); expect(3).not.toBeEven(); });
                it("fails", () => expect(3).toBeEven("!"));
                it("fails with not", () => expect(2).not.toBeEven("!"));
                """)
        #expect(outcome.summary == ["passes: passed", "fails: failed", "fails with not: failed"])
        #expect(outcome.messages == ["3 is not even!", "2 is even!"])
        #expect(outcome.tests[1].failures[0].place?.line == 7)
    }

    @Test("an added matcher stands for values in an expected value")
    func inExpectedValues() async throws {
        let outcome = try await run(
            Self.even + """
                it("passes", () => expect([{ n: 2 }, { n: 3 }]).toEqual([{ n: expect.toBeEven() }, { n: expect.not.toBeEven() }]));
                it("fails", () => expect({ n: 3 }).toEqual({ n: expect.toBeEven() }));
                """)
        #expect(outcome.summary == ["passes: passed", "fails: failed"])
        #expect(outcome.messages[0].contains(#"-   "n": toBeEven,"#), "\(outcome.messages)")
    }

    @Test(
        "refuses an invalid matcher with the reason",
        arguments: [
            ("expect.extend({ toBe() {} })", "'toBe' is built in"),
            ("expect.extend({ any() {} })", "'any' is built in"),
            ("expect.extend({ toBeOdd: 5 })", "toBeOdd: expected a function, got 5"),
            ("expect.extend(5)", "expected an object of matchers, got 5"),
            ("expect.extend({ toBeOdd: () => true }); expect(1).toBeOdd()", "toBeOdd must return { pass:"),
        ])
    func wrong(_ code: String, message: String) async throws {
        let outcome = try await run("it('x', () => { \(code); });")
        #expect(try #require(outcome.messages.first).contains(message), "\(outcome.messages)")
    }

    @Test("a test fails at its end when its number of matchers differs from the expected one")
    func assertions() async throws {
        let outcome = try await run(
            """
            it("two", () => {
                expect.assertions(2);
                expect(1).toBe(1);
            });
            it("some", () => { expect.hasAssertions(); });
            it("right", () => { expect.assertions(1); expect(1).toBe(1); });
            it("none", () => { expect.assertions(0); });
            it("says nothing", () => {});
            """)
        #expect(
            outcome.summary
                == ["two: failed", "some: failed", "right: passed", "none: passed", "says nothing: passed"])
        #expect(
            outcome.messages == [
                "expect.assertions(2)\n\nexpected: 2 calls of matchers\nreceived: 1",
                "expect.hasAssertions()\n\nexpected: at least one call of a matcher\nreceived: none",
            ])
        #expect(outcome.tests[0].failures[0].place?.line == 2)
    }

    @Test("matchers in hooks count, and a test that fails already is not blamed for their number")
    func hooksAndFailures() async throws {
        let outcome = try await run(
            """
            beforeEach(() => expect(1).toBe(1));
            afterEach(() => expect(1).toBe(1));
            it("counts", () => { expect.assertions(2); });
            it("fails", () => { expect.assertions(5); throw new Error("no"); });
            """)
        #expect(outcome.summary == ["counts: passed", "fails: failed"])
        #expect(outcome.messages == ["no"])
    }
}
