/// Programs that keep something between calls in a closure or in a function.
extension StatefulScripts {
    static let closures = [
        ScriptCase(
            "a method that reads what its constructor assigned",
            #"""
            var theUser;
            function Service() { theUser = null; this.who = function () { return theUser; }; }
            var service = new Service();
            function set(u) { theUser = u; }
            function get() { return { v: service.who() }; }
            """#),
        ScriptCase(
            "a module that assigns a global before it makes a function that reads it",
            #"""
            var step;
            var Wizard = (function () { step = 0; return { next: function () { return step = step + 1; } }; })();
            function next() { return { v: Wizard.next() }; }
            """#),
        ScriptCase(
            "a class whose field reads a global",
            #"""
            var lang = "en";
            class Text { current = lang; }
            function set(l) { lang = l; }
            function get() { return { v: new Text().current }; }
            """#),
        ScriptCase(
            "a global read through the global object",
            #"""
            function set(u) { last = u; }
            function get() { return { v: this.last, w: "last" in this, x: globalThis["last"] }; }
            """#),
        ScriptCase(
            "a counter in a function called at load",
            #"""
            var next = (function () { var n = 0; return function () { return ++n; }; })();
            function ticket() { return next(); }
            """#),
        ScriptCase(
            "a module with a private list",
            #"""
            var Log = (function () {
                var lines = [];
                return { add: function (l) { lines.push(l); }, all: function () { return lines; } };
            })();
            function note(l) { Log.add(l); return Log.all(); }
            """#),
        ScriptCase(
            "a memoizing helper",
            #"""
            function memoize(fn) {
                var known = {};
                return function (k) { return known.hasOwnProperty(k) ? known[k] : (known[k] = fn(k)); };
            }
            var price = memoize(function (id) { return WL.Server.invokeHttp({ method: "get", path: "/p/" + id }); });
            function getPrice(id) { return price(id); }
            """#),
        ScriptCase(
            "a function that runs once",
            #"""
            function once(fn) {
                var done = false, value;
                return function () { if (!done) { done = true; value = fn(); } return value; };
            }
            var user = once(function () { return WL.Server.getActiveUser(); });
            function whoAmI() { return user(); }
            """#),
        ScriptCase(
            "a property of a function",
            #"""
            function visit() { visit.count = (visit.count || 0) + 1; return visit.count; }
            """#),
        ScriptCase(
            "a list that belongs to a function",
            #"""
            function log(text) { log.lines.push(text); return log.lines; }
            log.lines = [];
            """#),
        ScriptCase(
            "a function that replaces itself",
            #"""
            function token() {
                var t = WL.Server.invokeHttp({ method: "get", path: "/token" }).token;
                token = function () { return t; };
                return t;
            }
            """#),
        ScriptCase(
            "a property of the function being called",
            #"""
            var next = function () { arguments.callee.n = (arguments.callee.n || 0) + 1; return arguments.callee.n; };
            function ticket() { return next(); }
            """#),
        ScriptCase(
            "a named function expression with a property",
            #"""
            var next = function me() { me.n = (me.n || 0) + 1; return me.n; };
            function ticket() { return next(); }
            """#),
        ScriptCase(
            "a variable made on first use",
            #"""
            var connection;
            function open(user) {
                if (!connection) { connection = { user: user, rows: [] }; }
                return connection.user;
            }
            """#),
        ScriptCase(
            "a let in a block",
            #"""
            var next;
            { let n = 0; next = () => ++n; }
            function ticket() { return next(); }
            """#),
        ScriptCase(
            "a loop variable caught by a function",
            #"""
            var steps = [];
            for (let i = 0; i < 1; i++) { steps.push(function () { return i++; }); }
            function step() { return steps[0](); }
            """#),
        ScriptCase(
            "a parameter of the function called at load",
            #"""
            var swap = (function (held) { return function (v) { var b = held; held = v; return b; }; })(null);
            function exchange(v) { return swap(v); }
            """#),
        ScriptCase(
            "the arguments of the function called at load",
            #"""
            var swap = (function () {
                var args = arguments;
                return function (v) { var b = args[0]; args[0] = v; return b; };
            })(null);
            function exchange(v) { return swap(v); }
            """#),
        ScriptCase(
            "an error caught at load",
            #"""
            var keep;
            try { throw { n: 0 }; } catch (e) { keep = function () { return ++e.n; }; }
            function count() { return keep(); }
            """#),
        ScriptCase(
            "an object built at load by a constructor with locals",
            #"""
            function Counter() { var n = 0; this.next = function () { return n++; }; }
            var counter = new Counter();
            function ticket() { return counter.next(); }
            """#),
        ScriptCase(
            "a curried function that holds its first argument",
            #"""
            function adder(list) { return function (x) { list.push(x); return list; }; }
            var add = adder([]);
            function put(x) { return add(x); }
            """#),
        ScriptCase(
            "an array of functions that share a local",
            #"""
            var ops = (function () { var v; return [function (x) { v = x; }, function () { return v; }]; })();
            function put(x) { ops[0](x); }
            function get() { return ops[1](); }
            """#),
        ScriptCase(
            "a default parameter that remembers",
            #"""
            var known = {};
            function lookup(id, cache = known) { return cache["i" + id] || (cache["i" + id] = { id: id, at: id }); }
            function find(id) { lookup(id); return Object.keys(known); }
            """#),
        ScriptCase(
            "a listener list",
            #"""
            var listeners = [];
            function listen(name) { listeners.push(function (v) { return name + v; }); }
            function fire(v) { return listeners.map(function (f) { return f(v); }); }
            """#),
        ScriptCase(
            "a function chosen at load and kept in a table",
            #"""
            var api = {};
            (function (target) { var n = 0; target.next = function () { n += 1; return n; }; })(api);
            function ticket() { return api.next(); }
            """#),
        ScriptCase(
            "a function given its counter by name",
            #"""
            var make = name => { let n = 0; return { [name]: () => ++n }; };
            var kit = make("next");
            function ticket() { return kit["next"](); }
            """#),
        ScriptCase(
            "a function that returns the next function",
            #"""
            var step = function a() { return "first"; };
            function run() { var r = step(); step = function () { return "later"; }; return r; }
            """#),
        ScriptCase(
            "a closure two levels deep",
            #"""
            var outer = (function () {
                var n = 0;
                return function () { return function () { return ++n; }; };
            })();
            function ticket() { var inner = outer(); return inner(); }
            """#),
        ScriptCase(
            "an inner function declared in a module and set by another",
            #"""
            var Session = (function () {
                var user = null;
                function set(u) { user = u; }
                function get() { return user; }
                return { login: set, who: get };
            }());
            function login(u) { Session.login(u); }
            function who() { return Session.who(); }
            """#),
        ScriptCase(
            "a strings array kept by a tagged template",
            #"""
            const seen = new WeakMap();
            function tag(parts) { seen.set(parts, (seen.get(parts) || 0) + 1); return seen.get(parts); }
            function visit() { return tag`visit`; }
            """#),
        ScriptCase(
            "a class made at load with a closure",
            #"""
            const Sequence = (() => { let n = 0; return class { next() { return ++n; } }; })();
            function ticket() { return new Sequence().next(); }
            """#),
        ScriptCase(
            "a call counter wrapped around a helper",
            #"""
            function logged(fn) { var calls = 0; return function (x) { calls++; return fn(x) + calls; }; }
            var twice = logged(function (x) { return x * 2; });
            function run(x) { return twice(x); }
            """#),
        ScriptCase(
            "a compiled template cache in a module",
            #"""
            var Templates = (function () {
                var compiled = {};
                function compile(t) { return compiled["t" + t] || (compiled["t" + t] = { text: t, uses: 0 }); }
                return { render: function (t) { var c = compile(t); c.uses += 1; return c.text + c.uses; } };
            })();
            function render(t) { return Templates.render(t); }
            """#),
        ScriptCase(
            "a bound function with a held object",
            #"""
            function push(x) { this.list.push(x); return this.list; }
            var keep = push.bind({ list: [] });
            function put(x) { return keep(x); }
            """#),
        ScriptCase(
            "a bound first argument",
            #"""
            var add = (function (into, x) { into.push(x); return into; }).bind(null, []);
            function put(x) { return add(x); }
            """#),
    ]
}
