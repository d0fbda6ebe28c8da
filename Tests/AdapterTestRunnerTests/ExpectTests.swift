import AdapterTestRunner
import Foundation
import JavaScriptEngine
import Testing

@Suite("expect")
struct ExpectTests {
    /// Each holds, and its opposite fails.
    static let truths = [
        "expect(1).toBe(1)", "expect(NaN).toBe(NaN)", "expect({ a: [1, { b: 2 }] }).toEqual({ a: [1, { b: 2 }] })",
        "expect({ a: undefined }).toEqual({})", "expect(new Date(5)).toEqual(new Date(5))",
        "expect(new Set([1, [2]])).toEqual(new Set([[2], 1]))", "expect(new Map([[1, 2]])).toEqual(new Map([[1, 2]]))",
        "expect({ a: 1 }).toStrictEqual({ a: 1 })",
        "expect({ a: 1, b: { c: 2, d: 3 } }).toMatchObject({ b: { c: 2 } })",
        "expect([{ a: 1, b: 2 }]).toMatchObject([{ a: 1 }])", "expect('x').toBeTruthy()", "expect(0).toBeFalsy()",
        "expect(null).toBeNull()", "expect(undefined).toBeUndefined()", "expect(0).toBeDefined()",
        "expect(NaN).toBeNaN()", "expect(2).toBeGreaterThan(1)", "expect(2).toBeGreaterThanOrEqual(2)",
        "expect(1).toBeLessThan(2)", "expect(2).toBeLessThanOrEqual(2)", "expect(0.1 + 0.2).toBeCloseTo(0.3)",
        "expect('abc').toContain('b')", "expect([1, 2]).toContain(2)", "expect([{ a: 1 }]).toContainEqual({ a: 1 })",
        "expect('abc').toHaveLength(3)", "expect({ a: { b: [5] } }).toHaveProperty('a.b[0]', 5)",
        "expect({ a: 1 }).toHaveProperty('a')", "expect('abc').toMatch(/b./)", "expect('abc').toMatch('bc')",
        "expect([]).toBeInstanceOf(Array)", "expect(() => { throw new TypeError('bad'); }).toThrow(TypeError)",
        "expect(() => { throw new Error('bad'); }).toThrow('ba')",
        "expect(() => { throw new Error('bad'); }).toThrow(/^bad$/)", "expect(() => { throw 1; }).toThrowError()",
        "expect({ id: 7, at: new Date() }).toEqual({ id: expect.any(Number), at: expect.anything() })",
        "expect([1, 2, 3]).toEqual(expect.arrayContaining([3, 1]))",
        "expect({ a: 1, b: 2 }).toEqual(expect.objectContaining({ a: 1 }))",
        "expect({ a: 'xyz' }).toEqual({ a: expect.stringContaining('y') })",
        "expect('xyz').toEqual(expect.stringMatching(/z$/))",
        "expect({ a: 0.30001 }).toEqual({ a: expect.closeTo(0.3) })",
        "expect('abc').toEqual(expect.not.stringContaining('d'))",
        "expect({ 'a.b': 1 }).toHaveProperty('a.b')", "expect(1n).toEqual(expect.any(BigInt))",
        "expect(Infinity).toEqual(expect.closeTo(Infinity))", "expect(/a/gi).toEqual(/a/gi)",
        "expect(new DataView(new ArrayBuffer(2))).toEqual(new DataView(new ArrayBuffer(2)))",
        "expect(Object(1n)).toEqual(Object(1n))", "expect(new Uint8Array([1, 2])).toEqual(new Uint8Array([1, 2]))",
        "expect(new Set([1, 2])).toContain(2)", "expect(new Error('a')).toEqual(new Error('a'))",
        "expect(Object('a')).toEqual(Object('a'))",
        "expect({ [Symbol.iterator]: function* () { yield 5; } }).toContain(5)",
        "const f = fn(); f(); expect(f).toHaveBeenCalled()",
        "const f = fn(); f(); f(); expect(f).toHaveBeenCalledTimes(2)",
        "const f = fn(); f({ a: 1 }, 2); f(); expect(f).toHaveBeenCalledWith({ a: 1 }, expect.any(Number))",
        "const f = fn(); f(1); f(2); expect(f).toHaveBeenLastCalledWith(2)",
        "const f = fn(); f(1); f(2); expect(f).toHaveBeenNthCalledWith(1, 1)",
        "const f = fn(x => [x]); f(1); f(2); expect(f).toHaveReturnedWith([1])",
    ]

