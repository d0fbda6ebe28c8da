import AdapterRuntime
import Core
import Logging
import TestSupport
import Testing
import WorklightProject

@Suite("Event handlers")
struct EventHandlerTests {
    /// A project whose handlers log that they were called; the first also logs the event.
    private func project(_ handlers: String) async throws -> TestProject {
        try await TestProject(
            """
            function a(event) { WL.Logger.info('a ' + JSON.stringify(event)) }
            function b(event) { WL.Logger.info('b') }
            function broken(event) { throw new Error('no') }
            WL.Server.setEventHandlers([\(handlers)]);
            """, procedures: [])
    }

    private func called(_ handlers: String, with event: JSONValue) async throws -> [String] {
        let project = try await project(handlers)
        await project.runtime.handle(clientEvents: [event], caller: Caller(session: ClientSession(id: "s")))
        return project.log.messages(at: .info)
    }

    @Test("A filter without members matches every event, and the handler gets the whole event")
    func everything() async throws {
        let called = try await called("WL.Server.createEventHandler({}, a)", with: ["event": "x", "n": 1])
        #expect(called == [#"a {"event":"x","n":1}"#])
    }

    @Test(
        "A filter is a pattern of a part of the event",
        arguments: [
            ("{status: 'gold'}", #"{"status":"gold","more":1}"#, true),
            ("{status: 'gold'}", #"{"status":"silver"}"#, false),
            ("{status: 'gold'}", #"{}"#, false),
            ("{hotel: {country: 'USA'}}", #"{"hotel":{"country":"USA","city":"X"}}"#, true),
            ("{hotel: {country: 'USA'}}", #"{"hotel":"USA"}"#, false),
            ("{n: 1}", #"{"n":"1"}"#, false),
            ("{n: null}", #"{"n":null}"#, true),
            ("{n: null}", #"{}"#, false),
            ("{l: [1, {a: 2}]}", #"{"l":[1,{"a":2,"b":3}]}"#, true),
            ("{l: [1]}", #"{"l":[1,2]}"#, false),
        ])
    func filter(filter: String, event: String, matches: Bool) async throws {
        let called = try await called(
            "WL.Server.createEventHandler(\(filter), b)", with: try JSONValue(parsing: event))
        #expect(called == (matches ? ["b"] : []))
    }

    @Test("Every handler that matches is called, in order, and one that throws concerns no other")
    func several() async throws {
        let project = try await project(
            "{filter: {}, handler: broken}, WL.Server.createEventHandler({}, b), {filter: {}, handler: 'a'}")
        let count = await project.runtime.handle(clientEvents: [["x": 1]], caller: Caller())
        #expect(count == 2)
        #expect(project.log.messages(at: .info) == ["b", #"a {"x":1}"#])
        #expect(project.log.messages(at: .error).count == 1)
        #expect(project.log.messages(at: .error)[0].contains("adapters/A/A-impl.js:3"))
    }

    @Test("The last call of setEventHandlers counts, and an empty array removes the handlers")
    func replacing() async throws {
        let project = try await TestProject(
            "WL.Server.setEventHandlers([{ filter: {}, handler: function () {} }]); WL.Server.setEventHandlers([]);",
            procedures: [])
        #expect(await project.runtime.handle(clientEvents: [[:]], caller: Caller()) == 0)
    }

    @Test("An SMS goes to the SMS handlers alone, with all that the gateway sent")
    func sms() async throws {
        let project = try await project(
            "WL.Server.createEventHandler({}, b), WL.Server.createSMSEventHandler({keyword: 'sub'}, a, 'gateway')")
        await project.runtime.handle(smsParameters: ["from": "123", "keyword": "sub"])
        #expect(project.log.messages(at: .info) == [#"a {"from":"123","keyword":"sub"}"#])
    }

    @Test("A USSD handler is chosen by parameters, headers and path, and its response goes to the gateway")
    func ussd() async throws {
        let project = try await TestProject(
            """
            function menu(r) { return WL.Server.createUSSDResponse('You said ' + r.params.input + r.body, null, true) }
            WL.Server.setEventHandlers([
                WL.Server.createUSSDEventHandler({ __wlpath: '/other' }, function () { return 1 }),
                WL.Server.createUSSDEventHandler({ __wlpath: '/one', shortCode: '*1#', 'X-Gate': 'g' }, menu)]);
            """, procedures: [])
        let request = USSDRequest(
            path: "/one", parameters: ["shortCode": "*1#", "input": "5"], headers: ["X-Gate": "g"], body: "!")
        let answer = try #require(await project.runtime.handle(ussd: request))
        #expect(answer.content == "You said 5!")
        #expect(answer.contentType == "text/plain; charset=UTF-8")
        #expect(answer.isLast)
        let stranger = USSDRequest(path: "/none", parameters: [:], headers: [:], body: "")
        #expect(await project.runtime.handle(ussd: stranger) == nil)
    }

    @Test("An invalid handler is an error at load that names its element")
    func wrong() async throws {
        let project = try await project("{filter: {}, handler: a}, {filter: {}}")
        try #require(project.problems.count == 1)
        #expect(project.problems[0].message.contains("setEventHandlers: the handler of element 1 is not a function"))
        #expect(project.problems[0].line == 4)
    }
}
