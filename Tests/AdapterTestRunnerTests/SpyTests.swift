import AdapterTestRunner
import Testing

@Suite("Spies")
struct SpyTests {
    @Test("a spy records arguments, results, errors and 'this' of its calls")
    func records() async throws {
        let outcome = try await run(
            """
            it("x", () => {
                const half = fn(x => { if (x % 2) throw new RangeError("odd"); return x / 2; });
                const owner = { half };
                expect(owner.half(4)).toBe(2);
                expect(() => half(3)).toThrow(RangeError);
                expect(half.mock.calls).toEqual([[4], [3]]);
                expect(half.mock.lastCall).toEqual([3]);
                expect(half.mock.contexts[0]).toBe(owner);
                expect(half.mock.results).toEqual([
                    { type: "return", value: 2 }, { type: "throw", value: new RangeError("odd") }
                ]);
            });
            """)
        #expect(outcome.messages == [])
    }

    @Test("a spy returns its values, first those for one call, then the one for all")
    func values() async throws {
        let outcome = try await run(
            """
            it("x", () => {
                const f = fn(() => "own").mockReturnValueOnce(1).mockImplementationOnce(x => x + 1);
                expect([f(), f(5), f()]).toEqual([1, 6, "own"]);
                f.mockReturnValue(7);
                expect([f(), f()]).toEqual([7, 7]);
                f.mockImplementation(x => x * 2);
                expect(f(4)).toBe(8);
            });
            """)
        #expect(outcome.messages == [])
    }

    @Test("mockClear forgets the calls, mockReset what the spy does as well")
    func resets() async throws {
        let outcome = try await run(
            """
            it("x", () => {
                const f = fn(() => 1).mockReturnValueOnce(2);
                f(); f();
                f.mockClear();
                expect(f).not.toHaveBeenCalled();
                expect(f()).toBe(1);
                f.mockReturnValueOnce(2).mockReset();
                expect(f()).toBe(undefined);
                expect(f).toHaveBeenCalledTimes(1);
            });
            """)
        #expect(outcome.messages == [])
    }

    @Test("a spy responds for a back end, and is called with the request")
    func backEnd() async throws {
        let outcome = try await run(
            """
            it("x", () => {
                const answer = fn().mockReturnValueOnce({ json: { price: 5 } }).mockReturnValue({ status: 503 });
                harness.backEnd().get("/prices", answer);
                expect(harness.call("run").price).toBe(5);
                expect(harness.call("run").statusCode).toBe(503);
                expect(answer).toHaveBeenCalledTimes(2);
                expect(answer).toHaveBeenCalledWith(expect.objectContaining({ method: "GET", path: "/prices" }));
            });
            """,
            adapter: "function run() { return WL.Server.invokeHttp({ method: 'get', path: '/prices' }); }")
        #expect(outcome.messages == [])
    }

    @Test("a failure lists the calls")
    func failure() async throws {
        let outcome = try await run(
            """
            const spy = calls => { const f = fn(x => x); calls.forEach(call => f(...call)); return f; };
            it("with", () => expect(spy([["a", 1], [{ b: [2] }]])).toHaveBeenCalledWith("a", 2));
            it("returned", () => expect(spy([["a"]])).toHaveReturnedWith("b"));
            it("none", () => expect(fn()).toHaveBeenCalled());
            it("other", () => expect(5).toHaveBeenCalled());
            """)
        #expect(
            outcome.messages == [
                """
                expect(received).toHaveBeenCalledWith(expected)

                expected: a call with ("a", 2)
                received: 2 calls:
                  1: ("a", 1)
                  2: ({ "b": [ 2, ], })
                """,
                """
                expect(received).toHaveReturnedWith(expected)

                expected: a call that returned "b"
                received: 1 call:
                  1: returned "a"
                """,
                "expect(received).toHaveBeenCalled()\n\nexpected: a call\nreceived: no calls",
                "expect(received).toHaveBeenCalled()\n\nexpected: a spy, made by fn()\nreceived: 5",
            ])
    }
}
