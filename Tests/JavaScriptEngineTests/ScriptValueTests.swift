import Foundation
import JavaScriptEngine
import Testing

@Suite("Values")
struct ScriptValueTests {
    @Test("Data goes into a script and comes back the same")
    func roundTrip() async throws {
        let data: ScriptData = [
            "null": nil, "yes": true, "number": 1.5, "text": "héllo ☃ \u{1F600} \u{0}!",
            "date": .date(Date(timeIntervalSince1970: 1_700_000_000.123)), "bytes": .bytes([0, 1, 255]),
            "list": [1, "two", [3]], "": "empty key",
        ]
        let bench = try await Bench()
        let back = try await bench.run { context in try context.make(data).data() }
        #expect(back == data)
    }

    @Test("Members keep their order")
    func order() async throws {
        let bench = try await Bench()
        let data = try await bench.evaluate("({ z: 1, a: 2, m: { y: 1, b: 2 } })")
        #expect(data == ["z": 1, "a": 2, "m": ["y": 1, "b": 2]])
    }

    @Test("A cyclic value cannot be copied")
    func cyclic() async throws {
        let bench = try await Bench()
        await #expect(throws: ScriptDataError.tooDeep) { try await bench.evaluate("var a = {}; a.a = a") }
    }

    @Test("A BigInt cannot be copied")
    func bigInt() async throws {
        let bench = try await Bench()
        await #expect(throws: ScriptDataError.unsupported("BigInt")) { try await bench.evaluate("({ n: 10n })") }
    }

    @Test("A lone surrogate becomes the replacement character")
    func loneSurrogate() async throws {
        let bench = try await Bench()
        #expect(try await bench.evaluate(#""a\uD800b""#) == "a\u{FFFD}b")
        #expect(try await bench.evaluate(#""\uD800".padEnd(5000, "x").slice(0, 2)"#) == "\u{FFFD}x")
    }

    @Test("Long strings survive in both directions")
    func longText() async throws {
        let text = String(repeating: "añ☃", count: 50_000)
        let bench = try await Bench()
        let back = try await bench.run { context in try context.make(.string(text)).data() }
        #expect(back == .string(text))
    }

    @Test("A view shows only its part of a buffer")
    func view() async throws {
        let bench = try await Bench()
        let data = try await bench.evaluate("new Uint8Array([1, 2, 3, 4]).subarray(1, 3)")
        #expect(data == .bytes([2, 3]))
    }

    @Test("json() writes what JSON.stringify writes")
    func json() async throws {
        let bench = try await Bench()
        let json = try await bench.run { context in
            try context.evaluate("({ b: 1.0, a: [undefined, 1e21, new Date(0)], f: function () {} })", file: "x.js")
                .json()
        }
        #expect(json == #"{"b":1,"a":[null,1e+21,"1970-01-01T00:00:00.000Z"]}"#)
    }

    @Test("A string that is not JSON is not parsed")
    func badJSON() async throws {
        let bench = try await Bench()
        let isNil = try await bench.run { context in context.parse(json: "{'a':1}") == nil }
        #expect(isNil)
    }

    @Test("A native function sees this and its arguments and may be called with apply")
    func nativeFunction() async throws {
        let bench = try await Bench()
        try await bench.run { context in
            let join = try context.makeFunction("join") { call in
                call.context.make(
                    try call.this.get("sign").text() + call.arguments.map { try $0.text() }.joined(separator: ","))
            }
            try context.global.set("join", join)
        }
        #expect(
            try await bench.evaluate("join.apply({ sign: '>' }, [1, 'b', null]) + join.name + typeof join")
                == ">1,b,nulljoinfunction")
    }

    @Test("A host object carries its Swift object, and an imitation does not")
    func hostData() async throws {
        final class Cargo {}
        let bench = try await Bench()
        let found = try await bench.run { context in
            let object = context.makeObject(hostData: Cargo())
            try context.global.set("object", object)
            let copy = try context.evaluate("Object.assign({}, object)", file: "x.js")
            return [object.hostData is Cargo, copy.hostData is Cargo, context.global.hostData is Cargo]
        }
        #expect(found == [true, false, false])
    }

    @Test("Read-only members ignore assignment")
    func readOnly() async throws {
        let bench = try await Bench()
        try await bench.run { context in
            let object = context.makeObject()
            try object.set("userId", context.make("bjones"), .readOnly)
            try context.global.set("o", object)
        }
        #expect(try await bench.evaluate("o.userId = 'eve'; o.userId") == "bjones")
    }

    @Test("Two scopes of a machine do not see each other's globals")
    func scopes() async throws {
        let bench = try await Bench()
        try await bench.evaluate("var secret = 1")
        let other = try await bench.machine.run { try $0.contexts.make(name: "other").id }
        let type = try await bench.machine.run { machine in
            try machine.contexts[other]?.evaluate("typeof secret", file: "x.js").data()
        }
        #expect(type == "undefined")
    }
}
