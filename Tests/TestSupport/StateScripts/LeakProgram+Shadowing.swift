extension LeakProgram {
    /// Creates a program that stores a string in a variable `s` of a closure. Its functions have another variable with this name, and refer
    /// to the outer one where a reader of the script could expect the inner one.
    ///
    /// - Parameters:
    ///   - put: the parameter list and body of the function that assigns the string `u`.
    ///   - read: the parameter list and body of the function that returns it.
    private init(shadowing name: String, put: String, read: String) {
        self.init(
            name,
            """
            var api = (function () {
                var s = null;
                return { put: function \(put), read: function \(read) };
            })();
            function set(u) { api.put(u); }
            function get() { return { v: api.read() }; }
            """)
    }

    /// Creates a program with a variable `last` at the top level, which `set` assigns.
    ///
    /// - Parameters:
    ///   - get: the functions that return the variable.
    private init(ofGlobal name: String, _ get: String) {
        self.init(
            name,
            """
            var last = null;
            function set(u) { last = u; }
            \(get)
            """)
    }

    static let shadowing: [LeakProgram] = [
        LeakProgram(
            shadowing: "assigns in a default value, above a function of that name in the body",
            put: "(u, a = (s = u)) { function s() {} }", read: "(a = s) { function s() {} return a; }"),
        LeakProgram(
            shadowing: "assigns in a default value, above a var of that name in the body",
            put: "(u, a = (s = u)) { var s; }", read: "(a = s) { var s; return a; }"),
        LeakProgram(
            shadowing: "assigns in a default value of a pattern, above a var of that name",
            put: "(u, { a = (s = u) } = {}) { var s; }", read: "({ a = s } = {}) { var s; return a; }"),
        LeakProgram(
            shadowing: "assigns in the head of a switch that declares the name",
            put: "(u) { switch (s = u) { case 0: let s; } }",
            read: "() { var r; switch (r = s) { case 0: let s; } return r; }"),
        LeakProgram(
            shadowing: "assigns behind a block with a generator of that name",
            put: "(u) { { function* s() {} } s = u; }", read: "() { { function* s() {} } return s; }"),
        LeakProgram(
            shadowing: "assigns in strict mode behind a block with a function of that name",
            put: "(u) { 'use strict'; { function s() {} } s = u; }",
            read: "() { 'use strict'; { function s() {} } return s; }"),
        LeakProgram(
            shadowing: "assigns behind a block with a let and a function of that name",
            put: "(u) { { let s; { function s() {} } } s = u; }",
            read: "() { { let s; { function s() {} } } return s; }"),
        LeakProgram(
            "assigns the second of two lets that Unicode spells alike",
            """
            let \u{E9} = 0;
            let e\u{301} = null;
            function set(u) { e\u{301} = u; }
            function get() { return { v: e\u{301} }; }
            """),
        LeakProgram(
            "assigns the first of two lets that Unicode spells alike",
            """
            let \u{212B} = null;
            let \u{C5} = 0;
            function set(u) { \u{212B} = u; }
            function get() { return { v: \u{212B} }; }
            """),
        LeakProgram(
            "assigns a captured variable beside one that Unicode spells alike",
            """
            var api = (function () {
                var e\u{301} = null;
                return {
                    put: function (u) { var \u{E9} = 1; e\u{301} = u; },
                    read: function () { var \u{E9} = 1; return e\u{301}; }
                };
            })();
            function set(u) { api.put(u); }
            function get() { return { v: api.read() }; }
            """),
        LeakProgram(
            ofGlobal: "reads behind a loop that declares the name",
            "function get() { for (let last, y = (last = 1); false;) {} return { v: last }; }"),
        LeakProgram(
            ofGlobal: "reads in a default value, above a var of that name",
            "function read(a = last) { var last; return a; } function get() { last = last; return { v: read() }; }"),
        LeakProgram(
            ofGlobal: "reads through a method that returns the global object",
            "function get() { return { v: this.valueOf().last }; }"),
    ]
}