    /// Each fails.
    static let falsehoods = [
        "expect({}).toBe({})", "expect({ a: 1 }).toEqual({ a: 2 })", "expect({ a: undefined }).toStrictEqual({})",
        "expect([1]).toEqual([1, 2])", "expect(-0).toBe(0)", "expect([1, undefined]).toEqual([1])",
        "expect({ a: 1 }).toMatchObject({ a: 1, b: 2 })", "expect('1').toBe(1)", "expect('5').toBeGreaterThan(1)",
        "expect('5').not.toBeGreaterThan(1)", "expect(() => {}).toThrow()",
        "expect(() => { throw new Error('a'); }).toThrow('b')", "expect({ a: 1 }).toHaveProperty('b')",
        "fail('no')",
        "expect(undefined).not.toContain('x')", "expect(undefined).not.toHaveLength(3)",
        "expect(undefined).not.toHaveProperty('a')", "expect(undefined).not.toMatchObject({ a: 1 })",
        "expect(undefined).not.toBeCloseTo(5)", "expect({}).toHaveLength(undefined)",
        "expect({ a: 'x' }).not.toContain('x')", "expect(null).toBeCloseTo(0)", "expect('1.5').toBeCloseTo(1.5)",
        "expect(5).toBeGreaterThan('3')", "expect(5).not.toBeGreaterThan(undefined)", "expect('12').toContain(1)",
        "expect('abc').not.toMatch(undefined)", "expect(() => { throw 1; }).not.toThrow(5)",
        "expect(0).toEqual(-0)",
        "expect({}).toHaveProperty('')", "expect(new ArrayBuffer(1)).toEqual(new ArrayBuffer(2))",
        "const s = Symbol(); expect({ [s]: 1 }).toEqual({ [s]: 2 })",
        "const re = /b/g; expect('abc').toMatch(re); expect('abc').not.toMatch(re)",
        "expect(new DataView(new ArrayBuffer(1))).toEqual(new DataView(new ArrayBuffer(2)))",
        "const b = new Uint8Array([1, 2]).buffer; expect(new DataView(b, 0, 1)).toEqual(new DataView(b, 1, 1))",
        "expect(Object(1n)).toEqual(Object(2n))", "expect(new Uint8Array(1)).toEqual(new Int8Array(1))",
        "expect(new Uint8Array([1])).toEqual(new Uint8Array([2]))",
        "expect(new Map([[1, 2]])).toEqual(new Map([[1, 3]]))",
        "expect(new Date(5)).toEqual(new Date(6))", "expect(/a/g).toEqual(/a/i)",
        "expect({ [Symbol.toStringTag]: 'Map', a: 1 }).toEqual({ [Symbol.toStringTag]: 'Map', a: 2 })",
        "expect({ [Symbol.toStringTag]: 'Map' }).toEqual(new Map())",
        "expect(() => {}).not.toHaveBeenCalled()", "expect(5).toHaveBeenCalledTimes(0)",
        "const f = fn(); f(); expect(f).toHaveBeenCalledWith(undefined)",
        "const f = fn(); f(1); expect(f).not.toHaveBeenCalledTimes('2')",
        "const f = fn(); f(1); expect(f).not.toHaveBeenNthCalledWith(0, 2)",
    ]

