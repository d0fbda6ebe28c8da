import JavaScriptEngine
import Testing

/// Objects whose members are made when a script first reads them behave as if the members had always existed, and cannot be changed.
@Suite("Lazy members")
struct LazyMemberTests {
    private static let members = LazyMembers(["zebra", "ant", "bee"])

    /// Returns the value of `source` as a string, `o` being an object with functions that return their name; and the names of those that were
    /// made.
    private func evaluate(_ source: String) async throws -> (text: String, made: [String]) {
        let machine = try VirtualMachine.start(name: "lazy")
        return try await machine.run { machine in
            let context = try machine.contexts.make(name: "lazy")
            let made = Made()
            let object = context.makeObject(Self.members) { name in
                made.names.append(name)
                if name == "bee", made.names == ["bee"] { throw HostError("the first time it fails") }
                return try context.makeFunction(name) { $0.context.make(name) }
            }
            try context.global.set("o", object)
            let text = try context.evaluate("'' + \(source)", file: "lazy.js").text()
            try context.global.set("o", context.null)
            return (text, made.names)
        }
    }

    private final class Made {
        var names: [String] = []
    }

    @Test(
        "A script sees no difference",
        arguments: [
            ("o.ant() + o.ant.name + (o.ant === o.ant)", "antanttrue"),
            ("Object.keys(o)", "zebra,ant,bee"),
            ("(function () { var r = []; for (var k in o) r.push(k); return r; })()", "zebra,ant,bee"),
            ("('ant' in o) + o.hasOwnProperty('ant') + ('x' in o)", "truetruefalse"),
            ("(delete o.ant) + typeof o.ant", "falsefunction"),
            ("(o.ant = 7) + ':' + typeof o.ant", "7:function"),
            (
                "(function () { try { Object.defineProperty(o, 'ant', { value: 7 }); } catch (e) {} return typeof o.ant })()",
                "function"
            ),
            (
                "(function () { try { Object.defineProperty(o, 'new', { value: 7 }); } catch (e) { return e.name } })()",
                "TypeError"
            ),
            ("(function () { try { Object.setPrototypeOf(o, {}); } catch (e) { return e.name } })()", "TypeError"),
            ("(o.ant.more = 1) + ':' + o.ant.more", "1:undefined"),
            ("Object.freeze(o).ant() + o.bee.name", "antbee"),
            ("Object.getOwnPropertyDescriptor(o, 'ant').value.call()", "ant"),
            (
                "Object.prototype.toString.call(o) + (Object.getPrototypeOf(o) === Object.prototype)",
                "[object Object]true"
            ),
            ("(o.more = 1) + Object.keys(o).join()", "1zebra,ant,bee"),
        ])
    func noDifference(source: String, expected: String) async throws {
        #expect(try await evaluate(source).text == expected)
    }

    @Test("Each member is made at most once, and only when it is read")
    func madeOnce() async throws {
        #expect(try await evaluate("[o.ant, o.ant, o.zebra].length").made == ["ant", "zebra"])
        #expect(try await evaluate("Object.keys(o)").made == [])
    }

    @Test("An error in making a member is thrown at its read, and the next read tries again")
    func failure() async throws {
        let source = "(function () { try { return o.bee; } catch (e) { return e.message + ', then ' + o.bee(); } })()"
        #expect(try await evaluate(source).text == "the first time it fails, then bee")
    }
}
