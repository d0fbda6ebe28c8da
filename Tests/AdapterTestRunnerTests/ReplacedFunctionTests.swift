import AdapterTestRunner
import Foundation
import TestSupport
import Testing

@Suite("Tests that replace functions of the language")
struct ReplacedFunctionTests {
    /// `replaceAll(wrong)` replaces the methods and getters of the language, but for those by which a test's own code makes maps,
    /// sets and the like.
    private static let replacing = """
        const replaceAll = (function () {
            const ownKeys = Reflect.ownKeys, describeMember = Object.getOwnPropertyDescriptor, define = Object.defineProperty;
            const types = [Object, Function, Array, String, Number, Boolean, BigInt, Symbol, RegExp, Date, Map, Set, Error, TypeError,
                ArrayBuffer, DataView, Uint8Array, Object.getPrototypeOf(Uint8Array)];
            const holders = types.concat(types.map(type => type.prototype), [JSON, Math, Reflect]);
            const kept = ["constructor", "prototype", Symbol.iterator, Symbol.hasInstance];
            const isKept = (holder, key) => {
                for (let i = 0; i < kept.length; i++) if (kept[i] === key) return true;
                return holder === Map.prototype && key === "set" || holder === Set.prototype && key === "add"
                    || key === "buffer";
            };
            return function (wrong) {
                let count = 0;
                for (let i = 0; i < holders.length; i++) {
                    const keys = ownKeys(holders[i]);
                    for (let j = 0; j < keys.length; j++) {
                        const member = describeMember(holders[i], keys[j]);
                        if (!member.configurable || isKept(holders[i], keys[j])) continue;
                        if (typeof member.value === "function") member.value = wrong;
                        else if (member.get) member.get = wrong;
                        else continue;
                        define(holders[i], keys[j], member);
                        count++;
                    }
                }
                return count;
            };
        })();

        """

    static let wrongs = TestExtent.size(
        ["() => { throw new Error('replaced'); }"],
        full: [
            "() => { throw new Error('replaced'); }", "() => true", "() => false", "() => 0",
            "function () { return this; }",
        ])

    @Test("Expectations pass and fail as before", arguments: wrongs)
    func expectations(wrong: String) async throws {
        let opposites = try ExpectTests.truths.map { truth in
            let end = try #require(truth.range(of: ").to", options: .backwards))
            return truth.replacingCharacters(in: end, with: ").not.to")
        }
        let expectations = ExpectTests.truths + opposites + ExpectTests.falsehoods
        let tests = expectations.map { "it('x', () => { \($0); });\n" }.joined()
        let before = try await run(tests).tests
        let after = try await run(
            Self.replacing + "it('replaces', () => { if (replaceAll(\(wrong)) < 300) throw 'few'; });\n" + tests
        ).tests
        #expect(before.count(where: { $0.status == .passed }) == ExpectTests.truths.count)
        #expect(after.first?.status == .passed)
        for ((before, after), expectation) in zip(zip(before, after.dropFirst()), expectations) {
            #expect(after.failures.map(\.message) == before.failures.map(\.message), "\(expectation)")
        }
        #expect(after.count == expectations.count + 1)
    }

    @Test("Suites, the harness and the console work as they did", arguments: wrongs)
    func surroundings(wrong: String) async throws {
        let outcome = try await run(
            Self.replacing + """
                replaceAll(\(wrong));
                describe("outer", () => {
                    let ran = 0;
                    beforeAll(() => { ran += 1; });
                    beforeEach(() => { ran += 10; });
                    afterEach(() => { ran += 100; });
                    describe.only("inner", () => {
                        it.each([[1, 2, 3], [2, 2, 5]])("%d + %i is %s", (a, b, sum) => { expect(a + b).toBe(sum); });
                        it.each([{ name: "x" }])("is $name (%j)", row => expect(row.name).toBe("x"));
                        it("has run", () => expect(ran).toBe(341));
                        it("calls", () => {
                            harness.backEnd().get("/x", request => ({ json: { of: request.query.of } }));
                            harness.backEnd().on("post", "/x", { status: 503 }, { text: "later" });
                            console.log("a", { b: [1] });
                            expect(harness.call("run", "get").of).toBe("ACME");
                            expect(harness.call("run", "post").statusCode).toBe(503);
                            expect(harness.call("run", "post").text).toBe("later");
                            expect(() => harness.backEnd().get("/x", { jsn: 1 })).toThrow("there are: status, headers");
                            harness.user("ann").device("phone").subscribe("S", { alias: "a" });
                            expect(harness.backEnd().requests[0].path).toBe("/x");
                            expect(harness.clock.now()).toEqual(new Date(1700000000000));
                        });
                    });
                    it("is left out", () => {});
                });
                """,
            adapter: """
                WL.Server.createEventSource({ name: "S" });
                function run(how) { return WL.Server.invokeHttp({ method: how, path: "/x", parameters: { of: "ACME" } }); }
                """)
        #expect(
            outcome.summary == [
                "outer > inner > 1 + 2 is 3: passed", "outer > inner > 2 + 2 is 5: failed",
                #"outer > inner > is x ({"name":"x"}): passed"#, "outer > inner > has run: passed",
                "outer > inner > calls: passed", "outer > is left out: skipped",
            ], "\(outcome.messages)")
        #expect(outcome.tests.dropFirst(4).first?.output == ["a {\n  \"b\": [\n    1,\n  ],\n}"])
    }
}