    @Test("A true expectation passes, and fails with not")
    func matchers() async throws {
        let opposites = try Self.truths.map { truth in
            let end = try #require(truth.range(of: ").to", options: .backwards))
            return truth.replacingCharacters(in: end, with: ").not.to")
        }
        let tests = (Self.truths + opposites).map { "it('x', () => { \($0); });\n" }.joined()
        let outcomes = try await run(tests).tests
        #expect(outcomes.count == 2 * Self.truths.count)
        for (outcome, truth) in zip(outcomes, Self.truths) { #expect(outcome.status == .passed, "\(truth)") }
        for (outcome, truth) in zip(outcomes.dropFirst(Self.truths.count), opposites) {
            #expect(outcome.status == .failed, "\(truth)")
        }
    }

    @Test("A false expectation fails")
    func failures() async throws {
        let outcomes = try await run(Self.falsehoods.map { "it('x', () => { \($0); });\n" }.joined()).tests
        #expect(outcomes.count == Self.falsehoods.count)
        for (outcome, wrong) in zip(outcomes, Self.falsehoods) { #expect(outcome.status == .failed, "\(wrong)") }
    }

    @Test("Values that lead back to themselves can be compared and shown")
    func cycles() async throws {
        let outcome = try await run(
            """
            function ring(x) { var r = { x: x }; r.self = r; return r; }
            it("equal", () => expect(ring(1)).toEqual(ring(1)));
            it("different", () => expect(ring(1)).toEqual(ring(2)));
            """)
        #expect(outcome.summary == ["equal: passed", "different: failed"])
        #expect(outcome.messages[0].contains("[Circular]"))
    }

    @Test("A failure shows the difference and the location of the expectation")
    func difference() async throws {
        let outcome = try await run(
            """
            it("x", () => {
                expect({ name: "ACME", price: 12, list: [1, 2, 3] }).toEqual({ name: "ACME", price: 13, list: [1, 3] });
            });
            """)
        let failure = try #require(outcome.tests[0].failures.first)
        #expect(
            failure.message == """
                expect(received).toEqual(expected)

                - expected
                + received

                  {
                    "list": [
                      1,
                +     2,
                      3,
                    ],
                    "name": "ACME",
                -   "price": 13,
                +   "price": 12,
                  }
                """)
        #expect(failure.place?.file == "adapters/A/A.test.js")
        #expect(failure.place?.line == 2)
        #expect(failure.stack.allSatisfy { !$0.contains("lamplighter:") })
    }

    @Test("Values that appear the same and are not say so")
    func sameLooks() async throws {
        let outcome = try await run("it('x', () => expect([1]).toBe([1]));")
        #expect(outcome.messages[0].contains("toEqual compares by content"))
    }

    /// The lines of a failure that differ.
    private func differences(_ expectation: String) async throws -> [String] {
        let outcome = try await run("it('x', () => { \(expectation); });")
        let message = try #require(outcome.messages.first)
        return message.split(separator: "\n").map(String.init)
            .filter { ($0.hasPrefix("- ") || $0.hasPrefix("+ ")) && !["- expected", "+ received"].contains($0) }
    }

    @Test("shows differences deep in a large value")
    func largeValues() async throws {
        let values = """
            const a = Array.from({ length: 3000 }, (_, i) => ({ i, s: "x" + i })), b = a.map(o => ({ ...o }));
            b[1500].s = "y"; b[2900].s = "z";
            """
        #expect(
            try await differences("\(values) expect(a).toEqual(b)") == [
                #"-     "s": "y","#, #"+     "s": "x1500","#, #"-     "s": "z","#, #"+     "s": "x2900","#,
            ])
    }

    @Test("Matching parts are not shown as a difference")
    func matchingParts() async throws {
        #expect(
            try await differences("expect({ id: 'a', n: 1 }).toEqual({ id: expect.any(String), n: 2 })") == [
                #"-   "n": 2,"#, #"+   "n": 1,"#,
            ])
        #expect(
            try await differences("expect({ n: 1, b: { c: 1, d: 5 }, e: 3 }).toMatchObject({ n: 2, b: { c: 2 } })") == [
                #"-     "c": 2,"#, #"+     "c": 1,"#, #"-   "n": 2,"#, #"+   "n": 1,"#,
            ])
        #expect(
            try await differences("expect([{ id: 'a' }, 1]).toEqual([{ id: expect.anything() }])") == [#"+   1,"#])
        #expect(
            try await differences("expect({ a: undefined, n: 1 }).toEqual({ n: 2 })") == [
                #"-   "n": 2,"#, #"+   "n": 1,"#,
            ])
    }

    @Test("Only the differing lines of multi-line strings are shown")
    func linesOfTexts() async throws {
        #expect(
            try await differences(#"expect("a\nb\nc").toBe("a\nx\nc")"#) == [#"- "x\n""#, #"+ "b\n""#])
        #expect(
            try await differences(#"expect({ t: "a\nb\nc" }).toEqual({ t: "a\nx\nc" })"#) == [
                #"-     "x\n""#, #"+     "b\n""#,
            ])
    }

    @Test("toMatchObject compares values that lead back to themselves")
    func cyclicPatterns() async throws {
        let outcome = try await run(
            """
            function ring(x) { var r = { x: x, other: 1 }; r.self = r; return r; }
            it("equal", () => expect(ring(1)).toMatchObject(ring(1)));
            it("different", () => expect(ring(1)).toMatchObject(ring(2)));
            """)
        #expect(outcome.summary == ["equal: passed", "different: failed"])
        #expect(outcome.messages[0].contains("+   \"x\": 1"))
    }

    @Test("A list of the wrong length is shown with a line for each element")
    func lengths() async throws {
        let outcome = try await run("it('x', () => expect([{ a: 1, b: [2] }, 5]).toHaveLength(1));")
        #expect(
            outcome.messages == [
                """
                expect(received).toHaveLength(expected)

                expected: length 1, found 2
                received: [
                  { "a": 1, "b": [ 2, ], },
                  5,
                ]
                """
            ])
    }
}
