/// A program that stores one user's value in a location where the next call can find it.
///
/// Its function `set(u)` stores the string `u`. A later call of `get()` in the same scope returns an object with the string.
public struct LeakProgram: Sendable, CustomStringConvertible {
    public let name: String
    public let script: String

    public var description: String { name }

    init(_ name: String, _ script: String) {
        self.name = name
        self.script = script
    }

    /// Creates a program that can store only bits and no string. It has the functions `bits(u)`, which returns 56 bits for eight
    /// characters, and `text(bits)`.
    init(spelling name: String, _ script: String) {
        self.init(name, Self.spelling + script)
    }

    private static let spelling = #"""
        function bits(u) {
            var all = "";
            for (var i = 0; i < u.length; i++) all += (128 + u.charCodeAt(i)).toString(2).slice(1);
            return all;
        }
        function text(all) {
            var u = "";
            for (var i = 0; i < all.length; i += 7) u += String.fromCharCode(parseInt(all.slice(i, i + 7), 2));
            return u;
        }

        """#

    public static let all: [LeakProgram] = [
        globals, members, flags, arrays, functions, classes, language, methods, intrinsics, matches, closures, blocks,
        collections, buffers, holders, callbacks, conversions, assignments, adapters, recent, attacks, secondAttack,
        thirdAttack, temporaries, shadowing, answersAndAliases, documents, rhino, javaAndServer,
    ].flatMap { $0 }

    // MARK: - Variables of the top level

    private static let globals: [LeakProgram] = [
        LeakProgram(
            "assigns a var",
            #"""
            var last = null;
            function set(u) { last = u; }
            function get() { return { v: last }; }
            """#),
        LeakProgram(
            "assigns a variable that nothing declares",
            #"""
            function set(u) { leaked = u; }
            function get() { return { v: typeof leaked === "undefined" ? null : leaked }; }
            """#),
        LeakProgram(
            "assigns a let of the top level",
            #"""
            let last = null;
            function set(u) { last = u; }
            function get() { return { v: last }; }
            """#),
        LeakProgram(
            "fills the object that a const names",
            #"""
            const state = {};
            function set(u) { state.user = u; }
            function get() { return { v: state }; }
            """#),
        LeakProgram(
            "assigns a static field of a class of the top level",
            #"""
            class Session { static user = null; }
            function set(u) { Session.user = u; }
            function get() { return { v: Session.user }; }
            """#),
        LeakProgram(
            "assigns a let in a block of the top level",
            #"""
            var put, read;
            { let inner = null; put = function (u) { inner = u; }; read = function () { return inner; }; }
            function set(u) { put(u); }
            function get() { return { v: read() }; }
            """#),
        LeakProgram(
            "assigns the name of a declared function",
            #"""
            function who() { return "nobody"; }
            function set(u) { who = function () { return u; }; }
            function get() { return { v: who() }; }
            """#),
        LeakProgram(
            "deletes a global and adds another",
            #"""
            first = "one";
            function set(u) { delete globalThis.first; globalThis.second = u; }
            function get() { return { v: globalThis.second }; }
            """#),
        LeakProgram(
            spelling: "deletes the globals that it has a zero for",
            #"""
            for (var i = 0; i < 56; i++) globalThis["slot" + i] = true;
            function set(u) {
                bits(u).split("").forEach(function (bit, i) { if (bit === "0") delete globalThis["slot" + i]; });
            }
            function get() {
                var all = "";
                for (var i = 0; i < 56; i++) all += "slot" + i in globalThis ? "1" : "0";
                return { v: text(all) };
            }
            """#),
        LeakProgram(
            "adds a member for a new symbol to the global object",
            #"""
            function set(u) { globalThis[Symbol("user")] = u; }
            function get() {
                var symbols = Object.getOwnPropertySymbols(globalThis);
                return { v: symbols.map(function (symbol) { return globalThis[symbol]; }) };
            }
            """#),
        LeakProgram(
            "writes to this in a plain function",
            #"""
            function set(u) { this.remembered = u; }
            function get() { return { v: this.remembered }; }
            """#),
        LeakProgram(
            "defines a hidden global",
            #"""
            function set(u) { Object.defineProperty(globalThis, "hidden", { value: u, configurable: true }); }
            function get() { return { v: globalThis.hidden }; }
            """#),
        LeakProgram(
            "turns a global into a getter",
            #"""
            globalThis.mode = "plain";
            function set(u) {
                Object.defineProperty(globalThis, "mode", { get: function () { return u; }, enumerable: true });
            }
            function get() { return { v: mode }; }
            """#),
        LeakProgram(
            "gives the global object an index",
            #"""
            function set(u) { globalThis[0] = u; }
            function get() { return { v: globalThis[0] }; }
            """#),
        LeakProgram(
            "names a global after the value",
            #"""
            function set(u) { globalThis["user " + u] = undefined; }
            function get() {
                return { v: Object.keys(globalThis).filter(function (key) { return key.indexOf("user ") === 0; }) };
            }
            """#),
        LeakProgram(
            "assigns globalThis",
            #"""
            function set(u) { globalThis = { user: u }; }
            function get() { return { v: globalThis.user }; }
            """#),
        LeakProgram(
            "assigns the name of a built-in constructor",
            #"""
            function set(u) { DataView = { user: u }; }
            function get() { return { v: DataView.user }; }
            """#),
        LeakProgram(
            "assigns the name of a built-in object that is off",
            #"""
            function set(u) { Atomics = u; }
            function get() { return { v: Atomics }; }
            """#),
    ]

    // MARK: - Members of objects

    private static let members: [LeakProgram] = [
        LeakProgram(
            "assigns through Object.assign's alias",
            #"""
            var defaults = { headers: { lang: "en" }, method: "get" };
            function set(u) { var o = {}; Object.assign(o, defaults); o.headers.Authorization = "Bearer " + u; return {}; }
            function get() { var o = {}; Object.assign(o, defaults); return { v: o }; }
            """#),
        LeakProgram(
            "adds a member deep inside",
            #"""
            var config = { http: { proxy: { options: {} } } };
            function set(u) { config.http.proxy.options.user = u; }
            function get() { return { v: config }; }
            """#),
        LeakProgram(
            "deletes a member and adds another",
            #"""
            var config = { host: "a", port: 1 };
            function set(u) { delete config.port; config.user = u; }
            function get() { return { v: config }; }
            """#),
        LeakProgram(
            "adds a key without a value",
            #"""
            var seen = {};
            function set(u) { seen[u] = undefined; }
            function get() { return { v: Object.keys(seen) }; }
            """#),
        LeakProgram(
            "adds a member for a symbol",
            #"""
            var config = { host: "a" };
            function set(u) { config[Symbol("user")] = u; }
            function get() { return { v: config[Object.getOwnPropertySymbols(config)[0]] }; }
            """#),
        LeakProgram(
            "adds a hidden member",
            #"""
            var config = { host: "a" };
            function set(u) { Object.defineProperty(config, "user", { value: u }); }
            function get() { return { v: config.user }; }
            """#),
        LeakProgram(
            "changes what is hidden behind a hidden member",
            #"""
            var config = { host: "a" };
            Object.defineProperty(config, "inner", { value: { user: null } });
            function set(u) { config.inner.user = u; }
            function get() { return { v: config.inner.user }; }
            """#),
        LeakProgram(
            "replaces a getter",
            #"""
            var config = { get user() { return "nobody"; } };
            function set(u) { Object.defineProperty(config, "user", { get: function () { return u; } }); }
            function get() { return { v: config.user }; }
            """#),
        LeakProgram(
            "replaces a setter and leaves the getter alone",
            #"""
            var config = { get mode() { return 1; }, set mode(to) {} };
            function set(u) { Object.defineProperty(config, "mode", { set: function (to) { to.user = u; } }); }
            function get() { var found = {}; config.mode = found; return { v: found }; }
            """#),
        LeakProgram(
            "turns a value into a getter that tells at its second call",
            #"""
            var config = { mode: "get" };
            function set(u) {
                var reads = 0;
                Object.defineProperty(config, "mode", {
                    get: function () { return reads++ ? u : "get"; }, enumerable: true, configurable: true
                });
            }
            function get() { var first = config.mode; return { v: config.mode }; }
            """#),
        LeakProgram(
            "puts a setter without a getter where undefined was",
            #"""
            var config = { mode: undefined };
            function set(u) { Object.defineProperty(config, "mode", { get: undefined, set: function (to) { to.user = u; } }); }
            function get() { var found = {}; config.mode = found; return { v: found }; }
            """#),
        LeakProgram(
            "adds a member to a getter",
            #"""
            var config = { get user() { return "nobody"; } };
            function set(u) { Object.getOwnPropertyDescriptor(config, "user").get.last = u; }
            function get() { return { v: Object.getOwnPropertyDescriptor(config, "user").get.last }; }
            """#),
        LeakProgram(
            "replaces a prototype",
            #"""
            var config = { host: "a" };
            function set(u) { Object.setPrototypeOf(config, { user: u }); }
            function get() { return { v: config.user }; }
            """#),
        LeakProgram(
            "replaces a prototype by name",
            #"""
            var config = { host: "a" };
            function set(u) { config.__proto__ = { user: u }; }
            function get() { return { v: config.user }; }
            """#),
        LeakProgram(
            "copies a client's prototype in a loop",
            #"""
            var options = { lang: "en" };
            function set(u) {
                var sent = JSON.parse('{"__proto__": {"user": ' + JSON.stringify(u) + '}}');
                for (var key in sent) options[key] = sent[key];
            }
            function get() { return { v: options.user }; }
            """#),
        LeakProgram(
            "merges a client's object into all objects",
            #"""
            function merge(into, from) {
                for (var key in from) {
                    if (typeof from[key] === "object") merge(into[key] = into[key] || {}, from[key]);
                    else into[key] = from[key];
                }
            }
            function set(u) { merge({}, JSON.parse('{"__proto__": {"user": ' + JSON.stringify(u) + '}}')); }
            function get() { return { v: {}.user }; }
            """#),
    ]

    // MARK: - State outside the values of members

    private static let flags: [LeakProgram] = [
        LeakProgram(
            spelling: "moves the keys that it has a one for to the end",
            #"""
            var table = {};
            for (var i = 0; i < 56; i++) table["k" + i] = 0;
            table.end = 0;
            function set(u) {
                bits(u).split("").forEach(function (bit, i) {
                    if (bit === "1") { delete table["k" + i]; table["k" + i] = 0; }
                });
            }
            function get() {
                var keys = Object.keys(table), end = keys.indexOf("end"), all = "";
                for (var i = 0; i < 56; i++) all += keys.indexOf("k" + i) > end ? "1" : "0";
                return { v: text(all) };
            }
            """#),
        LeakProgram(
            spelling: "hides the members that it has a zero for",
            #"""
            var table = {};
            for (var i = 0; i < 56; i++) table["k" + i] = 0;
            function set(u) {
                bits(u).split("").forEach(function (bit, i) {
                    Object.defineProperty(table, "k" + i, { enumerable: bit === "1" });
                });
            }
            function get() {
                var all = "";
                for (var i = 0; i < 56; i++) all += table.propertyIsEnumerable("k" + i) ? "1" : "0";
                return { v: text(all) };
            }
            """#),
        LeakProgram(
            spelling: "makes the members constant that it has a zero for",
            #"""
            var table = {};
            for (var i = 0; i < 56; i++) table["k" + i] = 0;
            function set(u) {
                bits(u).split("").forEach(function (bit, i) {
                    Object.defineProperty(table, "k" + i, { writable: bit === "1" });
                });
            }
            function get() {
                var all = "";
                for (var i = 0; i < 56; i++) all += Object.getOwnPropertyDescriptor(table, "k" + i).writable ? "1" : "0";
                return { v: text(all) };
            }
            """#),
        LeakProgram(
            spelling: "closes the objects to new members that it has a one for",
            #"""
            var list = [];
            for (var i = 0; i < 56; i++) list.push({ a: 1 });
            function set(u) {
                bits(u).split("").forEach(function (bit, i) { if (bit === "1") Object.preventExtensions(list[i]); });
            }
            function get() {
                return { v: text(list.map(function (one) { return Object.isExtensible(one) ? "0" : "1"; }).join("")) };
            }
            """#),
        LeakProgram(
            spelling: "exchanges objects that look alike",
            #"""
            var zero = {}, one = {}, list = [];
            for (var i = 0; i < 56; i++) list.push(zero);
            function set(u) { bits(u).split("").forEach(function (bit, i) { list[i] = bit === "1" ? one : zero; }); }
            function get() { return { v: text(list.map(function (found) { return found === one ? "1" : "0"; }).join("")) }; }
            """#),
        LeakProgram(
            spelling: "exchanges prototypes that look alike",
            #"""
            var zero = {}, one = {}, list = [];
            for (var i = 0; i < 56; i++) list.push(Object.create(zero));
            function set(u) {
                bits(u).split("").forEach(function (bit, i) { Object.setPrototypeOf(list[i], bit === "1" ? one : zero); });
            }
            function get() {
                return { v: text(list.map(function (found) { return one.isPrototypeOf(found) ? "1" : "0"; }).join("")) };
            }
            """#),
        LeakProgram(
            spelling: "writes minus zero where zero was",
            #"""
            var list = new Array(56).fill(0);
            function set(u) { bits(u).split("").forEach(function (bit, i) { list[i] = bit === "1" ? -0 : 0; }); }
            function get() { return { v: text(list.map(function (n) { return 1 / n < 0 ? "1" : "0"; }).join("")) }; }
            """#),
        LeakProgram(
            spelling: "writes NaN where null was, which JSON shows as null",
            #"""
            var list = new Array(56).fill(null);
            function set(u) { bits(u).split("").forEach(function (bit, i) { list[i] = bit === "1" ? NaN : null; }); }
            function get() { return { v: text(list.map(function (n) { return n === null ? "0" : "1"; }).join("")) }; }
            """#),
    ]

    // MARK: - Arrays

    private static let arrays: [LeakProgram] = [
        LeakProgram(
            "assigns an element",
            #"""
            var list = [1, 2, 3];
            function set(u) { list[1] = u; }
            function get() { return { v: list }; }
            """#),
        LeakProgram(
            "fills a hole",
            #"""
            var list = [1, , 3];
            function set(u) { list[1] = u; }
            function get() { return { v: list }; }
            """#),
        LeakProgram(
            spelling: "fills the holes with undefined that it has a one for",
            #"""
            var list = new Array(56);
            function set(u) { bits(u).split("").forEach(function (bit, i) { if (bit === "1") list[i] = undefined; }); }
            function get() {
                var all = "";
                for (var i = 0; i < 56; i++) all += i in list ? "1" : "0";
                return { v: text(all) };
            }
            """#),
        LeakProgram(
            "makes arrays as long as the characters' codes",
            #"""
            var lists = [[], [], [], [], [], [], [], []];
            function set(u) { lists.forEach(function (list, i) { list.length = u.charCodeAt(i); }); }
            function get() { return { v: lists.map(function (list) { return String.fromCharCode(list.length); }).join("") }; }
            """#),
        LeakProgram(
            "gives an array a named member",
            #"""
            var list = [1, 2, 3];
            function set(u) { list.user = u; }
            function get() { return { v: list.user }; }
            """#),
        LeakProgram(
            "gives an array a number that is no index",
            #"""
            var list = [1, 2, 3];
            function set(u) { list[4294967295] = u; list[-1] = u; list["01"] = u; }
            function get() { return { v: [list[4294967295], list[-1], list["01"]] }; }
            """#),
        LeakProgram(
            "sorts an array so that it spells the value",
            #"""
            var letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ-ABCDEFGHIJKLMNOPQRSTUVWXYZ-".split("");
            function set(u) {
                for (var i = 0; i < u.length; i++) {
                    var at = letters.indexOf(u[i], i), letter = letters[i];
                    letters[i] = letters[at];
                    letters[at] = letter;
                }
            }
            function get() { return { v: letters.join("") }; }
            """#),
        LeakProgram(
            "replaces an array's prototype",
            #"""
            var list = [1, 2, 3];
            function set(u) { Object.setPrototypeOf(list, { user: u, __proto__: Array.prototype }); }
            function get() { return { v: list.user }; }
            """#),
        LeakProgram(
            "splices one element for another",
            #"""
            var list = ["a", "b", "c"];
            function set(u) { list.splice(1, 1, u); }
            function get() { return { v: list }; }
            """#),
        LeakProgram(
            "turns an element into a getter",
            #"""
            var list = ["a", "b", "c"];
            function set(u) {
                var reads = 0;
                Object.defineProperty(list, 1, { get: function () { return reads++ ? u : "b"; } });
            }
            function get() { var first = list[1]; return { v: list[1] }; }
            """#),
        LeakProgram(
            "puts an element in an array's prototype, behind a hole",
            #"""
            var base = [], list = [1, , 3];
            Object.setPrototypeOf(list, base);
            function set(u) { base[1] = u; }
            function get() { return { v: list[1] }; }
            """#),
        LeakProgram(
            "gives an array a constructor that its copies are made by",
            #"""
            var list = [1, 2, 3];
            function set(u) { list.constructor = { [Symbol.species]: function () { return { user: u }; } }; }
            function get() { return { v: list.map(String).user }; }
            """#),
    ]

    // MARK: - Functions

    private static let functions: [LeakProgram] = [
        LeakProgram(
            "gives a function a member",
            #"""
            function lookUp() {}
            function set(u) { lookUp.user = u; }
            function get() { return { v: lookUp.user }; }
            """#),
        LeakProgram(
            "gives a function's prototype a member",
            #"""
            function User() {}
            function set(u) { User.prototype.name = u; }
            function get() { return { v: new User().name }; }
            """#),
        LeakProgram(
            "replaces a function's prototype",
            #"""
            function User() {}
            function set(u) { User.prototype = { name: u }; }
            function get() { return { v: new User().name }; }
            """#),
        LeakProgram(
            "replaces the constructor in a function's prototype",
            #"""
            function User() {}
            function set(u) { User.prototype.constructor = { last: u }; }
            function get() { return { v: new User().constructor.last }; }
            """#),
        LeakProgram(
            "gives a generator function's prototype a member",
            #"""
            function* pages() {}
            function set(u) { pages.prototype.user = u; }
            function get() { return { v: pages().user }; }
            """#),
        LeakProgram(
            "redefines a function's name",
            #"""
            function lookUp() {}
            function set(u) { Object.defineProperty(lookUp, "name", { value: u }); }
            function get() { return { v: lookUp.name }; }
            """#),
        LeakProgram(
            "redefines a function's length",
            #"""
            function lookUp(a, b) {}
            function set(u) { Object.defineProperty(lookUp, "length", { value: u }); }
            function get() { return { v: lookUp.length }; }
            """#),
        LeakProgram(
            "gives a function members named arguments and caller",
            #"""
            var lookUp = () => null;
            function set(u) {
                Object.defineProperty(lookUp, "arguments", { value: u });
                Object.defineProperty(lookUp, "caller", { value: u });
            }
            function get() {
                if (!Object.hasOwn(lookUp, "caller")) return { v: null };
                return { v: [lookUp.arguments, lookUp.caller] };
            }
            """#),
        LeakProgram(
            "gives its caller a member of its caller's arguments",
            #"""
            function note() { note.caller.last = note.caller.arguments[0]; }
            function set(u) { note(); }
            function get() { return { v: set.last }; }
            """#),
        LeakProgram(
            spelling: "deletes the functions' names that it has a one for",
            #"""
            var list = Array.from({ length: 56 }, function () { return function named() {}; });
            function set(u) { bits(u).split("").forEach(function (bit, i) { if (bit === "1") delete list[i].name; }); }
            function get() {
                return { v: text(list.map(function (one) { return Object.hasOwn(one, "name") ? "0" : "1"; }).join("")) };
            }
            """#),
        LeakProgram(
            "replaces a function by one of the same text",
            #"""
            function constant(value) { return function () { return value; }; }
            var read = constant(null);
            function set(u) { read = constant(u); }
            function get() { return { v: read() }; }
            """#),
        LeakProgram(
            "replaces the prototype that a function itself has",
            #"""
            function lookUp() {}
            function set(u) { Object.setPrototypeOf(lookUp, { user: u, __proto__: Function.prototype }); }
            function get() { return { v: lookUp.user }; }
            """#),
        LeakProgram(
            "gives a bound function a member",
            #"""
            var lookUp = function () {}.bind(null);
            function set(u) { lookUp.user = u; }
            function get() { return { v: lookUp.user }; }
            """#),
    ]

    // MARK: - Classes

    private static let classes: [LeakProgram] = [
        LeakProgram(
            "replaces a static method",
            #"""
            class Users { static last() { return null; } }
            function set(u) { Users.last = () => u; }
            function get() { return { v: Users.last() }; }
            """#),
        LeakProgram(
            "replaces the class that another extends",
            #"""
            class Base { static who() { return null; } }
            class User extends Base { static last() { return super.who(); } }
            function set(u) { Object.setPrototypeOf(User, { who: () => u }); }
            function get() { return { v: User.last() }; }
            """#),
        LeakProgram(
            "defines a class's field on a known object",
            #"""
            var target = { host: "a" };
            function set(u) {
                class Field extends (function () { return target; }) { user = u; }
                new Field();
            }
            function get() { return { v: target.user }; }
            """#),
        LeakProgram(
            "defines a class's field on a built-in function",
            #"""
            function set(u) {
                class Field extends (function () { return [].push; }) { user = u; }
                new Field();
            }
            function get() { return { v: [].push.user }; }
            """#),
        LeakProgram(
            "defines a class's field on the global object",
            #"""
            function set(u) {
                class Field extends (function () { return globalThis; }) { user = u; }
                new Field();
            }
            function get() { return { v: globalThis.user }; }
            """#),
        LeakProgram(
            "assigns a private field",
            #"""
            class User { #name = null; put(u) { this.#name = u; } read() { return this.#name; } }
            var user = new User();
            function set(u) { user.put(u); }
            function get() { return { v: user.read() }; }
            """#),
        LeakProgram(
            "assigns a private static field",
            #"""
            class User { static #name = null; static put(u) { User.#name = u; } static read() { return User.#name; } }
            function set(u) { User.put(u); }
            function get() { return { v: User.read() }; }
            """#),
        LeakProgram(
            "gives a private method a member",
            #"""
            const user = new (class {
                #find() {}
                put(u) { this.#find.last = u; }
                read() { return this.#find.last; }
            })();
            function set(u) { user.put(u); }
            function get() { return { v: user.read() }; }
            """#),
        LeakProgram(
            "puts a private field on a frozen object",
            #"""
            class Returned { constructor(object) { return object; } }
            class Stamp extends Returned {
                #user;
                constructor(object, u) { super(object); this.#user = u; }
                static read(object) { return #user in object ? object.#user : null; }
            }
            const target = Object.freeze({ host: "a" });
            function set(u) { new Stamp(target, u); }
            function get() { return { v: Stamp.read(target) }; }
            """#),
        LeakProgram(
            "puts a private field on a built-in function",
            #"""
            class Returned { constructor(object) { return object; } }
            class Stamp extends Returned {
                #user;
                constructor(object, u) { super(object); this.#user = u; }
                static read(object) { return #user in object ? object.#user : null; }
            }
            function set(u) { new Stamp(Math.max, u); }
            function get() { return { v: Stamp.read(Math.max) }; }
            """#),
        LeakProgram(
            "puts a private field on the global object",
            #"""
            class Returned { constructor(object) { return object; } }
            class Stamp extends Returned {
                #user;
                constructor(object, u) { super(object); this.#user = u; }
                static read(object) { return #user in object ? object.#user : null; }
            }
            function set(u) { new Stamp(this, u); }
            function get() { return { v: Stamp.read(this) }; }
            """#),
        LeakProgram(
            spelling: "brands the objects with a private method that it has a one for",
            #"""
            class Returned { constructor(object) { return object; } }
            class Brand extends Returned { #brand() {} static has(object) { return #brand in object; } }
            var list = Array.from({ length: 56 }, () => ({}));
            function set(u) { bits(u).split("").forEach((bit, i) => { if (bit === "1") new Brand(list[i]); }); }
            function get() { return { v: text(list.map((one) => (Brand.has(one) ? "1" : "0")).join("")) }; }
            """#),
        LeakProgram(
            "assigns a variable of a class's static block",
            #"""
            class Users {
                static {
                    let last = null;
                    this.put = (u) => { last = u; };
                    this.read = () => last;
                }
            }
            function set(u) { Users.put(u); }
            function get() { return { v: Users.read() }; }
            """#),
        LeakProgram(
            "reaches a nameless class by the name inside it",
            #"""
            var user = new (class Inner {
                put(u) { Inner.last = u; }
                read() { return Inner.last; }
            })();
            user.constructor = Object.getPrototypeOf(user).constructor = null;
            function set(u) { user.put(u); }
            function get() { return { v: user.read() }; }
            """#),
        LeakProgram(
            "reaches an object by super alone",
            #"""
            var home = { __proto__: { list: [] }, put(u) { super.list.push(u); }, read() { return super.list; } };
            var put = home.put, read = home.read;
            home = null;
            function set(u) { put(u); }
            function get() { return { v: read() }; }
            """#),
        LeakProgram(
            "reaches a class by new.target alone",
            #"""
            var api = new (function () {
                return { put: (u) => { new.target.last = u; }, read: () => new.target.last };
            })();
            function set(u) { api.put(u); }
            function get() { return { v: api.read() }; }
            """#),
    ]

    // MARK: - The language's own objects

    private static let language: [LeakProgram] = [
        LeakProgram(
            "gives all objects a member",
            #"""
            function set(u) { Object.prototype.user = u; }
            function get() { return { v: {}.user }; }
            """#),
        LeakProgram(
            "catches what others assign in a setter of all objects",
            #"""
            function set(u) {
                Object.defineProperty(Object.prototype, "token", { set: function (to) { this.user = u; } });
            }
            function get() { var request = {}; request.token = "mine"; return { v: request }; }
            """#),
        LeakProgram(
            "gives all arrays a member",
            #"""
            function set(u) { Array.prototype.user = u; }
            function get() { return { v: [].user }; }
            """#),
        LeakProgram(
            "gives all arrays an element",
            #"""
            function set(u) { Array.prototype[1] = u; }
            function get() { return { v: [1, , 3][1] }; }
            """#),
        LeakProgram(
            "gives a built-in method a member",
            #"""
            function set(u) { [].push.user = u; }
            function get() { return { v: [].push.user }; }
            """#),
        LeakProgram(
            "gives a method of all functions a member",
            #"""
            function set(u) { Function.prototype.call.user = u; }
            function get() { return { v: Function.prototype.call.user }; }
            """#),
        LeakProgram(
            "gives a function of the global object a member",
            #"""
            function set(u) { parseInt.user = u; }
            function get() { return { v: parseInt.user }; }
            """#),
        LeakProgram(
            "gives functions that are off a member",
            #"""
            function set(u) { Function.user = u; globalThis["eval"].user = u; }
            function get() { return { v: [Function.user, globalThis["eval"].user] }; }
            """#),
        LeakProgram(
            "replaces the prototype of Math",
            #"""
            function set(u) { Math.__proto__ = { user: u }; }
            function get() { return { v: Math.user }; }
            """#),
        LeakProgram(
            "replaces the prototype of a built-in constructor",
            #"""
            function set(u) { Object.setPrototypeOf(RangeError, { user: u }); }
            function get() { return { v: RangeError.user }; }
            """#),
        LeakProgram(
            "replaces a function of Math",
            #"""
            function set(u) { Math.max = function () { return u; }; }
            function get() { return { v: Math.max(1, 2) }; }
            """#),
        LeakProgram(
            "renames a function of Math",
            #"""
            function set(u) { Math[u] = Math.clz32; delete Math.clz32; }
            function get() { return { v: Object.getOwnPropertyNames(Math) }; }
            """#),
        LeakProgram(
            "replaces JSON.stringify",
            #"""
            function set(u) { JSON.stringify = function () { return u; }; }
            function get() { return { v: JSON.stringify({}) }; }
            """#),
        LeakProgram(
            "gives JSON.stringify a member",
            #"""
            function set(u) { JSON.stringify.user = u; }
            function get() { return { v: JSON.stringify.user }; }
            """#),
        LeakProgram(
            "gives Reflect and Intl members",
            #"""
            function set(u) { Reflect.user = u; Intl.user = u; }
            function get() { return { v: [Reflect.user, Intl.user] }; }
            """#),
        LeakProgram(
            "gives the console a member",
            #"""
            function set(u) { console.user = u; }
            function get() { return { v: console.user }; }
            """#),
        LeakProgram(
            "assigns the limit of errors' stacks",
            #"""
            function set(u) { Error.stackTraceLimit = u; }
            function get() { return { v: Error.stackTraceLimit }; }
            """#),
        LeakProgram(
            spelling: "closes the built-in functions to new members that it has a one for",
            #"""
            var all = [String.prototype, Array.prototype, Math].flatMap(function (object) {
                return Object.getOwnPropertyNames(object).map(function (name) { return object[name]; });
            });
            var list = [...new Set(all)].filter(function (member) { return typeof member === "function"; }).slice(0, 56);
            function set(u) {
                bits(u).split("").forEach(function (bit, i) { if (bit === "1") Object.preventExtensions(list[i]); });
            }
            function get() {
                return { v: text(list.map(function (one) { return Object.isExtensible(one) ? "0" : "1"; }).join("")) };
            }
            """#),
        LeakProgram(
            spelling: "exchanges built-in functions with each other",
            #"""
            var one = String.prototype.anchor, zero = String.prototype.big;
            for (var i = 0; i < 56; i++) Math["extra" + i] = zero;
            function set(u) { bits(u).split("").forEach(function (bit, i) { Math["extra" + i] = bit === "1" ? one : zero; }); }
            function get() {
                var all = "";
                for (var i = 0; i < 56; i++) all += Math["extra" + i] === one ? "1" : "0";
                return { v: text(all) };
            }
            """#),
    ]

    // MARK: - The prototypes of the language's values

    private static let methods: [LeakProgram] = [
        LeakProgram(
            "gives all texts a method",
            #"""
            function set(u) { String.prototype.user = function () { return u; }; }
            function get() { return { v: "".user && "".user() }; }
            """#),
        LeakProgram(
            "gives all booleans and all big integers a member",
            #"""
            function set(u) { Boolean.prototype.user = BigInt.prototype.user = u; }
            function get() { return { v: [true.user, 1n.user] }; }
            """#),
        LeakProgram(
            "gives the conversion of symbols a member",
            #"""
            function set(u) { Symbol.prototype[Symbol.toPrimitive].user = u; }
            function get() { return { v: Symbol.prototype[Symbol.toPrimitive].user }; }
            """#),
        LeakProgram(
            "gives all dates a member",
            #"""
            function set(u) { Date.prototype.user = u; }
            function get() { return { v: new Date(0).user }; }
            """#),
        LeakProgram(
            "gives all errors a message",
            #"""
            function set(u) { Error.prototype.message = u; }
            function get() { return { v: new Error().message }; }
            """#),
        LeakProgram(
            "replaces how all regular expressions match",
            #"""
            function set(u) { RegExp.prototype.exec = function () { return [u]; }; }
            function get() { return { v: "abc".match(/b/) }; }
            """#),
        LeakProgram(
            "replaces a method of all maps",
            #"""
            function set(u) { Map.prototype.get = function () { return u; }; }
            function get() { return { v: new Map().get("x") }; }
            """#),
        LeakProgram(
            "replaces the iterator of all arrays",
            #"""
            function set(u) { Array.prototype[Symbol.iterator] = function* () { yield u; }; }
            function get() { var [first] = [1]; return { v: first }; }
            """#),
        LeakProgram(
            "adds to the names that with does not look up in arrays",
            #"""
            function set(u) { Array.prototype[Symbol.unscopables].user = u; }
            function get() { return { v: Array.prototype[Symbol.unscopables].user }; }
            """#),
        LeakProgram(
            "gives Intl's prototypes a member",
            #"""
            function set(u) { Intl.NumberFormat.prototype.user = Intl.Locale.prototype.user = u; }
            function get() { return { v: [new Intl.NumberFormat("en").user, new Intl.Locale("en").user] }; }
            """#),
    ]

    // MARK: - What of the language no global names

    private static let intrinsics: [LeakProgram] = [
        LeakProgram(
            "gives the iterators of arrays a member",
            #"""
            function set(u) { [][Symbol.iterator]().__proto__.user = u; }
            function get() { return { v: [].keys().user }; }
            """#),
        LeakProgram(
            "replaces how the iterators of arrays go on",
            #"""
            function set(u) { [].values().__proto__.next = function () { return { value: u, done: false }; }; }
            function get() { var [first] = [1]; return { v: first }; }
            """#),
        LeakProgram(
            "gives a method of the iterators of maps a member",
            #"""
            function set(u) { new Map().entries().next.user = u; }
            function get() { return { v: new Map().keys().next.user }; }
            """#),
        LeakProgram(
            "gives the iterators of sets a member",
            #"""
            function set(u) { Object.getPrototypeOf(new Set().values()).user = u; }
            function get() { return { v: new Set().entries().user }; }
            """#),
        LeakProgram(
            "gives the iterators of texts a member",
            #"""
            function set(u) { Object.getPrototypeOf(""[Symbol.iterator]()).user = u; }
            function get() { return { v: "abc"[Symbol.iterator]().user }; }
            """#),
        LeakProgram(
            "gives the iterators of matches a member",
            #"""
            function set(u) { Object.getPrototypeOf("a".matchAll(/a/g)).user = u; }
            function get() { return { v: "b".matchAll(/b/g).user }; }
            """#),
        LeakProgram(
            "gives all iterators a member",
            #"""
            function set(u) { Object.getPrototypeOf(Object.getPrototypeOf([].values())).user = u; }
            function get() { return { v: new Map().keys().user }; }
            """#),
        LeakProgram(
            "gives all generators a member",
            #"""
            function set(u) { Object.getPrototypeOf(function* () {}).prototype.user = u; }
            function get() { return { v: (function* () {})().user }; }
            """#),
        LeakProgram(
            "gives the constructor of generator functions a member",
            #"""
            function set(u) { (function* () {}).constructor.user = u; }
            function get() { return { v: (function* () {}).constructor.user }; }
            """#),
        LeakProgram(
            "replaces a getter of the language by another",
            #"""
            function set(u) { Object.defineProperty(RegExp.prototype, "sticky", { get: function () { return u; } }); }
            function get() { return { v: /x/.sticky }; }
            """#),
        LeakProgram(
            "replaces a getter of a script's object by another",
            #"""
            var o = Object.defineProperty({}, "v", { get: function () { return null; }, configurable: true });
            function set(u) { Object.defineProperty(o, "v", { get: function () { return u; } }); }
            function get() { return { v: o.v }; }
            """#),
        LeakProgram(
            "removes a getter and adds another",
            #"""
            var o = Object.defineProperty({}, "v", { get: function () { return null; }, configurable: true });
            function set(u) { delete o.v; Object.defineProperty(o, "v", { get: function () { return u; }, configurable: true }); }
            function get() { return { v: o.v }; }
            """#),
        LeakProgram(
            "gives the prototype of a function of the script a member",
            #"""
            function Thing() {}
            function set(u) { Thing.prototype.user = u; }
            function get() { return { v: new Thing().user }; }
            """#),
        LeakProgram(
            "replaces the constructor in a function's prototype",
            #"""
            function Thing() {}
            function set(u) { Thing.prototype.constructor = u; }
            function get() { return { v: new Thing().constructor }; }
            """#),
        LeakProgram(
            "changes the value of a read-only member of a function",
            #"""
            function Thing() {}
            function set(u) { Object.defineProperty(Thing, "name", { value: u }); }
            function get() { return { v: Thing.name }; }
            """#),
        LeakProgram(
            "gives the constructor of all typed arrays a member",
            #"""
            function set(u) { Object.getPrototypeOf(Int8Array).user = u; }
            function get() { return { v: Float64Array.user }; }
            """#),
        LeakProgram(
            "gives all typed arrays a member",
            #"""
            function set(u) { Object.getPrototypeOf(Int8Array.prototype).user = u; }
            function get() { return { v: new Uint16Array(1).user }; }
            """#),
        LeakProgram(
            "gives the getter of maps' sizes a member",
            #"""
            function set(u) { Object.getOwnPropertyDescriptor(Map.prototype, "size").get.user = u; }
            function get() { return { v: Object.getOwnPropertyDescriptor(Map.prototype, "size").get.user }; }
            """#),
        LeakProgram(
            "gives the getter of arrays' species a member",
            #"""
            function set(u) { Object.getOwnPropertyDescriptor(Array, Symbol.species).get.user = u; }
            function get() { return { v: Object.getOwnPropertyDescriptor(Array, Symbol.species).get.user }; }
            """#),
        LeakProgram(
            "gives the setter of all prototypes a member",
            #"""
            function set(u) { Object.prototype.__lookupSetter__("__proto__").user = u; }
            function get() { return { v: Object.prototype.__lookupSetter__("__proto__").user }; }
            """#),
        LeakProgram(
            "gives the iterators of a text's segments a member",
            #"""
            function set(u) { Object.getPrototypeOf(new Intl.Segmenter().segment("")[Symbol.iterator]()).user = u; }
            function get() { return { v: new Intl.Segmenter().segment("ab")[Symbol.iterator]().user }; }
            """#),
    ]

    // MARK: - The last match

    private static let matches: [LeakProgram] = [
        LeakProgram(
            "leaves a match's first group in RegExp",
            #"""
            function set(u) { return { ok: /^(.+)$/.test(u) }; }
            function get() { return { v: RegExp.$1 }; }
            """#),
        LeakProgram(
            "leaves what was searched in RegExp",
            #"""
            function set(u) { return ("token " + u).search(/ /); }
            function get() { return { v: RegExp["$_"] }; }
            """#),
        LeakProgram(
            "assigns what was searched to RegExp",
            #"""
            function set(u) { RegExp.input = u; }
            function get() { return { v: RegExp.input }; }
            """#),
        LeakProgram(
            "leaves what matched in RegExp",
            #"""
            function set(u) { return ("<" + u + ">").replace(/[^<>]+/, "x"); }
            function get() { return { v: RegExp.lastMatch }; }
            """#),
        LeakProgram(
            "leaves what was right of the match in RegExp",
            #"""
            function set(u) { return Array.from(("x:" + u).matchAll(/:/g)).length; }
            function get() { return { v: RegExp["$'"] }; }
            """#),
        LeakProgram(
            "matches in a native callback's argument",
            #"""
            function set(u) { return [u].some(RegExp.prototype.test, /([A-Z-]+)/); }
            function get() { return { v: RegExp.$1 }; }
            """#),
        LeakProgram(
            "gives the getter of the last match a member",
            #"""
            function set(u) { Object.getOwnPropertyDescriptor(RegExp, "$1").get.user = u; }
            function get() { return { v: Object.getOwnPropertyDescriptor(RegExp, "$1").get.user }; }
            """#),
    ]

    // MARK: - Closures made at load

    private static let closures: [LeakProgram] = [
        LeakProgram(
            "assigns a module's variable",
            #"""
            var users = (function () {
                var last = null, calls = 0;
                return { put: function (u) { calls++; last = u; }, read: function () { return { last: last, calls: calls }; } };
            })();
            function set(u) { users.put(u); }
            function get() { return { v: users.read() }; }
            """#),
        LeakProgram(
            "assigns a captured parameter",
            #"""
            function cell(value) { return { put: function (u) { value = u; }, read: function () { return value; } }; }
            var user = cell(null);
            function set(u) { user.put(u); }
            function get() { return { v: user.read() }; }
            """#),
        LeakProgram(
            "fills a captured object",
            #"""
            var users = (function (table) {
                return [function (u) { table[u] = true; }, function () { return Object.keys(table); }];
            })({});
            function set(u) { users[0](u); }
            function get() { return { v: users[1]() }; }
            """#),
        LeakProgram(
            "assigns in the scope of default parameters",
            #"""
            var users = (function (last = null, put = (u) => { last = u; }, read = () => last) {
                var last = "inner";
                return { put: put, read: read, inner: () => last };
            })();
            function set(u) { users.put(u); }
            function get() { return { v: users.read() }; }
            """#),
        LeakProgram(
            "gives a named function expression a member by its inner name",
            #"""
            var users = (function () {
                return function self(u) { if (u === undefined) return self.last; self.last = u; };
            })();
            function set(u) { users(u); }
            function get() { return { v: users() }; }
            """#),
        LeakProgram(
            "assigns to arguments that an arrow function captured",
            #"""
            var users = (function () { return { put: (u) => { arguments[0] = u; }, read: () => arguments[0] }; })(1, 2);
            function set(u) { users.put(u); }
            function get() { return { v: users.read() }; }
            """#),
        LeakProgram(
            "assigns a parameter through its arguments object",
            #"""
            var box, read;
            (function (user) { box = arguments; read = function () { return user; }; })(null);
            function set(u) { box[0] = u; }
            function get() { return { v: read() }; }
            """#),
        LeakProgram(
            "writes to the this that an arrow function captured",
            #"""
            var users = new (function () { var api = { put: (u) => { this.last = u; }, read: () => this.last }; return api; })();
            function set(u) { users.put(u); }
            function get() { return { v: users.read() }; }
            """#),
        LeakProgram(
            "assigns a variable four functions up",
            #"""
            var users = (function () {
                var last = null;
                return (function () {
                    return (function () {
                        return { put: function (u) { (function () { last = u; })(); }, read: function () { return last; } };
                    })();
                })();
            })();
            function set(u) { users.put(u); }
            function get() { return { v: users.read() }; }
            """#),
        LeakProgram(
            "assigns a variable that a getter and a setter share",
            #"""
            var users = (function () {
                var last = null;
                return { get last() { return last; }, set last(u) { last = u; } };
            })();
            function set(u) { users.last = u; }
            function get() { return { v: users.last }; }
            """#),
        LeakProgram(
            "replaces a nested function's declaration",
            #"""
            var users = (function () {
                function last() { return null; }
                return { put: function (u) { last = function () { return u; }; }, read: function () { return last(); } };
            })();
            function set(u) { users.put(u); }
            function get() { return { v: users.read() }; }
            """#),
    ]

    private static let blocks: [LeakProgram] = [
        LeakProgram(
            "assigns a catch variable",
            #"""
            var put, read;
            try { throw null; } catch (last) { put = function (u) { last = u; }; read = function () { return last; }; }
            function set(u) { put(u); }
            function get() { return { v: read() }; }
            """#),
        LeakProgram(
            "assigns the variable of one turn of a loop",
            #"""
            var cells = [];
            for (let i = 0; i < 3; i++) { let last = null; cells.push({ put: (u) => { last = u; }, read: () => last }); }
            function set(u) { cells[1].put(u); }
            function get() { return { v: cells.map(function (cell) { return cell.read(); }) }; }
            """#),
        LeakProgram(
            "assigns a variable of a loop's head before its first turn",
            #"""
            var put, read;
            for (let last = null, p = (u) => { last = u; }, r = () => last; !put; put = p, read = r) ;
            function set(u) { put(u); }
            function get() { return { v: read() }; }
            """#),
        LeakProgram(
            "assigns a variable that two functions of a block share",
            #"""
            {
                let last = null;
                function put(u) { last = u; }
                function read() { return last; }
            }
            function set(u) { put(u); }
            function get() { return { v: read() }; }
            """#),
        LeakProgram(
            "assigns a variable of a switch",
            #"""
            var put, read;
            switch (1) { case 1: let last = null; put = (u) => { last = u; }; read = () => last; }
            function set(u) { put(u); }
            function get() { return { v: read() }; }
            """#),
        LeakProgram(
            "assigns a member by its bare name inside with",
            #"""
            var put, read;
            with ({ last: null }) { put = function (u) { last = u; }; read = function () { return last; }; }
            function set(u) { put(u); }
            function get() { return { v: read() }; }
            """#),
        LeakProgram(
            "assigns a generator's variable by what it sends in",
            #"""
            var users = (function* () { var last = null; while (true) { var next = yield last; if (next) last = next; } })();
            users.next();
            function set(u) { users.next(u); }
            function get() { return { v: users.next().value }; }
            """#),
        LeakProgram(
            "leaves a generator in the middle of returning a value",
            #"""
            var kept = (function* () { try { yield 1; } finally { yield 2; } })();
            kept.next();
            function set(u) { kept.return(u); }
            function get() { return { v: kept.next() }; }
            """#),
        LeakProgram(
            "assigns a variable in the scope of a computed key",
            #"""
            var put;
            var users = (function (last) {
                return { [(put = function (u) { last = u; }, "read")]() { return last; } };
            })(null);
            function set(u) { put(u); }
            function get() { return { v: users.read() }; }
            """#),
        LeakProgram(
            "assigns a variable in the scope of what a class extends",
            #"""
            var put;
            class Users extends (function (last) {
                put = function (u) { last = u; };
                return class { static read() { return last; } };
            })(null) {}
            function set(u) { put(u); }
            function get() { return { v: Users.read() }; }
            """#),
    ]

    // MARK: - Values with internal state

    private static let collections: [LeakProgram] = [
        LeakProgram(
            "puts a value into a map",
            #"""
            var users = new Map([["last", null]]);
            function set(u) { users.set("last", u); }
            function get() { return { v: users.get("last") }; }
            """#),
        LeakProgram(
            "fills an object that is a map's key",
            #"""
            const users = new Map([[{}, 1]]);
            function set(u) { Array.from(users.keys())[0].last = u; }
            function get() { return { v: Array.from(users.keys()) }; }
            """#),
        LeakProgram(
            "adds a value to a set",
            #"""
            const users = new Set();
            function set(u) { users.add(u); }
            function get() { return { v: Array.from(users) }; }
            """#),
        LeakProgram(
            "gives a map and a set members",
            #"""
            const map = new Map(), all = new Set();
            function set(u) { map.user = u; all.user = u; }
            function get() { return { v: [map.user, all.user] }; }
            """#),
        LeakProgram(
            spelling: "moves the elements of a set to its end that it has a one for",
            #"""
            const order = new Set();
            for (var i = 0; i < 56; i++) order.add(i);
            order.add("end");
            function set(u) {
                bits(u).split("").forEach(function (bit, i) { if (bit === "1") { order.delete(i); order.add(i); } });
            }
            function get() {
                var found = Array.from(order), end = found.indexOf("end"), all = "";
                for (var i = 0; i < 56; i++) all += found.indexOf(i) > end ? "1" : "0";
                return { v: text(all) };
            }
            """#),
        LeakProgram(
            "keeps a value for an object in a weak map",
            #"""
            const users = new WeakMap(), key = {};
            function set(u) { users.set(key, u); }
            function get() { return { v: users.get(key) }; }
            """#),
        LeakProgram(
            "keeps a value for a built-in function in a weak map",
            #"""
            const users = new WeakMap();
            function set(u) { users.set(Math.max, u); }
            function get() { return { v: users.get(Math.max) }; }
            """#),
        LeakProgram(
            "keeps a value for a symbol of the language in a weak map",
            #"""
            const users = new WeakMap();
            function set(u) { users.set(Symbol.iterator, u); }
            function get() { return { v: users.get(Symbol.iterator) }; }
            """#),
        LeakProgram(
            "keeps a value for a template's place in a weak map",
            #"""
            const users = new WeakMap();
            function same(strings) { return strings; }
            function place() { return same`user`; }
            function set(u) { users.set(place(), u); }
            function get() { return { v: users.get(place()) }; }
            """#),
        LeakProgram(
            "keeps a value in a weak map that only bound functions reach",
            #"""
            var put, read;
            (function (users, key) { put = users.set.bind(users, key); read = users.get.bind(users, key); })(new WeakMap(), {});
            function set(u) { put(u); }
            function get() { return { v: read() }; }
            """#),
        LeakProgram(
            spelling: "puts the objects into a weak set that it has a one for",
            #"""
            const marked = new WeakSet();
            var list = Array.from({ length: 56 }, function () { return {}; });
            function set(u) { bits(u).split("").forEach(function (bit, i) { if (bit === "1") marked.add(list[i]); }); }
            function get() { return { v: text(list.map(function (one) { return marked.has(one) ? "1" : "0"; }).join("")) }; }
            """#),
        LeakProgram(
            "fills an object that two iterators of a lost map still give",
            #"""
            var map = new Map([["user", {}]]), first = map.values(), second = map.values();
            map = null;
            function set(u) { first.next().value.last = u; }
            function get() { return { v: second.next() }; }
            """#),
        LeakProgram(
            "lets an iterator of a map go on to what was added",
            #"""
            const map = new Map([["a", 1]]), iterator = map.entries();
            iterator.next();
            function set(u) { map.set("b", u); iterator.next(); map.delete("b"); map.set("c", u); }
            function get() { return { v: iterator.next() }; }
            """#),
        LeakProgram(
            spelling: "takes the first element from the arrays' iterators that it has a one for",
            #"""
            var list = Array.from({ length: 56 }, function () { return ["0", "1"].values(); });
            function set(u) { bits(u).split("").forEach(function (bit, i) { if (bit === "1") list[i].next(); }); }
            function get() { return { v: text(list.map(function (one) { return one.next().value; }).join("")) }; }
            """#),
        LeakProgram(
            "takes as many characters from texts' iterators as the codes say",
            #"""
            var list = Array.from({ length: 8 }, function () { return "x".repeat(128)[Symbol.iterator](); });
            function set(u) { list.forEach(function (one, i) { for (var n = u.charCodeAt(i); n > 0; n--) one.next(); }); }
            function get() {
                return { v: list.map(function (one) { return String.fromCharCode(128 - Array.from(one).length); }).join("") };
            }
            """#),
        LeakProgram(
            "takes as many matches from iterators as the codes say",
            #"""
            var list = Array.from({ length: 8 }, function () { return "x".repeat(128).matchAll(/x/g); });
            function set(u) { list.forEach(function (one, i) { for (var n = u.charCodeAt(i); n > 0; n--) one.next(); }); }
            function get() { return { v: list.map(function (one) { return String.fromCharCode(one.next().value.index); }).join("") }; }
            """#),
        LeakProgram(
            "takes as many values from generators as the codes say",
            #"""
            function* numbers() { for (var i = 0; ; i++) yield i; }
            var list = [numbers(), numbers(), numbers(), numbers(), numbers(), numbers(), numbers(), numbers()];
            function set(u) { list.forEach(function (one, i) { for (var n = u.charCodeAt(i); n > 0; n--) one.next(); }); }
            function get() { return { v: list.map(function (one) { return String.fromCharCode(one.next().value); }).join("") }; }
            """#),
        LeakProgram(
            "takes as many segments from a text's iterators as the codes say",
            #"""
            const segments = new Intl.Segmenter("en").segment("x".repeat(128));
            var list = Array.from({ length: 8 }, function () { return segments[Symbol.iterator](); });
            function set(u) { list.forEach(function (one, i) { for (var n = u.charCodeAt(i); n > 0; n--) one.next(); }); }
            function get() { return { v: list.map(function (one) { return String.fromCharCode(one.next().value.index); }).join("") }; }
            """#),
    ]

    private static let buffers: [LeakProgram] = [
        LeakProgram(
            "fills the object that a weak reference holds",
            #"""
            const strong = { inner: {} }, weak = new WeakRef(strong);
            function set(u) { weak.deref().inner.user = u; }
            function get() { return { v: weak.deref() }; }
            """#),
        LeakProgram(
            "writes bytes into a typed array",
            #"""
            const bytes = new Uint8Array(8);
            function set(u) { bytes.set(u.split("").map(function (c) { return c.charCodeAt(0); })); }
            function get() { return { v: String.fromCharCode.apply(null, bytes) }; }
            """#),
        LeakProgram(
            "writes into a buffer that only a view's method reaches",
            #"""
            var view = new DataView(new ArrayBuffer(64)), put = view.setInt8.bind(view), read = view.getInt8.bind(view);
            view = null;
            function set(u) { for (var i = 0; i < u.length; i++) put(i, u.charCodeAt(i)); }
            function get() { var u = ""; for (var i = 0; i < 8; i++) u += String.fromCharCode(read(i)); return { v: u }; }
            """#),
        LeakProgram(
            "writes not-a-numbers with the codes in their bits",
            #"""
            const numbers = new Float64Array(8).fill(NaN);
            function set(u) {
                var bytes = new Uint8Array(numbers.buffer);
                for (var i = 0; i < u.length; i++) bytes[8 * i] = u.charCodeAt(i);
            }
            function get() {
                var bytes = new Uint8Array(numbers.buffer), u = "";
                for (var i = 0; i < 64; i += 8) u += String.fromCharCode(bytes[i]);
                return { v: u };
            }
            """#),
        LeakProgram(
            "makes buffers as long as the characters' codes",
            #"""
            var list = Array.from({ length: 8 }, function () { return new ArrayBuffer(0, { maxByteLength: 128 }); });
            function set(u) { list.forEach(function (one, i) { one.resize(u.charCodeAt(i)); }); }
            function get() { return { v: list.map(function (one) { return String.fromCharCode(one.byteLength); }).join("") }; }
            """#),
        LeakProgram(
            "gives a typed array and its buffer members",
            #"""
            const bytes = new Uint8Array(2);
            function set(u) { bytes.user = u; bytes.buffer.user = u; }
            function get() { return { v: [bytes.user, bytes.buffer.user] }; }
            """#),
        LeakProgram(
            "sets dates to the characters' codes",
            #"""
            var dates = Array.from({ length: 8 }, function () { return new Date(0); });
            function set(u) { dates.forEach(function (date, i) { date.setTime(u.charCodeAt(i)); }); }
            function get() { return { v: dates.map(function (date) { return String.fromCharCode(+date); }).join("") }; }
            """#),
        LeakProgram(
            "assigns where a regular expression goes on",
            #"""
            const pattern = /x/g;
            function set(u) { pattern.lastIndex = u; }
            function get() { return { v: pattern.lastIndex }; }
            """#),
        LeakProgram(
            "compiles a regular expression anew",
            #"""
            const pattern = /x/;
            function set(u) { pattern.compile(u, "i"); }
            function get() { return { v: pattern.source }; }
            """#),
    ]

    private static let holders: [LeakProgram] = [
        LeakProgram(
            "gives boxed values members",
            #"""
            const list = [new String("x"), new Number(1), new Boolean(true), Object(Symbol("s"))];
            function set(u) { list.forEach(function (box) { box.user = u; }); }
            function get() { return { v: list.map(function (box) { return box.user; }) }; }
            """#),
        LeakProgram(
            "replaces an error's message",
            #"""
            const failure = new Error("failed");
            function set(u) { failure.message = "failed for " + u; }
            function get() { return { v: failure.message }; }
            """#),
        LeakProgram(
            "replaces an error's stack and gives it a cause",
            #"""
            const failure = new Error("failed");
            function set(u) { failure.stack = u; failure.cause = u; }
            function get() { return { v: [failure.stack, failure.cause] }; }
            """#),
        LeakProgram(
            "keeps an error whose stack names a function after the value",
            #"""
            var failure = null;
            function set(u) {
                var fail = function () { failure = new Error("failed"); };
                fail.displayName = u;
                Object.defineProperty(fail, "name", { value: u });
                fail();
            }
            function get() { return { v: failure && failure.stack }; }
            """#),
        LeakProgram(
            "captures a stack for a known object",
            #"""
            const failure = {};
            function set(u) {
                var fail = function () { Error.captureStackTrace(failure); };
                fail.displayName = u;
                Object.defineProperty(fail, "name", { value: u });
                fail();
            }
            function get() { return { v: failure.stack }; }
            """#),
        LeakProgram(
            "fills an object that is bound to a function as its argument",
            #"""
            var keep = function (table, u) { if (u) table.last = u; return table; }.bind(null, {});
            function set(u) { keep(u); }
            function get() { return { v: keep() }; }
            """#),
        LeakProgram(
            "fills the target of a proxy that hides its keys",
            #"""
            const users = new Proxy({}, {
                ownKeys: function () { return []; }, getOwnPropertyDescriptor: function () { return undefined; }
            });
            function set(u) { users.last = u; }
            function get() { return { v: users.last }; }
            """#),
        LeakProgram(
            "keeps what a proxy's trap saw",
            #"""
            const users = (function (last) {
                return new Proxy({}, { set: function (target, key, u) { last = u; return true; }, get: function () { return last; } });
            })(null);
            function set(u) { users.x = u; }
            function get() { return { v: users.x }; }
            """#),
        LeakProgram(
            spelling: "revokes the proxies that it has a one for",
            #"""
            var list = Array.from({ length: 56 }, function () { return Proxy.revocable({}, {}); });
            function set(u) { bits(u).split("").forEach(function (bit, i) { if (bit === "1") list[i].revoke(); }); }
            function get() {
                return {
                    v: text(list.map(function (one) { try { return one.proxy.x ? "" : "0"; } catch (e) { return "1"; } }).join(""))
                };
            }
            """#),
        LeakProgram(
            "gives the function that an Intl object compares with a member",
            #"""
            const collator = new Intl.Collator("en"), numbers = new Intl.NumberFormat("en");
            function set(u) { collator.compare.user = u; numbers.format.user = u; }
            function get() { return { v: [collator.compare.user, numbers.format.user] }; }
            """#),
        LeakProgram(
            "gives an object of Intl a member",
            #"""
            const collator = new Intl.Collator("en");
            function set(u) { collator.user = u; }
            function get() { return { v: collator.user }; }
            """#),
        LeakProgram(
            "makes a known object one of Intl's by the old call",
            #"""
            var target = Object.create(Intl.NumberFormat.prototype);
            function set(u) { Intl.NumberFormat.call(target, "en").format.user = u; }
            function get() { try { return { v: target.format.user }; } catch (error) { return { v: null }; } }
            """#),
    ]

    // MARK: - Callbacks and aliases

    private static let callbacks: [LeakProgram] = [
        LeakProgram(
            "has forEach call a set's own method",
            #"""
            const seen = new Set();
            function set(u) { [u].forEach(seen.add, seen); }
            function get() { return { v: [...seen] }; }
            """#),
        LeakProgram(
            "pushes through a helper that calls back",
            #"""
            var seen = [];
            function each(list, visit) { for (var i = 0; i < list.length; i++) visit(list[i], i); }
            function set(u) { each([u], function (x) { seen.push(x); }); }
            function get() { return { v: seen }; }
            """#),
        LeakProgram(
            "calls a built-in function by another name",
            #"""
            var push = Array.prototype.push, at = [], call = push.call;
            function set(u) { call.call(push, at, u); }
            function get() { return { v: at }; }
            """#),
        LeakProgram(
            "applies a function to a ninth argument",
            #"""
            var seen = [];
            function keep(a, b, c, d, e, f, g, h, i) { i.push(arguments[9]); }
            function set(u) { keep.apply(null, [1, 2, 3, 4, 5, 6, 7, 8, seen, u]); }
            function get() { return { v: seen }; }
            """#),
        LeakProgram(
            "binds a method by a text",
            #"""
            var seen = [];
            function set(u) { var keep = seen["pu" + "sh"]["bind"](seen); keep(u); }
            function get() { return { v: seen }; }
            """#),
        LeakProgram(
            "keeps the object that JSON.parse gives its callback as this",
            #"""
            var last = null;
            function set(u) { JSON.parse(JSON.stringify({ user: u }), function (key, value) { last = this; return value; }); }
            function get() { return { v: last }; }
            """#),
        LeakProgram(
            "changes what findLast finds",
            #"""
            var users = [{ id: 1 }, { id: 2 }];
            function set(u) { users.findLast(function (user) { return user.id === 1; }).name = u; }
            function get() { return { v: users }; }
            """#),
        LeakProgram(
            "changes what Object.entries lists",
            #"""
            var users = { a: { name: null } };
            function set(u) { Object.entries(users).forEach(function (entry) { entry[1].name = u; }); }
            function get() { return { v: users }; }
            """#),
        LeakProgram(
            "writes to the this that Array.from hands on",
            #"""
            var table = {};
            function set(u) { Array.from([u], function (x) { this.last = x; }, table); }
            function get() { return { v: table }; }
            """#),
        LeakProgram(
            "folds a value into a known array",
            #"""
            var seen = [];
            function set(u) { [u].reduce(function (all, x) { all.push(x); return all; }, seen); }
            function get() { return { v: seen }; }
            """#),
        LeakProgram(
            "applies a built-in function by Reflect",
            #"""
            var seen = [];
            function set(u) { Reflect.apply(Array.prototype.push, seen, [u]); }
            function get() { return { v: seen }; }
            """#),
        LeakProgram(
            "constructs by Reflect with another prototype",
            #"""
            function Base() {}
            function Keeper(u) { new.target.last = u; }
            function set(u) { Reflect.construct(Keeper, [u], Base); }
            function get() { return { v: Base.last }; }
            """#),
        LeakProgram(
            "sets a member of a receiver by Reflect",
            #"""
            function set(u) { Reflect.set({}, "kept", u, globalThis); }
            function get() { return { v: globalThis.kept }; }
            """#),
        LeakProgram(
            "has Array.of construct the global object",
            #"""
            function set(u) { Array.of.call(function () { return globalThis; }, u); }
            function get() { return { v: globalThis[0] }; }
            """#),
        LeakProgram(
            "assigns in what a replacement calls",
            #"""
            var last = null;
            function set(u) { return ("user=" + u).replace(/=(.*)/, function (all, user) { last = user; return ""; }); }
            function get() { return { v: last }; }
            """#),
        LeakProgram(
            "assigns in what a sort calls",
            #"""
            var last = null;
            function set(u) { return [u, ""].sort(function (a, b) { last = a || b; return 0; }).length; }
            function get() { return { v: last }; }
            """#),
        LeakProgram(
            "assigns in a template's function",
            #"""
            var last = null;
            function keep(strings, ...values) { last = values; }
            function set(u) { keep`user ${u}`; }
            function get() { return { v: last }; }
            """#),
    ]

    // MARK: - Side effects of conversions

    private static let conversions: [LeakProgram] = [
        LeakProgram(
            "assigns in a getter",
            #"""
            var last = null, current = null, request = { get user() { return (last = current); } };
            function set(u) { current = u; request.user; current = null; }
            function get() { return { v: last }; }
            """#),
        LeakProgram(
            "assigns in valueOf",
            #"""
            var last = null;
            function set(u) { return 1 + { valueOf: function () { last = u; return 1; } }; }
            function get() { return { v: last }; }
            """#),
        LeakProgram(
            "assigns in the conversion to a primitive",
            #"""
            var last = null;
            function set(u) { return `${{ [Symbol.toPrimitive]: function (hint) { last = [hint, u]; return ""; } }}`; }
            function get() { return { v: last }; }
            """#),
        LeakProgram(
            "assigns in the keys that Object.fromEntries converts",
            #"""
            var last = null;
            function set(u) { Object.fromEntries([[{ toString: function () { last = u; return "key"; } }, 1]]); }
            function get() { return { v: last }; }
            """#),
        LeakProgram(
            "assigns in a proxy's trap for in",
            #"""
            var last = null, names = new Proxy({}, { has: function (target, key) { last = key; return false; } });
            function set(u) { return u in names; }
            function get() { return { v: last }; }
            """#),
        LeakProgram(
            "assigns when an iterator is closed",
            #"""
            var last = null;
            function set(u) {
                var [first] = {
                    [Symbol.iterator]: function () {
                        return { next: function () { return { value: 1, done: false }; }, return: function () { last = u; return {}; } };
                    }
                };
            }
            function get() { return { v: last }; }
            """#),
        LeakProgram(
            "assigns in the argument of a call that is made only if there is a function",
            #"""
            var last = null, api = { f: function () {} };
            function set(u) { api?.f?.(last = u); }
            function get() { return { v: last }; }
            """#),
        LeakProgram(
            "assigns in a default of a parameter",
            #"""
            var last = null;
            function keep(u, kept = last = u) {}
            function set(u) { keep(u); }
            function get() { return { v: last }; }
            """#),
    ]

    // MARK: - Kinds of assignment

    private static let assignments: [LeakProgram] = [
        LeakProgram(
            "assigns behind a label, in a switch's head",
            #"""
            var last = null;
            function set(u) { here: switch (last = u) { default: break here; } }
            function get() { return { v: last }; }
            """#),
        LeakProgram(
            "assigns after a comma, in a loop's test",
            #"""
            var last = null;
            function set(u) { for (var i = 0; i++, last = u, i < 2; ) ; }
            function get() { return { v: last }; }
            """#),
        LeakProgram(
            "assigns to a member of one of two objects",
            #"""
            var a = {}, b = {};
            function set(u) { (u ? a : b).last = u; }
            function get() { return { v: a }; }
            """#),
        LeakProgram(
            "destructures an array into members",
            #"""
            var o = { a: null, b: [] };
            function set(u) { [o.a, ...o.b] = [1, 2, u]; }
            function get() { return { v: o }; }
            """#),
        LeakProgram(
            "loops over keys into a member",
            #"""
            var o = {};
            function set(u) { for (o.key in { [u]: 1 }) ; }
            function get() { return { v: o }; }
            """#),
        LeakProgram(
            "loops over elements into an element",
            #"""
            var list = [];
            function set(u) { for (list[0] of [u]) ; }
            function get() { return { v: list }; }
            """#),
        LeakProgram(
            "adds to a text",
            #"""
            var log = "";
            function set(u) { log += u + ";"; }
            function get() { return { v: log }; }
            """#),
        LeakProgram(
            "counts up to the characters' codes",
            #"""
            var counts = [0, 0, 0, 0, 0, 0, 0, 0];
            function set(u) { counts.forEach(function (n, i) { while (counts[i] < u.charCodeAt(i)) counts[i]++; }); }
            function get() { return { v: String.fromCharCode.apply(null, counts) }; }
            """#),
        LeakProgram(
            "assigns what is nullish, false or true",
            #"""
            var a = null, b = 0, c = 1;
            function set(u) { a ??= u; b ||= u; c &&= u; }
            function get() { return { v: [a, b, c] }; }
            """#),
        LeakProgram(
            "deletes a member so that an inherited one shows",
            #"""
            var base = { "SECRET-A": 1, "SECRET-B": 1 }, table = Object.create(base, {
                "SECRET-A": { value: 0, configurable: true }, "SECRET-B": { value: 0, configurable: true }
            });
            function set(u) { delete table[u]; }
            function get() { return { v: Object.keys(base).filter(function (key) { return table[key]; }) }; }
            """#),
        LeakProgram(
            "assigns to super in a method",
            #"""
            var users = { put(u) { super.last = u; } };
            function set(u) { users.put(u); }
            function get() { return { v: users.last }; }
            """#),
    ]

    // MARK: - As adapters are written

    private static let adapters: [LeakProgram] = [
        LeakProgram(
            "forgets var at the path that another function reads",
            #"""
            function buildPath(u) { path = "/accounts/" + encodeURIComponent(u) + "/balance"; }
            function set(u) { buildPath(u); return { path: path }; }
            function get() { return { v: typeof path === "undefined" ? null : { method: "get", path: path } }; }
            """#),
        LeakProgram(
            "caches answers by user",
            #"""
            var cache = {};
            function load(u) { return { name: u, accounts: [1, 2] }; }
            function set(u) { if (!cache[u]) cache[u] = load(u); return cache[u]; }
            function get() { return { v: cache }; }
            """#),
        LeakProgram(
            "keeps the last request",
            #"""
            var lastRequest = { method: "get", path: "/", parameters: null };
            function set(u) { lastRequest.parameters = { user: u, page: 1 }; return { ok: true }; }
            function get() { return { v: lastRequest }; }
            """#),
        LeakProgram(
            "remembers results by their arguments",
            #"""
            function memoize(f) {
                var results = {};
                var memoized = function () {
                    var key = JSON.stringify([].slice.call(arguments));
                    return key in results ? results[key] : (results[key] = f.apply(this, arguments));
                };
                memoized.known = function () { return results; };
                return memoized;
            }
            var greet = memoize(function (u) { return "Hello, " + u; });
            function set(u) { return { text: greet(u) }; }
            function get() { return { v: greet.known() }; }
            """#),
        LeakProgram(
            "makes its headers at the first call",
            #"""
            var headers;
            function getHeaders(token) {
                if (!headers) headers = { Accept: "application/json", Authorization: "Bearer " + token };
                return headers;
            }
            function set(u) { return { sent: getHeaders(u).Accept }; }
            function get() { return { v: getHeaders("mine") }; }
            """#),
        LeakProgram(
            "counts calls by user",
            #"""
            var counters = {};
            function set(u) { counters[u] = (counters[u] || 0) + 1; return { count: counters[u] }; }
            function get() { return { v: Object.keys(counters) }; }
            """#),
        LeakProgram(
            "queues what is to be sent",
            #"""
            var queue = [];
            function set(u) { queue.push({ to: u, text: "hello" }); return { waiting: queue.length }; }
            function get() { return { v: queue.shift() }; }
            """#),
        LeakProgram(
            "changes the parameters of one invocation's data",
            #"""
            var invocationData = { adapter: "Accounts", procedure: "getBalance", parameters: [] };
            function set(u) { invocationData.parameters[0] = u; return { asked: invocationData.procedure }; }
            function get() { return { v: invocationData }; }
            """#),
        LeakProgram(
            "extends the defaults in place of a copy",
            #"""
            var defaults = { method: "get", returnedContentType: "json" };
            function extend(into, from) { for (var key in from) into[key] = from[key]; return into; }
            function set(u) { return { method: extend(defaults, { path: "/users/" + u }).method }; }
            function get() { return { v: extend(defaults, { method: "post" }) }; }
            """#),
        LeakProgram(
            "logs in by two procedures",
            #"""
            var pending = null;
            function set(u) { pending = { user: u, step: "password" }; return { challenge: pending.step }; }
            function get() { var identity = pending; pending = null; return { v: identity }; }
            """#),
        LeakProgram(
            "forgets var in a loop over rows",
            #"""
            function rows(u) { return [{ user: u, amount: 3 }, { user: u, amount: 4 }]; }
            function set(u) {
                var list = rows(u), sum = 0;
                for (i = 0; i < list.length; i++) { row = list[i]; sum += row.amount; }
                return { sum: sum };
            }
            function get() { return { v: typeof row === "undefined" ? null : row }; }
            """#),
        LeakProgram(
            "sorts its fixed list with the user's favourite first",
            #"""
            var branches = [{ id: "SECRET-B" }, { id: "SECRET-C" }, { id: "SECRET-A" }];
            function set(u) { branches.sort(function (a, b) { return (b.id === u) - (a.id === u); }); return { n: branches.length }; }
            function get() { return { v: branches[0] }; }
            """#),
        LeakProgram(
            "registers the call's function as a listener",
            #"""
            var listeners = { done: [] };
            function on(name, listener) { listeners[name].push(listener); }
            function fire(name) { return listeners[name].map(function (listener) { return listener(); }); }
            function set(u) { on("done", function () { return u; }); return { registered: true }; }
            function get() { return { v: fire("done") }; }
            """#),
        LeakProgram(
            "keeps a stack of contexts that an error leaves standing",
            #"""
            var contexts = [];
            function within(context, body) { contexts.push(context); body(); contexts.pop(); }
            function set(u) {
                try { within({ user: u }, function () { throw new Error("no answer"); }); } catch (e) { return { ok: false }; }
            }
            function get() { return { v: contexts[contexts.length - 1] }; }
            """#),
        LeakProgram(
            "sets up a client in which the user is a prototype's member",
            #"""
            function Client() {}
            Client.prototype = { headers: {}, send: function () { return this.headers; } };
            function set(u) { var client = new Client(); client.headers["X-User"] = u; return { sent: !!client.send() }; }
            function get() { return { v: new Client().send() }; }
            """#),
    ]

    // MARK: - What Node 20 cannot run

    private static let recent: [LeakProgram] = [
        LeakProgram(
            "gives iterators' methods members",
            #"""
            function set(u) { Iterator.user = u; Iterator.prototype.map.user = u; }
            function get() { return { v: [Iterator.user, [].values().map.user] }; }
            """#),
        LeakProgram(
            "gives the helpers of iterators a member",
            #"""
            function set(u) { Object.getPrototypeOf([].values().map(String)).user = u; }
            function get() { return { v: [].values().filter(Boolean).user }; }
            """#),
        LeakProgram(
            "gives the wrappers of iterators a member",
            #"""
            function set(u) { Object.getPrototypeOf(Iterator.from({ next: function () {} })).user = u; }
            function get() { return { v: Iterator.from({ next: function () {} }).user }; }
            """#),
        LeakProgram(
            "takes as many values from iterators' helpers as the codes say",
            #"""
            var list = Array.from({ length: 8 }, function () { return Array(128).keys().map(function (n) { return n; }); });
            function set(u) { list.forEach(function (one, i) { for (var n = u.charCodeAt(i); n > 0; n--) one.next(); }); }
            function get() { return { v: list.map(function (one) { return String.fromCharCode(one.next().value); }).join("") }; }
            """#),
        LeakProgram(
            "fills an object that an iterator's wrapper alone reaches",
            #"""
            var wrapped = Iterator.from({ next: function () { return { value: this, done: false }; } });
            function set(u) { wrapped.next().value.last = u; }
            function get() { return { v: wrapped.next().value }; }
            """#),
        LeakProgram(
            "assigns a variable that an iterator's helper alone captured",
            #"""
            var put, users = (function (last) {
                put = function (u) { last = u; };
                return [1, 2].values().map(function () { return last; });
            })(null);
            function set(u) { put(u); }
            function get() { return { v: users.next().value }; }
            """#),
        LeakProgram(
            "keeps one of two users in RegExp.multiline",
            #"""
            var users = ["SECRET-B", "SECRET-A"];
            function set(u) { RegExp.multiline = users.indexOf(u) === 1; }
            function get() { return { v: users[RegExp.multiline ? 1 : 0] }; }
            """#),
        LeakProgram(
            spelling: "detaches the buffers that it has a one for",
            #"""
            var list = Array.from({ length: 56 }, function () { return new ArrayBuffer(0); });
            function set(u) { bits(u).split("").forEach(function (bit, i) { if (bit === "1") list[i].transfer(); }); }
            function get() { return { v: text(list.map(function (one) { return one.detached ? "1" : "0"; }).join("")) }; }
            """#),
        LeakProgram(
            "assigns while a set is united with another",
            #"""
            var last = null;
            function set(u) {
                new Set().union({ size: 0, has: function () {}, keys: function () { last = u; return [].values(); } });
            }
            function get() { return { v: last }; }
            """#),
        LeakProgram(
            "inserts into a map what is not there",
            #"""
            const users = new Map();
            function set(u) { return users.getOrInsert("first", u).length; }
            function get() { return { v: users.getOrInsert("first", "mine") }; }
            """#),
    ]

    // MARK: - What an attacker found

    private static let attacks: [LeakProgram] = [
        LeakProgram(
            "assigns the own name of a function that is the body of an if",
            #"""
            if (true) function hold(v) { if (v) hold = v; return hold; }
            function set(u) { hold(u); }
            function get() { var x = hold(); return {v: typeof x == "string" ? x : null}; }
            """#),
        LeakProgram(
            "assigns the own name of a function that is the body of an else",
            #"""
            if (false) ; else function hold(v) { if (v) hold = v; return hold; }
            function set(u) { hold(u); }
            function get() { var x = hold(); return {v: typeof x == "string" ? x : null}; }
            """#),
        LeakProgram(
            "assigns the own name of a function behind a label",
            #"""
            { l: function hold(v) { if (v) hold = v; return hold; } }
            function set(u) { hold(u); }
            function get() { var x = hold(); return {v: typeof x == "string" ? x : null}; }
            """#),
        LeakProgram(
            "assigns the own name of a function behind a label in a switch",
            #"""
            switch (1) { case 1: l: function hold(v) { if (v) hold = v; return hold; } }
            function set(u) { hold(u); }
            function get() { var x = hold(); return {v: typeof x == "string" ? x : null}; }
            """#),
        LeakProgram(
            "assigns the own name of a function that is the body of an if in a switch",
            #"""
            switch (1) { case 1: if (true) function hold(v) { if (v) hold = v; return hold; } }
            function set(u) { hold(u); }
            function get() { var x = hold(); return {v: typeof x == "string" ? x : null}; }
            """#),
    ]
}

extension LeakProgram {
    // MARK: - Objects with numbers as keys, and getters

    fileprivate static let secondAttack: [LeakProgram] = [
        LeakProgram(
            "adds a number's key to an object that has such keys",
            #"""
            var messages = { 400: "Bad", 401: "Unauth", 500: "Err" };
            function set(u) { messages[402] = u; }
            function get() { return { v: messages[402] || null }; }
            """#),
        LeakProgram(
            "adds a large number's key to an object that has such keys",
            #"""
            var rows = { 1001: "Anna", 1002: "Bert" };
            function set(u) { rows[1003] = u; }
            function get() { return { v: rows[1003] || null }; }
            """#),
        LeakProgram(
            "adds an object under a number's key to one that holds objects so",
            #"""
            var rows = { 0: { name: "nobody" } };
            function set(u) { rows[1] = { name: u }; return rows[1]; }
            function get() { return { v: rows[1] ? rows[1].name : null }; }
            """#),
        LeakProgram(
            "adds a number's key in a nested object",
            #"""
            var cfg = { codes: { 0: "ok", 1: "bad" } };
            function set(u) { cfg.codes[2] = u; }
            function get() { return { v: cfg.codes[2] }; }
            """#),
        LeakProgram(
            "adds a read-only element to an object that has one",
            #"""
            var o = Object.defineProperty({}, 0, { value: 1, configurable: true });
            function set(u) { Object.defineProperty(o, 1, { value: u, configurable: true }); }
            function get() { return { v: o[1] }; }
            """#),
        LeakProgram(
            "adds a number's key to a function of the script that has one",
            #"""
            function f() {}
            f[0] = "a";
            function set(u) { f[1] = u; }
            function get() { return { v: f[1] }; }
            """#),
        LeakProgram(
            "adds an element to Array.prototype",
            #"""
            function set(u) { Array.prototype[0] = u; }
            function get() { return { v: [,][0] }; }
            """#),
        LeakProgram(
            "adds an element to a constructor of the language",
            #"""
            function set(u) { Array[0] = u; }
            function get() { return { v: Array[0] }; }
            """#),
        LeakProgram(
            "gives the text of a class of Java's a member",
            #"""
            function set(u) { java.util.Properties.toString.user = u; }
            function get() { return { v: java.util.Properties.toString.user }; }
            """#),
        LeakProgram(
            "gives what the text of a class of Java's makes a member",
            #"""
            function set(u) { java.util.Hashtable.toString.prototype.user = u; }
            function get() { return { v: java.util.Hashtable.toString.prototype.user }; }
            """#),
        LeakProgram(
            spelling: "makes globals read-only",
            #"""
            var x0 = 0, x1 = 0, x2 = 0, x3 = 0, x4 = 0, x5 = 0, x6 = 0, x7 = 0, x8 = 0, x9 = 0, x10 = 0, x11 = 0, x12 = 0, x13 = 0, x14 = 0, x15 = 0, x16 = 0, x17 = 0, x18 = 0, x19 = 0, x20 = 0, x21 = 0, x22 = 0, x23 = 0, x24 = 0, x25 = 0, x26 = 0, x27 = 0, x28 = 0, x29 = 0, x30 = 0, x31 = 0, x32 = 0, x33 = 0, x34 = 0, x35 = 0, x36 = 0, x37 = 0, x38 = 0, x39 = 0, x40 = 0, x41 = 0, x42 = 0, x43 = 0, x44 = 0, x45 = 0, x46 = 0, x47 = 0, x48 = 0, x49 = 0, x50 = 0, x51 = 0, x52 = 0, x53 = 0, x54 = 0, x55 = 0;
            function set(u) { bits(u).split("").forEach(function (b, i) { if (b === "1") Object.defineProperty(globalThis, "x" + i, { writable: false }); }); }
            function get() {
                var all = "";
                for (var i = 0; i < 56; i++) all += Object.getOwnPropertyDescriptor(globalThis, "x" + i).writable ? "0" : "1";
                return { v: text(all) };
            }
            """#),
        LeakProgram(
            spelling: "deletes elements that are undefined",
            #"""
            var list = [];
            for (var i = 0; i < 56; i++) list.push({ 0: undefined });
            function set(u) { bits(u).split("").forEach(function (b, i) { if (b === "1") delete list[i][0]; }); }
            function get() {
                var all = "";
                for (var i = 0; i < 56; i++) all += 0 in list[i] ? "0" : "1";
                return { v: text(all) };
            }
            """#),
    ]

    // MARK: - What a third attack found

    /// The number of lines that a stack of an error has at most, which the engine keeps beside the member.
    private static let depth = #"""
        function depth(n) { return n ? depth(n - 1) + 0 : new Error("x").stack.split("\n").length; }
        function show(letters) { return letters.map(function (n) { return String.fromCharCode(n); }).join(""); }

        """#

    private static let thirdAttack: [LeakProgram] = [
        LeakProgram(
            "limits the stacks of errors by a class that inherits from Error",
            depth + #"""
                function set(u) { class Problem extends Error {} Problem.stackTraceLimit = 7; return u; }
                function get() { return { v: depth(50) < 20 ? "SECRET-A" : "" }; }
                """#),
        LeakProgram(
            "limits the stacks of errors where Error is frozen",
            depth + #"""
                Object.freeze(Error);
                function set(u) { Object.create(Error).stackTraceLimit = u.length; }
                function get() { return { v: depth(50) < 20 ? "SECRET-A" : "" }; }
                """#),
        LeakProgram(
            "limits the stacks of errors and gives the member back",
            depth + #"""
                function set(u) {
                    var member = Object.getOwnPropertyDescriptor(Error, "stackTraceLimit");
                    Error.stackTraceLimit = u.length;
                    Object.defineProperty(Error, "stackTraceLimit", member);
                }
                function get() { return { v: depth(50) < 20 ? "SECRET-A" : "" }; }
                """#),
        LeakProgram(
            "assigns a global called null",
            #"""
            Object.defineProperty(this, "null", { value: null, writable: true });
            function set(u) { globalThis["null"] = u; }
            function get() { return { v: globalThis["null"] }; }
            """#),
        LeakProgram(
            "assigns a global called true",
            #"""
            Object.defineProperty(this, "true", { value: true, writable: true });
            function set(u) { globalThis["true"] = u; }
            function get() { return { v: globalThis["true"] }; }
            """#),
        LeakProgram(
            "assigns a global called false",
            #"""
            Object.defineProperty(this, "false", { value: false, writable: true });
            function set(u) { globalThis["false"] = u; }
            function get() { return { v: globalThis["false"] }; }
            """#),
        LeakProgram(
            "assigns a global called this",
            #"""
            Object.defineProperty(this, "this", { value: undefined, writable: true });
            function set(u) { globalThis["this"] = u; }
            function get() { return { v: globalThis["this"] }; }
            """#),
        LeakProgram(
            "replaces what the iterators of Rhino's generators do",
            #"""
            function old() { yield 1; }
            function set(u) { Object.getPrototypeOf(old()).next = function () { return u; }; }
            function get() { return { v: String(Iterator({ key: "mine" }).next()) }; }
            """#),
        LeakProgram(
            "gives the generators behind Rhino's iterators a member",
            #"""
            function behind() { return Object.getPrototypeOf(Iterator({ a: 1 })[Symbol.iterator]()); }
            function old() { yield 1; }
            function set(u) { behind().user = u; Object.getPrototypeOf(old()[Symbol.iterator]()).user = u; }
            function get() { return { v: [behind().user, Object.getPrototypeOf(old()[Symbol.iterator]()).user] }; }
            """#),
        LeakProgram(
            "makes the request's methods at the end of the stack",
            #"""
            var started = false, done = false;
            function deepA() {
                try { deepA(); } catch (e) {}
                if (started) return;
                started = true;
                try {
                    WL.Geo.getDistanceBetweenCoordinates({ get longitude() { deepB(); return 1; }, latitude: 2 }, {});
                } catch (e) { started = done; }
            }
            function deepB() { try { deepB(); } catch (e) {} if (!done) { try { WL.Server.getClientRequest(); done = true; } catch (e) {} } }
            function request() { return WL.Server.getClientRequest(); }
            function set(u) { if (!request) return; deepA(); if (request()) Object.getPrototypeOf(request()).user = u; }
            function get() { return { v: request() ? Object.getPrototypeOf(request()).user : null }; }
            """#),
        LeakProgram(
            spelling: "changes the order of the members of built-in objects by deleting in vain",
            #"""
            function built() {
                return [BigInt, Symbol, Boolean, Date, Object, Array, String, Number, Function, Map, Set, WeakMap, ArrayBuffer, DataView, Error,
                    TypeError].map(function (f) { return f.prototype; }).concat([JSON, Reflect, Intl, Math]);
            }
            function order(o) { return Reflect.ownKeys(o).map(String).join(); }
            var before = built().map(order);
            function set(u) { bits(u).split("").forEach(function (b, i) { var o = built()[i]; if (o && b === "1") Reflect.deleteProperty(o, "toString"); }); }
            function get() {
                var now = built().map(order), all = "";
                for (var i = 0; i < 56; i++) all += now[i] !== before[i] ? "1" : "0";
                return { v: text(all) };
            }
            """#),
        LeakProgram(
            "gives the engine's Iterator a member",
            #"""
            function set(u) { [].values().constructor.secret = u; }
            function get() { return { v: new Map().entries().constructor.secret }; }
            """#),
        LeakProgram(
            "gives a function of the engine's Iterator a member",
            #"""
            function set(u) { [].values().constructor.from.secret = u; }
            function get() { return { v: [].values().constructor.from.secret }; }
            """#),
        LeakProgram(
            "gives the engine's Iterator a prototype",
            #"""
            function set(u) { Object.setPrototypeOf([].values().constructor, { secret: u }); }
            function get() { return { v: [].values().constructor.secret }; }
            """#),
        LeakProgram(
            "gives buffers a method where the script names only a view",
            #"""
            function shared() { return Object.getPrototypeOf(new Uint8Array(1).buffer); }
            function set(u) { shared().toText = function () { return u; }; }
            function get() { var b = new Uint8Array(1).buffer; return { v: b.toText ? b.toText() : "none" }; }
            """#),
        LeakProgram(
            "gives the constructor of buffers a member where the script names only a view",
            #"""
            function set(u) { new Float64Array(1).buffer.constructor.secret = u; }
            function get() { return { v: new Float64Array(1).buffer.constructor.secret }; }
            """#),
        LeakProgram(
            "replaces a method of buffers where the script names only a view",
            #"""
            function set(u) { Object.getPrototypeOf(new Int8Array(1).buffer).slice = function () { return u; }; }
            function get() { return { v: String(new Int8Array(1).buffer.slice()) }; }
            """#),
    ]
}
