extension LeakProgram {
    // MARK: - Results and aliases

    static let answersAndAliases: [LeakProgram] = [
        LeakProgram(
            "assigns while its answer becomes JSON",
            #"""
            var last = null;
            function set(u) { return { toJSON: function () { last = u; return {}; } }; }
            function get() { return { v: last }; }
            """#),
        LeakProgram(
            "assigns in a getter of its answer",
            #"""
            var last = null;
            function set(u) { return { get n() { last = u; return 1; } }; }
            function get() { return { v: last }; }
            """#),
        LeakProgram(
            "assigns when its answer's keys are listed",
            #"""
            var last = null;
            function set(u) { return new Proxy({}, { ownKeys: function () { last = u; return []; } }); }
            function get() { return { v: last }; }
            """#),
        LeakProgram(
            "assigns when what it throws becomes a message",
            #"""
            var last = null;
            function set(u) { throw { get message() { last = u; return "failed"; } }; }
            function get() { return { v: last }; }
            """#),
        LeakProgram(
            "assigns in what instanceof calls",
            #"""
            var last = null;
            function set(u) {
                return {} instanceof { [Symbol.hasInstance]: function () { last = u; return false; } };
            }
            function get() { return { v: last }; }
            """#),
        LeakProgram(
            "assigns a captured variable by a name with an escape",
            #"""
            var users = (function () {
                var last = null;
                return { put: function (u) { l\u0061st = u; }, read: function () { return last; } };
            })();
            function set(u) { users.put(u); }
            function get() { return { v: users.read() }; }
            """#),
        LeakProgram(
            "assigns the variable of a loop's head in one turn",
            #"""
            var cells = [];
            for (let last = null; cells.length < 1; ) cells.push({ put: (u) => { last = u; }, read: () => last });
            function set(u) { cells[0].put(u); }
            function get() { return { v: cells[0].read() }; }
            """#),
        LeakProgram(
            "gives the function that is being called a member",
            #"""
            var keep = function (u) { if (u) arguments.callee.last = u; return arguments.callee.last; };
            function set(u) { keep(u); }
            function get() { return { v: keep() }; }
            """#),
        LeakProgram(
            "gives all arrays a member for a symbol",
            #"""
            function set(u) { Array.prototype[Symbol.for("user")] = u; }
            function get() { return { v: [][Symbol.for("user")] }; }
            """#),
        LeakProgram(
            "gives Date a member",
            #"""
            function set(u) { new Date(0).constructor.user = u; }
            function get() { return { v: Date.user }; }
            """#),
        LeakProgram(
            "leaves a match in RegExp, which the script does not name",
            #"""
            function set(u) { /^(.+)$/.test(u); }
            function get() { return { v: /x/.constructor.$1 }; }
            """#),
        LeakProgram(
            "fills a table that it throws and catches",
            #"""
            var table = {};
            function set(u) { try { throw table; } catch (e) { e.last = u; } }
            function get() { return { v: table }; }
            """#),
        LeakProgram(
            "fills a row of a copied list",
            #"""
            const rows = [{ name: null }];
            function set(u) { const [row] = [...rows.slice()]; row.name = u; }
            function get() { return { v: rows }; }
            """#),
        LeakProgram(
            "fills what a pattern leaves over",
            #"""
            const table = { a: 1, parts: [] };
            function set(u) { const { a, ...rest } = table; rest.parts.push(u); }
            function get() { return { v: table }; }
            """#),
        LeakProgram(
            "fills a table that a parameter becomes by its arguments",
            #"""
            var table = {};
            function fill(to, u) { arguments[0] = table; to.last = u; }
            function set(u) { fill({}, u); }
            function get() { return { v: table }; }
            """#),
    ]
}
