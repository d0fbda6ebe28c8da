import Testing

@testable import JavaScriptEngine

@Suite("Built-ins that a script has changed")
struct BuiltInTests {
    /// Changes that one call may make to the language.
    private static let changes = [
        "Object.prototype.isSuccessful = false", "Object.prototype.extend = function () {}",
        "Object.prototype.toJSON = function () { return 'mine' }",
        "Array.prototype.toJSON = function () { return 'mine' }",
        "Object.defineProperty(Object.prototype, 'a', { get: function () { return 'mine' }, set: function () {} })",
        "Object.prototype.get = Object.prototype.value = Object.prototype.writable = 5",
        "JSON.stringify = JSON.parse = function () { return 'mine' }", "JSON = null",
        "Object.keys = Array.isArray = null",
        "Array.prototype[Symbol.iterator] = function () { return { next: function () { return { done: true } } } }",
        "Object.prototype.propertyIsEnumerable = Object.prototype.hasOwnProperty = function () { return true }",
        "Object.hasOwn = Object.defineProperty = Object.getOwnPropertyDescriptor = null", "Reflect.apply = null",
        "Function.prototype.apply = Function.prototype.call = null", "Object = Array = Error = Function = null",
        "Object.freeze(Object.prototype)", "Object.setPrototypeOf(Array.prototype, null)",
    ]

    private static let script = """
        function count() { return { n: arguments.length, last: arguments[arguments.length - 1] } }
        function list() { return [1, { a: [2] }] }
        function marked() { return { isSuccessful: true, a: 1 } }
        function failed() { return { a: 1, isSuccessful: false } }
        function text() { return 'x' }
        """

    @Test("The next call's arguments and result are as before", arguments: changes)
    func call(change: String) async throws {
        let bench = try await Bench()
        try await bench.evaluate(Self.script)
        try await bench.evaluate("\(change); 0")
        let results = try await bench.run { context in
            try [
                ("count", #"[1,{"b":[2]},"c",4,5]"#), ("list", "[]"), ("marked", "[]"), ("failed", "[]"),
                ("text", "[]"),
            ].map { try context.call($0, jsonArguments: $1) }
        }
        #expect(
            results == [
                #"{"n":5,"last":5}"#, #"[1,{"a":[2]}]"#, #"{"isSuccessful":true,"a":1}"#,
                #"{"a":1,"isSuccessful":false}"#, #""x""#,
            ])
    }

    @Test("Native code makes and copies values as before", arguments: changes)
    func data(change: String) async throws {
        let data: ScriptData = ["a": 1, "list": [["b": 2]], "isSuccessful": "text", "get": nil]
        let bench = try await Bench()
        try await bench.evaluate("\(change); 0")
        let (copy, json) = try await bench.run { context in
            let value = try context.make(data)
            return (try value.data(), try value.json())
        }
        #expect(copy == data)
        #expect(json == #"{"a":1,"list":[{"b":2}],"isSuccessful":"text","get":null}"#)
    }

    @Test("A member that all objects have is not read from options; one of a class is")
    func options() async throws {
        let bench = try await Bench()
        try await bench.evaluate(
            """
            Object.prototype.path = '/every';
            function Options() { this.own = 1 }
            Options.prototype.method = 'get';
            Options.prototype.toString = function () { return 'mine' };
            var options = new Options();
            """)
        let found = try await bench.run { context in
            let options = try context.global.get("options")
            return try (
                ["path", "method", "own", "toString", "valueOf", "__proto__"].map { try options.get($0).isUndefined },
                ["path", "method"].map(options.has), options.keys
            )
        }
        #expect(found.0 == [true, false, false, false, true, true])
        #expect(found.1 == [false, true])
        #expect(found.2 == ["own"])
    }

    @Test("A member may be called as members of all objects are")
    func names() async throws {
        let data: ScriptData = .object([.init("__proto__", "x"), .init("constructor", 1), .init("toString", 2)])
        let bench = try await Bench()
        #expect(try await bench.run { try $0.make(data).data() } == data)
    }

    @Test(
        "A toJSON of an object's own or of its class is called",
        arguments: [
            ("{ isSuccessful: false, toJSON: function () { return { a: 1 } } }", #"{"a":1}"#),
            ("{ toJSON: function () { return { isSuccessful: false } } }", #"{"isSuccessful":false}"#),
            ("new (class { toJSON() { return { isSuccessful: 1 } } })", #"{"isSuccessful":1}"#),
            ("{ isSuccessful: new Boolean(false) }", #"{"isSuccessful":false}"#),
            ("{ isSuccessful: Symbol() }", "{}"),
            ("Object.create({ isSuccessful: false })", "{}"),
            ("Object.defineProperty({}, 'isSuccessful', { value: false })", "{}"),
            ("new Date(0)", #""1970-01-01T00:00:00.000Z""#),
            ("Object.assign([1], { toJSON: function () { return 1 } })", "1"),
            ("null", nil), ("undefined", nil),
        ] as [(String, String?)])
    func ownWriter(result: String, json: String?) async throws {
        for change in ["", "Object.prototype.toJSON = function () { return 'mine' }"] {
            let bench = try await Bench()
            try await bench.evaluate("function run() { return \(result) } \(change); 0")
            let written = try await bench.run { try $0.call("run", jsonArguments: "[]") }
            #expect(written == json)
        }
    }

    @Test("An inherited function is not called by name; a script's own is, even if inherited by all")
    func inheritedFunction() async throws {
        let bench = try await Bench()
        try await bench.evaluate(
            "function own() { return 1 } Object.prototype.every = Object.prototype.own = Math.abs; 0")
        for name in ["every", "toString", "nowhere"] {
            await #expect(throws: JSONCallError.noSuchFunction) {
                _ = try await bench.run { try $0.call(name, jsonArguments: "[]") }
            }
        }
        #expect(try await bench.run { try $0.call("own", jsonArguments: "[]") } == "1")
    }

    @Test("A cycle is an error also where all objects have a toJSON")
    func cycle() async throws {
        let bench = try await Bench()
        try await bench.evaluate(
            "Array.prototype.toJSON = function () {}; function run() { var a = { b: [] }; a.b[0] = a; return a } 0")
        let error = try await #require(throws: JSONResultError.self) {
            try await bench.run { try $0.call("run", jsonArguments: "[]") }
        }
        #expect(error.exception.message.contains("cyclic"))
    }
}
