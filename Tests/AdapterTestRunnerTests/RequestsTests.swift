import AdapterRuntime
import AdapterTestRunner
import JavaScriptEngine
import Testing

@Suite("Requests that tests in JavaScript make")
struct RequestsTests {
    private static let adapter = """
        function run() {
            var request = WL.Server.getClientRequest();
            return { shop: request.getHeader("X-Shop"), from: request.getRemoteAddr(), method: request.getMethod(),
                url: request.getRequestURL(), query: request.getQueryString(), page: request.getParameter("page") };
        }
        WL.Server.setEventHandlers([
            WL.Server.createEventHandler({}, function (event) { WL.Logger.warn(run().shop + event.n); }),
            WL.Server.createSMSEventHandler({ code: "1" }, function (message) {
                if (message.text === "boom") throw new Error("boom");
                WL.Logger.warn(message.text);
            }, "g"),
            WL.Server.createUSSDEventHandler({ __wlpath: "/menu" }, function (event) {
                return WL.Server.createUSSDResponse(
                    event.params.input + event.body + event.headers["X-Gate"], "text/x", event.params.input === "2");
            })
        ]);
        """

    @Test("Calls and events have the test's request, in the same session")
    func requests() async throws {
        let outcome = try await run(
            """
            const shop = { headers: { "X-Shop": "7" }, address: "192.0.2.7", method: "GET", path: "/x", query: { page: "a b" } };
            const seen = { shop: "7", from: "192.0.2.7", method: "GET", url: "http://localhost/x", query: "page=a%20b", page: "a b" };
            it("client", () => {
                const ann = harness.user("ann"), other = ann.withRequest(shop);
                expect(other.call("run")).toMatchObject(seen);
                expect(other.reply("run")).toMatchObject(seen);
                expect(ann.call("run")).toMatchObject({ shop: null, from: "127.0.0.1", method: "POST" });
                expect(other.name).toBe("ann");
                expect(other.identity("user").userId).toBe("ann");
                expect(other.transmit({ n: 5 })).toBe(1);
                ann.end();
                expect(() => other.call("run")).toThrow("this session has ended");
            });
            it("back end", () => {
                expect(harness.withRequest(shop).call("run")).toMatchObject(seen);
                expect(harness.withRequest({ headers: { "X-Shop": ["1", "2"] } }).reply("run").shop).toBe("1");
                expect(harness.call("run")).toMatchObject({ from: "127.0.0.1", url: "http://localhost/invoke" });
            });
            it("text message", () => {
                expect(harness.receiveSMS({ code: "1", text: "hello" })).toBe(1);
                expect(harness.receiveSMS({ code: "2", text: "hello" })).toBe(0);
                expect(harness.log.filter(line => line.level === "warning").map(line => line.message)).toEqual(["hello"]);
                expect(() => harness.receiveSMS({ code: "1", text: "boom" })).toThrow("boom");
            });
            it("dialogue", () => {
                expect(harness.ussd({ input: "1" }, { path: "/menu", headers: { "X-Gate": "g" }, body: "b" }))
                    .toEqual({ content: "1bg", contentType: "text/x", isLastMsg: false });
                expect(harness.ussd({ input: "2" }, { path: "/menu" }).isLastMsg).toBe(true);
                expect(harness.ussd({ input: "2" })).toBeNull();
            });
            it.each([
                [() => harness.withRequest({ header: {} }), "has no option 'header'"],
                [() => harness.withRequest({ headers: { a: 1 } }), "'a': expected a string, got 1"],
                [() => harness.withRequest({ headers: [] }), "expected an object of strings"],
                [() => harness.withRequest({ address: 7 }), "address: expected a string"],
                [() => harness.user("ann").withRequest({ path: "x" }), "expected one such as /news"],
                [() => harness.receiveSMS({ code: 1 }), "'code': expected a string, got 1"],
                [() => harness.receiveSMS("x"), "expected an object of strings"],
                [() => harness.ussd({}, { path: "menu" }), "expected what follows /ussd"],
                [() => harness.database().query("select 1", 7), "expected a list, got 7"],
                [() => harness.clock.advance(NaN), "0 to 1e9, got NaN"],
                [() => harness.clock.advance(-1), "0 to 1e9, got -1"]
            ])("%#", (wrong, reason) => expect(wrong).toThrow(reason));
            """, adapter: Self.adapter)
        #expect(outcome.messages == [])
        #expect(outcome.tests.count == 15)
    }

    @Test("A stub that sends a text message is refused, since the adapter waits for the stub")
    func nested() async throws {
        let outcome = try await run(
            """
            it("x", () => {
                harness.backEnd().get("/x", () => { harness.receiveSMS({}); return {}; });
                harness.call("run");
            });
            """, adapter: "function run() { return WL.Server.invokeHttp({ method: 'get', path: '/x' }); }")
        #expect(
            outcome.messages.first?.contains("harness.receiveSMS: the adapter waits") == true, "\(outcome.messages)")
    }

    @Test("Calls have the runner's limits, and the error says where the project sets them")
    func limits() async throws {
        let outcome = try await run("it('x', () => harness.call('run'));", adapter: "function run() { for (;;); }") {
            $0.runtime.calls.cpuTime = .milliseconds(50)
        }
        #expect(
            outcome.messages.first?.contains("raise limits.cpuTime in lamplighter.yaml if it needs more") == true,
            "\(outcome.messages)")
    }
}
