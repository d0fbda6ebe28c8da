import LamplighterTesting
import Testing

@Suite("Requests that tests make")
struct HarnessRequestTests {
    private static let script = """
        function about() {
            var request = WL.Server.getClientRequest();
            return { shop: request.getHeader("x-shop"), from: request.getRemoteAddr(), page: request.getParameter("page"),
                url: request.getRequestURL() };
        }
        WL.Server.setEventHandlers([
            WL.Server.createEventHandler({}, function (event) { WL.Logger.warn(about().shop + event.n); }),
            WL.Server.createSMSEventHandler({ code: "1" }, function (message) {
                if (message.text === "boom") throw new Error("boom");
                WL.Logger.warn(message.text + about().url);
            }, "g"),
            WL.Server.createUSSDEventHandler({ __wlpath: "/menu" }, function (event) {
                if (event.params.input === "boom") throw new Error("boom");
                return WL.Server.createUSSDResponse(
                    event.params.input + event.body + event.headers["X-Gate"] + about().page, "text/x", event.params.input === "2");
            })
        ]);
        """

    private func harness() async throws -> AdapterHarness {
        try await AdapterHarness(adapter: "A", script: Self.script)
    }

    private let request = ClientRequest(
        method: "POST", url: "http://shop.test/x", headers: [(name: "X-Shop", value: "7")],
        parameters: [(name: "page", value: "3")], remoteAddress: "192.0.2.7")

    @Test("A client sets the request of its calls, and one call may have another")
    func client() async throws {
        let harness = try await harness()
        var ann = harness.user("ann")
        ann.request.headers = [(name: "X-Shop", value: "1")]
        try await ann.call("about").expect(containing: ["shop": "1", "from": "127.0.0.1"])
        let other = ann.withRequest(request)
        try await other.call("about").expect(containing: ["shop": "7", "from": "192.0.2.7", "page": "3"])
        #expect(other.session.id == ann.session.id)
        try await ann.call("about").expect(containing: ["shop": "1"])
        #expect(try await other.transmit(["n": 5]) == 1)
    }

    @Test("Back ends have requests, and may have any")
    func backEnds() async throws {
        let harness = try await harness()
        try await harness.call("about").expect(
            containing: ["shop": .null, "from": "127.0.0.1", "url": "http://localhost/invoke"])
        try await harness.withRequest(request).call("about").expect(containing: ["shop": "7", "from": "192.0.2.7"])
        try await harness.withRequest(request).reply("about").expect(containing: ["isSuccessful": true, "shop": "7"])
    }

    @Test("A text message reaches its handler")
    func textMessage() async throws {
        let harness = try await harness()
        #expect(try await harness.receiveSMS(["code": "1", "text": "hello"]) == 1)
        #expect(try await harness.receiveSMS(["code": "2", "text": "hello"]) == 0)
        #expect(harness.log.contains { $0.message == "hellohttp://localhost/receiveSMS" })
        let failure = try await #require(throws: CallbackError.self) {
            try await harness.receiveSMS(["code": "1", "text": "boom"])
        }
        #expect(failure.message.contains("boom"))
        let misuse = try await #require(throws: HarnessMisuseError.self) { try await harness.receiveSMS(["code": 1]) }
        #expect(misuse.message == "receiveSMS: the parameter 'code': expected a string, as in requests, got 1")
    }

    @Test("A dialogue goes step by step, as its handler responds")
    func dialogue() async throws {
        let harness = try await harness()
        let first = try #require(
            try await harness.ussd(["input": "1", "page": "9"], path: "/menu", headers: ["X-Gate": "g"], body: "b"))
        #expect(first.content == "1bg9" && first.contentType == "text/x" && !first.isLast)
        #expect(try await harness.ussd(["input": "2"], path: "/menu")?.isLast == true)
        #expect(try await harness.ussd(["input": "2"], path: "/other") == nil)
        await #expect(throws: CallbackError.self) { try await harness.ussd(["input": "boom"], path: "/menu") }
        await #expect(throws: HarnessMisuseError.self) { try await harness.ussd(path: "menu") }
        await #expect(throws: HarnessMisuseError.self) { try await harness.ussd(headers: ["X": 1]) }
    }
}
