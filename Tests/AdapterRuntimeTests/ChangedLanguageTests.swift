import AdapterRuntime
import Core
import Logging
import PushModel
import Storage
import TestSupport
import Testing

/// Changes that one call makes to the language's own objects must not change the result of the next.
@Suite("Scripts that change the language")
struct ChangedLanguageTests {
    private static let changes = [
        "Object.prototype.isSuccessful = false", "Object.prototype.toJSON = function () { return 'mine' }",
        "Array.prototype.toJSON = function () { return 'mine' }", "JSON.stringify = function () { return 'mine' }",
        "JSON.parse = function () { return [] }", "JSON = undefined", "Object.prototype.errors = ['mine']",
        "Array.prototype[Symbol.iterator] = null",
        "Object.defineProperty(Object.prototype, 'isSuccessful', { get: function () { throw new Error('mine') } })",
    ]

    @Test("The next call has its arguments and its envelope as before", arguments: changes)
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

    @Test("A procedure called by another has its result as before", arguments: changes)
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
        let options = try #require(try project.store.outbox.deliveries(state: nil, limit: 1).first).options
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
        #expect(await project.call().contains("invokeProcedure: 'adapter' must be a string, got undefined"))
        #expect(project.problems == [])
        #expect(project.log.messages(at: .warning) == [])
    }

    @Test(
        "The supported part of Java works as before",
        arguments: changes + [
            "Map = Object = String = Proxy = Symbol = Reflect = RegExp = encodeURIComponent = decodeURIComponent = null",
            """
            ['get', 'set', 'has', 'delete', 'clear', 'forEach', 'values', 'entries', Symbol.iterator].forEach(
                function (name) { Map.prototype[name] = function () { return 'mine' } });
            Object.defineProperty(Map.prototype, 'size', { get: function () { return 'mine' } })
            """,
            """
            ['replace', 'toUpperCase', 'toLowerCase', 'charCodeAt', 'slice'].forEach(
                function (name) { String.prototype[name] = function () { return 'mine' } })
            """,
            """
            ['forEach', 'indexOf', 'join', 'map', 'push'].forEach(
                function (name) { Array.prototype[name] = function () { return 'mine' } });
            Array.from = Object.keys = Object.create = Object.assign = Object.defineProperty = Reflect.apply = null;
            Function.prototype.call = Function.prototype.apply = Function.prototype.bind = null
            """,
            """
            RegExp.prototype.exec = RegExp.prototype.test = function () { return 'mine' };
            RegExp.prototype[Symbol.replace] = function () { return 'mine' }
            """,
            "Object.prototype.set = Object.prototype.has = function () { return 'mine' }",
            "Object.prototype.get = function () { return 'mine' }; Object.prototype.value = 'mine'",
        ])
    func java(change: String) async throws {
        let project = try await TestProject(
            """
            function change() { \(change); }
            function table() {
                var p = new java.util.Properties(), q;
                p.put('a', 1);
                p.setProperty('b', 'x');
                p.remove('a');
                q = new Packages.java.util.Hashtable(p);
                q.put('c', q.size());
                return { old: q.get('b'), none: p.get('a'), has: q.containsKey('c'), value: q.containsValue(1), text: '' + q, q: q };
            }
            function rest() {
                return {
                    encoded: java.net.URLEncoder.encode("a b~(é)", 'UTF-8'),
                    decoded: java.net.URLDecoder.decode('a+b%C3%A9', 'utf8'),
                    thread: java.lang.Thread.currentThread().getId() > 0,
                    formatted: com.worklight.common.js.util.JSObjectConverter.toFormattedString({ a: 1 }),
                    name: '' + Packages.java.util.Date, time: java.lang.System.currentTimeMillis() > 0
                };
            }
            function imported() {
                with (new JavaImporter(java.util, java.net.URLEncoder)) {
                    return { size: new Properties().size(), text: URLEncoder.encode('a b') };
                }
            }
            function missing() { java.util.UUID.randomUUID() }
            """, procedures: ["change", "table", "rest", "imported", "missing"])
        _ = await project.call(procedure: "change")
        #expect(
            await project.call(procedure: "table")
                == #"{"isSuccessful":true,"old":"x","none":null,"has":true,"value":true,"text":"{b=x, c=1}","q":{"b":"x","c":1}}"#
        )
        #expect(
            await project.call(procedure: "rest")
                == #"""
                {"isSuccessful":true,"encoded":"a+b%7E%28%C3%A9%29","decoded":"a bé","thread":true,\#
                "formatted":"{\n    \"a\": 1\n}","name":"[Java java.util.Date]","time":true}
                """#)
        #expect(await project.call(procedure: "imported") == #"{"isSuccessful":true,"size":0,"text":"a+b"}"#)
        #expect(await project.call(procedure: "missing").contains("java.util.UUID.randomUUID is not available"))
    }

    @Test(
        "XML, iterators and source strings work as before when all objects inherit members",
        arguments: ["get", "set", "value", "writable", "apply", "has", "ownKeys", "prefix", "parent", "proxy"])
    func inherited(name: String) async throws {
        let project = try await TestProject(
            """
            function change() {
                Object.defineProperty(Object.prototype, '\(name)', {
                    value: function () { return 'mine' }, writable: true, configurable: true
                });
            }
            function run() {
                var x = <a><b c="1">t</b><b c="2"/></a>, list = [], each;
                x.d = <e>{'n'}</e>;
                x.b[1].@c = 3;
                delete x.b[0].@c;
                for each (each in x.b) list.push(String(each.@c));
                list = list.concat([i * 2 for (i in Iterator([1, 2], true))]);
                with (x) { list.push(String(x.b.(@c == 3).length())); }
                return { xml: x.toXMLString(), list: list, source: [1, 'a'].toSource(), text: String.trim(' z ') };
            }
            """, procedures: ["change", "run"])
        let before = await project.call()
        #expect(before.contains(#""list":["","3",0,2,"1"],"source":"[1, \"a\"]","text":"z""#))
        _ = await project.call(procedure: "change")
        #expect(await project.call() == before)
    }

    @Test("A table of Java's keeps an entry whatever its key is called")
    func javaKeys() async throws {
        let project = try await TestProject(
            """
            function run() {
                var p = new java.util.Properties();
                ['__proto__', 'constructor', 'toString'].forEach(function (key, i) { p.put(key, i) });
                return { p: p, copy: new java.util.Hashtable(p).size() };
            }
            """)
        #expect(
            await project.call()
                == #"{"isSuccessful":true,"p":{"__proto__":0,"constructor":1,"toString":2},"copy":3}"#)
    }

    @Test("A user's attributes come back whole, whatever their members are called")
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
