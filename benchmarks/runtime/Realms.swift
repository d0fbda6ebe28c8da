import AdapterSyntax
import Foundation
import JavaScriptEngine

/// What sessions cost that have a global scope each, beside sessions that are closures in one realm, before and after it is locked; and what
/// locking costs the language's own functions. It decides how ``ScopeFunction`` is used.
enum Realms {
    private enum Kind: String, CaseIterable {
        case globals = "a global for each session"
        case open = "closures, realm not locked"
        case locked = "closures, locked realm"
    }

    private static let script: String = {
        let variables = (0..<100).map { "var v\($0) = \($0);" }.joined(separator: "\n")
        let functions = (0..<50).map { "function f\($0)(x) { return { text: 'n' + x, value: v\($0) + x }; }" }.joined(
            separator: "\n")
        return """
            \(variables)
            \(functions)
            var calls = 0;
            function run(order) {
                calls++;
                var lines = [];
                for (var i = 0; i < order.items.length; i++) lines.push(f1(order.items[i]).text + f2(i).value);
                return { isSuccessful: true, user: order.user, lines: lines.join(","), calls: calls };
            }
            """
    }()
    private static let arguments = #"[{"user":"bjones","items":[1,2,3,4,5,6,7,8]}]"#

    static func measure() async throws {
        for sessions in [1, 1_000] {
            for kind in Kind.allCases { try await measure(kind, sessions: sessions) }
        }
        try await measureMachines()
        try await measureFunctions()
    }

    private static func measure(_ kind: Kind, sessions: Int) async throws {
        let machine = try VirtualMachine.start(name: "realms")
        let line = try await machine.run { machine in
            let contexts = try machine.contexts
            let realm = try contexts.make(name: "realm")
            let function = ScopeFunction(
                try SyntaxTree(script, file: "A-impl.js"), globals: try Realms.globals(in: realm))
            if kind == .locked { try realm.lock() }
            let make = try realm.evaluate(function.source, file: "A-impl.js")
            let library = try realm.evaluate(ScopeFunction.library, file: "lamplighter:scope")
            var get = realm.undefined
            let begin = try realm.makeFunction("begin") { call in
                get = call[0]
                return call.context.undefined
            }
            var calls: [() throws -> String?] = []
            machine.collectGarbage()
            let size = residentSize()
            let heap = machine.heapSizeAfterCollection
            let start = processorTime()
            for _ in 0..<sessions {
                if kind == .globals {
                    let context = try contexts.make(name: "session")
                    try context.evaluate(script, file: "A-impl.js")
                    calls.append { try context.call("run", jsonArguments: arguments) }
                } else {
                    _ = try make.call([realm.global, library, begin])
                    let find = get
                    calls.append { try realm.call(try find.call([realm.make("run")]), jsonArguments: arguments) }
                }
            }
            let made = (processorTime() - start) * 1e6 / Double(sessions)
            machine.collectGarbage()
            let memory = Double(residentSize() - size) / 1024 / Double(sessions)
            let inHeap = Double(machine.heapSizeAfterCollection - heap) / 1024 / Double(sessions)
            var best = Double.infinity
            for _ in 0..<7 {
                let rounds = 20_000 / sessions
                let start = processorTime()
                for _ in 0..<rounds { for call in calls { _ = try call() } }
                best = min(best, (processorTime() - start) * 1e6 / Double(rounds * sessions))
            }
            return "\(sessions) sessions, \(kind.rawValue): \(best.short) us a call, made in \(made.short) us, "
                + "\(memory.short) KB resident, \(inHeap.short) KB of heap"
        }
        print(line)
    }

    private static func globals(in context: ScriptContext) throws -> Set<String> {
        let names = """
            (function () {
                var names = [];
                for (var at = globalThis; at; at = Object.getPrototypeOf(at)) names.push.apply(names, Object.getOwnPropertyNames(at));
                return names;
            })()
            """
        return Set(try context.evaluate(names, file: "names.js").elements().compactMap(\.string))
    }

    /// A machine with a realm, locked and not.
    private static func measureMachines() async throws {
        for isLocked in [false, true] {
            let count = 40
            var machines: [VirtualMachine] = []
            let size = residentSize()
            var time = 0.0
            var heap = 0
            for number in 0..<count {
                let machine = try VirtualMachine.start(name: "machine \(number)")
                let taken = try await machine.run { machine in
                    let start = processorTime()
                    let realm = try machine.contexts.make(name: "realm")
                    if isLocked { try realm.lock() }
                    return processorTime() - start
                }
                time += taken
                await machine.run { $0.collectGarbage() }
                heap += machine.heapSizeAfterCollection
                machines.append(machine)
            }
            let memory = Double(residentSize() - size) / 1024 / 1024 / Double(count)
            print(
                "a machine and its realm, \(isLocked ? "" : "not ")locked: \((time * 1e3 / Double(count)).short) ms, "
                    + "\(memory.short) MB resident, \((Double(heap) / 1024 / Double(count)).short) KB of heap")
            withExtendedLifetime(machines) {}
        }
    }

    private static let functions = """
        (function () {
            var list = [1, 2, 3, 4, 5, 6, 7, 8], text = "first=1&second=2&third=3", object = { a: 1, b: 2, c: "x" };
            return {
                "replace": function () { return text.replace(/&/g, ";"); }, "split by text": function () { return text.split("&"); },
                "split": function () { return text.split(/&/); }, "match": function () { return text.match(/\\d/); },
                "exec": function () { return /second/.exec(text); }, "slice": function () { return list.slice(1); },
                "concat": function () { return list.concat(list); }, "map": function () { return list.map(String); },
                "forEach": function () { var n = 0; list.forEach(function (x) { n += x; }); return n; },
                "push": function () { var made = []; for (var i = 0; i < 8; i++) made.push(i); return made; },
                "join": function () { return list.join(","); }, "sort": function () { return [3, 1, 2].sort(); },
                "for in": function () { var s = ""; for (var key in object) s += key; return s; },
                "Object.keys": function () { return Object.keys(object); }, "new Date": function () { return new Date(0).getTime(); },
                "toString": function () { return object.toString(); }, "throw": function () { try { throw new Error("x"); } catch (e) { return e.message; } },
                "JSON": function () { return JSON.stringify(JSON.parse('{"a":1,"b":[1,2]}')); }
            };
        })()
        """

    private static func measureFunctions() async throws {
        func times(isLocked: Bool) async throws -> [(name: String, time: Double)] {
            let machine = try VirtualMachine.start(name: "functions")
            return try await machine.run { machine in
                let realm = try machine.contexts.make(name: "realm")
                if isLocked { try realm.lock() }
                let set = try realm.evaluate(functions, file: "functions.js")
                let loop = try realm.evaluate(
                    "(function (body, count) { for (var i = 0; i < count; i++) body(); })", file: "loop.js")
                let names = try realm.evaluate("Object.keys", file: "keys.js").call([set]).elements().compactMap(
                    \.string)
                return try names.map { name in
                    let body = try set.get(name)
                    var best = Double.infinity
                    for _ in 0..<7 {
                        let start = processorTime()
                        _ = try loop.call([body, realm.make(20_000.0)])
                        best = min(best, (processorTime() - start) * 1e9 / 20_000)
                    }
                    return (name, best)
                }
            }
        }
        let (open, locked) = (try await times(isLocked: false), try await times(isLocked: true))
        for (one, other) in zip(open, locked) {
            print("\(one.name): \(one.time.short) ns, locked \(other.time.short) ns")
        }
    }
}
