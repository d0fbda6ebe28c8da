import AdapterChecks
import TestSupport
import Testing
import WorklightProject

@Suite("Names that nothing has")
struct NameTests {
    @Test(
        "An unknown name is found, with the closest known one",
        arguments: [
            ("function run() { return conole.log(1); }", "1:25", "is 'console' meant?"),
            ("function run() { return helpr(); } function helper() {} helper();", "1:25", "is 'helper' meant?"),
            ("function run() { setTimeout(run, 5); }", "1:18", "there are no timers"),
            ("const fs = require('fs'); function run() { return fs; }", "1:12", "there are no modules"),
            ("function run() { window.x = 1; }", "1:18", "it is of web pages"),
        ])
    func found(source: String, place: String, message: String) async throws {
        let checked = try await Checked(source)
        #expect(checked.places == ["\(place) unknown-name"])
        #expect(try checked.only(.unknownName).message.contains(message))
    }

    @Test(
        "Names of the runtime, the language and the script are known",
        arguments: [
            "function run() { return JSON.stringify([Math.PI, new Date(), parseInt('1'), arguments.length, undefined, NaN]); }",
            "function run() { console.log(new Map(), Symbol('a'), Reflect, Intl, globalThis); }",
            "function run() { WL.Logger.info(MFP.Server.getActiveUser()); java.lang.System.out.println(1); }",
            "function run() { if (typeof settings !== 'undefined') return settings.x; }",
            "function run(o) { with (o) { return anything; } }",
            "(function (root) { root.x = 1; })(this); function run() { return x; }",
            "var root = this; root.x = 1; function run() { return x; }",
            "function run(a) { return a..b.(name == 'x'); } // lamplighter:allow rhino-only",
            "this.late = 1; function run() { return late; }",
            "function run() { try { f(); } catch (problem) { return problem; } function f() {} }",
            "function run() { loop: for (var i = 0; ; i++) { break loop; } }",
            "class A {} function run() { return new A(); }",
            "function run({ a, b = a }, ...c) { return [a, b, c]; }",
            "var f = function g() { return g; }; function run() { f(); }",
        ])
    func known(source: String) async throws {
        #expect(try await Checked(source).places == [])
    }

    @Test(
        "An unknown member of WL is found",
        arguments: [
            ("WL.Server.invokeHTTP({})", "WL.Server has no 'invokeHTTP', so the call fails; is 'invokeHttp' meant?"),
            ("WL.Logger.warning('x')", "WL.Logger has no 'warning'"),
            ("MFP.Geo.isInside({})", "MFP.Geo has no 'isInside'"),
            ("WL.Client.logout()", "there is no WL.Client in an adapter, so the call fails; it is of clients"),
            ("WL.Loger.info(1)", "is 'Logger' meant?"),
        ])
    func members(call: String, message: String) async throws {
        let checked = try await Checked("function run() { \(call); }")
        #expect(checked.places == ["1:18 unknown-member"])
        #expect(try checked.only(.unknownMember).message.contains(message))
    }

    @Test(
        "A WL of the script's own is none of its business",
        arguments: [
            "var WL = { Server: { f() {} } }; function run() { WL.Server.f(); }", "function run(WL) { WL.x(); }",
            "function run(WL) { WL.Server.f(); WL.Client.x(); } function other() { WL.Logger.info(1); } other();",
            "function run(com) { com.example.f(); } function other() { return com; } other();",
        ])
    func ownNamespace(source: String) async throws {
        #expect(try await Checked(source).places == [])
    }

    @Test(
        "A member of WL that the script tests may be missing",
        arguments: [
            "if (WL.Server.x) WL.Server.x();", "if (!WL.Server.x) return; WL.Server.x();",
            "return WL.Server.x ? WL.Server.x() : 1;", "return WL.Server.x && WL.Server.x();",
            "if (typeof WL.Server.x === 'function') WL.Server.x();", "if (WL.Client) WL.Client.x();",
            "if (WL.Server.x !== undefined) WL.Server.x();", "return WL.Server.x?.();",
        ])
    func guarded(source: String) async throws {
        #expect(try await Checked("function run() { \(source) }").places == [])
    }

    @Test("A member of WL is not excused by the script's asking for another one, nor by a parameter's name elsewhere")
    func notGuarded() async throws {
        let checked = try await Checked(
            "function run() { if (WL.Server.x) WL.Server.y(); }\nfunction other(WL) { WL.Server.z(); }\nother();")
        #expect(checked.places == ["1:35 unknown-member"])
    }

    @Test("All existing options are known")
    func knownOptions() async throws {
        let checked = try await Checked(
            """
            WL.Server.createEventSource({ name: 'E', poll: { interval: 5, onPoll: run }, onUserSubscribe: run });
            function run() { WL.Server.invokeHttp({ method: 'get', path: '/', returnedContentType: 'json' }); }
            """, connectivity: Checked.http)
        #expect(checked.places == [])
    }

    @Test(
        "An unused option is found, with its right position",
        arguments: [
            ("createEventSource({ name: 'E', onDevicSubscribe: 'run' })", "is 'onDeviceSubscribe' meant?"),
            ("createEventSource({ name: 'E', interval: 5 })", "it belongs into poll"),
            (
                "createEventSource({ name: 'E', poll: { interval: 5, onPoll: run, securityTest: 'x' } })",
                "it belongs beside poll"
            ),
            ("invokeHttp({ method: 'get', path: '/', returnContentType: 'json' })", "is 'returnedContentType' meant?"),
            ("sendMessage('App', { message: { alert: 'x' }, targets: {} })", "is 'target' meant?"),
        ])
    func options(call: String, message: String) async throws {
        let checked = try await Checked("WL.Server.\(call);\nfunction run() {}", connectivity: Checked.http)
        #expect(checked.places.map { $0.split(separator: " ")[1] } == ["unknown-option"])
        #expect(try checked.only(.unknownOption).message.contains(message))
    }
}
