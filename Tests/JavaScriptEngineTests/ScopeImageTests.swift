import Testing

@testable import JavaScriptEngine

@Suite("The language's own objects in a scope's image")
struct ScopeImageTests {
    /// Calls every function of the language with many receivers and arguments, and checks the prototypes of all results.
    ///
    /// Returns how many objects it checked, and the functions that returned one with a prototype that is neither known nor frozen.
    private static let search = #"""
        (function (known) {
            var ownKeys = Reflect.ownKeys, describe = Object.getOwnPropertyDescriptor, prototypeOf = Object.getPrototypeOf;
            var apply = Reflect.apply, construct = Reflect.construct, isFrozen = Object.isFrozen;
            var isKnown = new Set(known), seen = new Set(), missing = new Set(), count = 0;
            function isObject(value) { return value !== null && (typeof value === "object" || typeof value === "function"); }
            var reported = [];
            function look(value, origin, depth) {
                if (!isObject(value) || seen.has(value)) return;
                seen.add(value);
                count += 1;
                for (var object = prototypeOf(value); object !== null; object = prototypeOf(object)) {
                    if (!isKnown.has(object) && !isFrozen(object) && !own.has(object)) missing.add(origin);
                }
                if (depth === 0) return;
                ownKeys(value).forEach(function (key) {
                    var found = describe(value, key);
                    look(found.value, origin + " ." + String(key), depth - 1);
                    look(found.get, origin + " ." + String(key), depth - 1);
                });
            }
            var functions = new Map();
            function collect(value, path) {
                if (!isObject(value) || functions.has(value) || value === globalThis) return;
                functions.set(value, path);
                ownKeys(value).forEach(function (key) {
                    var found = describe(value, key), name = path + "." + String(key);
                    collect(found.value, name);
                    collect(found.get, name + " (get)");
                });
                collect(prototypeOf(value), path + ".__proto__");
            }
            ownKeys(globalThis).forEach(function (key) { collect(describe(globalThis, key).value, String(key)); });
            known.forEach(function (object) { collect(object, "known"); });

            function* generate() { yield 1; yield [2]; }
            async function later() { return 1; }
            async function* generateLater() { yield 1; }
            class Derived extends Map { #hidden = 1; static member = 1; get hidden() { return this.#hidden; } }
            function Made() { this.a = 1; }
            // What this script itself makes has prototypes of its own.
            var own = new Set([generate.prototype, generateLater.prototype, Derived, Derived.prototype, Made.prototype]);
            function sloppy() { return arguments; }
            function one() { return 1; }
            function ended() { return { done: true }; }
            function strict() { "use strict"; return arguments; }
            function samples() {
                return [
                    undefined, null, 0, 1, 5.5, "", "abc", "a-b", true, 10n, Symbol.iterator, {}, { a: 1, next: ended }, [], [1, [2]],
                    ["a", "b"], /b/g, /(?<x>a)/, new Map([[1, 2]]), new Set([1]), new WeakMap(), new WeakSet(), new WeakRef({}), new Date(0),
                    new Error("x"), new ArrayBuffer(8), new Uint8Array(4), new Float64Array(2),
                    new DataView(new ArrayBuffer(8)), generate(), generateLater(), later(), sloppy(1), strict(1), sloppy, generate, later,
                    generateLater, Derived, new Derived(), new Made(), () => [1], (a) => a, new Proxy({}, {}),
                    [1][Symbol.iterator](), "x"[Symbol.iterator](), "x".matchAll(/x/g), new Map([[1, 2]]).entries(), new Set([1]).values(),
                    Iterator.from({ next: ended }), [1].values().map(String), Object(1n), Object(Symbol.iterator), Object("x"),
                    "en", "2020-01-01", "number", Symbol("x"), { value: 1 }, { get: sloppy }
                ].concat(intl());
            }
            function intl() {
                return [
                    new Intl.NumberFormat("en"), new Intl.DateTimeFormat("en"), new Intl.Collator("en"), new Intl.PluralRules("en"),
                    new Intl.Segmenter("en"), new Intl.Segmenter("en").segment("a b"),
                    new Intl.Segmenter("en").segment("a b")[Symbol.iterator](), new Intl.ListFormat("en"), new Intl.Locale("en"),
                    new Intl.RelativeTimeFormat("en"), new Intl.DisplayNames("en", { type: "language" })
                ];
            }
            var receivers = samples().filter(isObject);
            receivers.forEach(function (sample) { look(sample, "a sample", 1); });
            // Object.create gives objects that inherit from these.
            receivers.forEach(function (sample) { own.add(sample); });
            // These wait, end the scope, or change what the others need.
            var left = /wait|notify|^Math\.random$|^Date(\.now)?$|Iterator\.prototype\.(toArray|forEach|reduce|some|every|find)$|\.(apply|call|create|setPrototypeOf|preventExtensions|freeze|seal|defineProperty|defineProperties|assign|__proto__|__define\wetter__)( \(get\))?$|parseModule|gc$/;
            receivers = receivers.concat(samples().filter(function (sample) { return !isObject(sample) && sample !== undefined && sample !== null; }));
            functions.forEach(function (path, value) {
                if (typeof value !== "function" || left.test(path)) return;
                [[], ["a"], [1], [{}], [[1, "b"]], [one], [/b/g], ["a", one], [1, 2], ["en"], [generate(), one], [Made, []]].forEach(
                    function (given) {
                        receivers.forEach(function (receiver) {
                            try { look(apply(value, receiver, given), path, 2); } catch (error) { look(error, path + " throws", 1); }
                        });
                        try { look(construct(value, given), "new " + path, 2); } catch (error) { look(error, "new " + path + " throws", 1); }
                    });
            });
            return [count, functions.size, Array.from(missing).join("\n")];
        })
        """#

    @Test("Results of built-in functions inherit only from objects that are compared or frozen")
    func prototypes() async throws {
        let bench = try await Bench()
        let (count, functions, missing) = try await bench.run { context in
            let image = try ScopeImage(in: context)
            try image.begin(hiding: [])
            let known = try #require(image.known)
            let result = try context.evaluate(Self.search, file: "search").call([known])
            return (
                try result.element(at: 0).number ?? 0, try result.element(at: 1).number ?? 0,
                try result.element(at: 2).string ?? ""
            )
        }
        #expect(missing == "")
        #expect(functions > 600)
        #expect(count > 2000)
    }
}
