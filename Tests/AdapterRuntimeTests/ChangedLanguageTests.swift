import AdapterRuntime
import Logging
import PushModel
import Storage
import TestSupport
import Testing

/// What one call does to the language's own objects must not change how the next one is answered.
@Suite("Scripts that change the language")
struct ChangedLanguageTests {
    private static let changes = [
        "Object.prototype.isSuccessful = false", "Object.prototype.toJSON = function () { return 'mine' }",
        "Array.prototype.toJSON = function () { return 'mine' }", "JSON.stringify = function () { return 'mine' }",
        "JSON.parse = function () { return [] }", "JSON = undefined", "Object.prototype.errors = ['mine']",
        "Array.prototype[Symbol.iterator] = null",
        "Object.defineProperty(Object.prototype, 'isSuccessful', { get: function () { throw new Error('mine') } })",
    ]

    @Test("The next call has its arguments and its envelope as ever", arguments: changes)
    func envelope(change: String) async throws {
        let project = try await TestProject(
            """
            function change() { \(change); }
            function run(a, b, c, d) { return { list: [a, b, c, d] } }
            function list() { return [1, { a: 2 }] }
            """, procedures: ["change", "run", "list"])
        #expect(await project.call(procedure: "change") == #"{"isSuccessful":true}"#)
        #expect(
            await project.call(#"[1, {"x": [2]}, "c", null]"#)
                == #"{"isSuccessful":true,"list":[1,{"x":[2]},"c",null]}"#)
        #expect(await project.call(procedure: "list") == #"{"isSuccessful":true,"array":[1,{"a":2}]}"#)
    }

    @Test("A procedure called by another has its result as ever", arguments: changes)
    func nested(change: String) async throws {
        let project = try await TestProject(
            """
            function change() { \(change); }
            function inner(list) { return { list: list } }
            function run() {
                return WL.Server.invokeProcedure({ adapter: 'A', procedure: 'inner', parameters: [[1, 2]] });
            }
            """, procedures: ["change", "inner", "run"])
        _ = await project.call(procedure: "change")
        #expect(await project.call() == #"{"isSuccessful":true,"list":[1,2]}"#)
    }

    @Test("A notification is what the script wrote", arguments: changes + ["Object.prototype.GCM = { alert: 'mine' }"])
    func notification(change: String) async throws {
        let project = try await TestProject(
            """
            WL.Server.createEventSource({ name: 'S' });
            function run() {
                \(change);
                var user = WL.Server.getUserNotificationSubscription('A.S', 'ann');
                WL.Server.notifyAllDevices(user, { GCM: { alert: 'hi', payload: { list: [1] } } });
                return { own: Object.keys(WL.Server.createDefaultNotification('x')).length };
            }
            """)
        try await project.subscribe("ann")
        #expect(await project.call() == #"{"isSuccessful":true,"own":5}"#)
        let options = try #require(try project.store.deliveries(state: nil, limit: 1).first).options
        #expect(options.text == #"{"GCM":{"alert":"hi","payload":{"list":[1]}}}"#)
    }

    @Test("Options that all objects inherit are neither read nor warned of")
    func options() async throws {
        let project = try await TestProject(
            """
            Object.prototype.extend = function () {};
            Object.prototype.poll = { interval: 1, onPoll: 'run' };
            Object.prototype.securityTest = 'mine';
            WL.Server.createEventSource({ name: 'S' });
            Object.prototype.adapter = 'A';
            function run() { return WL.Server.invokeProcedure({ procedure: 'run' }) }
            """)
        #expect(await project.call().contains("invokeProcedure: 'adapter' must be a text, got nothing (undefined)"))
        #expect(project.problems == [])
        #expect(project.log.messages(at: .warning) == [])
    }

    @Test("What a back end answers and a notification names comes whole, whatever its members are called")
    func names() async throws {
        let project = try await TestProject(
            """
            function run(map) {
                WL.Server.setActiveUser('R', { userId: 'ann', attributes: map });
                return { keys: Object.keys(WL.Server.getActiveUser('R').attributes), own: map.constructor };
            }
            """)
        #expect(
            await project.call(#"[{"__proto__": 1, "constructor": 2, "toString": 3}]"#)
                == #"{"isSuccessful":true,"keys":["__proto__","constructor","toString"],"own":2}"#)
    }
}
