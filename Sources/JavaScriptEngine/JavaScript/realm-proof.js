(function (more) {
    "use strict";
    var prototypeOf = Object.getPrototypeOf, describe = Object.getOwnPropertyDescriptor;
    function isObject(value) { return typeof value === "object" ? value !== null : typeof value === "function"; }

    function made() {
        function* generator() { yield 1; }
        // The global of that name may be Rhino's.
        var Iterators = prototypeOf(prototypeOf([][Symbol.iterator]())).constructor;
        return [
            [].keys(), "x"[Symbol.iterator](), new Map([[1, 2]]).entries(), new Set([1]).values(), "aa".matchAll(/a/g),
            [1].values().map(isObject), [1].values().filter(isObject), [1].values().take(1), [1].values().drop(0),
            [1].values().flatMap(function (x) { return [x]; }), Iterators.from({ next: isObject }),
            new Intl.Segmenter().segment("a b"), new Intl.Segmenter().segment("a b")[Symbol.iterator](),
            prototypeOf(generator()), generator, isObject, function () { return arguments; }(), () => 1, class {},
            class extends Array {}, { method() {} }.method, isObject.bind(), /a/, /a/.exec("a"), new Error("x"), new TypeError("x"),
            [], {}, Symbol("x"), Object(1n), Object(1), Object(""), Object(true), (function (strings) { return strings; })`a${1}b`,
            new Intl.DateTimeFormat().format, new Intl.NumberFormat(), new Proxy({}, {}), new Date(0), new ArrayBuffer(1),
            new DataView(new ArrayBuffer(1)), new Map(), new Set(), new WeakMap(), new WeakSet(), new Uint8Array(1), import("nothing")
        ];
    }

    function reach() {
        var paths = new Map();
        function add(value, path) { if (isObject(value) && !paths.has(value)) paths.set(value, path); }
        add(globalThis, "globalThis");
        more.forEach(function (value, index) { add(value, "object " + index); });
        made().forEach(function (value, index) { add(prototypeOf(value), "prototype of value " + index); });
        add(describe(function () { return arguments; }(), "callee").get, "arguments.callee");
        paths.forEach(function (path, object) {
            add(prototypeOf(object), path + ".__proto__");
            Reflect.ownKeys(object).forEach(function (key) {
                var member = describe(object, key), at = path + "." + String(key);
                add(member.value, at);
                add(member.get, at + " (get)");
                attempt(function () { add(Reflect.apply(member.get, object, []), at + " (result)"); });
                add(member.set, at + " (set)");
            });
        });
        return paths;
    }

    function openings() {
        var found = [];
        reach().forEach(function (path, object) {
            if (Object.isExtensible(object)) found.push(path + " is extensible");
            Reflect.ownKeys(object).forEach(function (key) {
                var member = describe(object, key), at = path + "." + String(key);
                if (member.configurable) found.push(at + " is configurable");
                if (member.writable) found.push(at + " is writable");
            });
        });
        return found;
    }

    function slots() {
        var found = [], getters = { ArrayBuffer: "byteLength", DataView: "byteLength", Map: "size", Set: "size" };
        var probes = Object.keys(getters).map(function (kind) { return describe(globalThis[kind].prototype, getters[kind]).get; });
        probes.push(
            WeakMap.prototype.has, WeakSet.prototype.has, Date.prototype.getTime, RegExp.prototype.exec,
            prototypeOf(Uint8Array.prototype).keys, prototypeOf(function* () {}()).next, prototypeOf([].keys()).next,
            prototypeOf(new Map().keys()).next, prototypeOf(new Set().keys()).next, prototypeOf([].values().map(isObject)).next
        );
        reach().forEach(function (path, object) {
            probes.forEach(function (probe) {
                try { probe.call(object); } catch (error) { return; }
                found.push(path + " has the state of " + probe.name);
            });
            if (describe(object, "$1") || describe(object, "lastMatch")) found.push(path + " has the last match");
        });
        return found;
    }

    // One line for each object, with its prototype and its members.
    function picture(paths) {
        var numbers = new Map(), lines = [];
        paths.forEach(function (path, object) { numbers.set(object, numbers.size); });
        function name(value) {
            return !isObject(value) ? typeof value + " " + String(value) : numbers.has(value) ? "#" + numbers.get(value) : "new";
        }
        paths.forEach(function (path, object) {
            lines.push(path + " " + name(prototypeOf(object)) + " " + Object.isExtensible(object) + " " + Reflect.ownKeys(object).map(
                function (key) {
                    var member = describe(object, key);
                    return String(key) + "=" + [member.value, member.get, member.set].map(name).join("/");
                }
            ).join(" "));
        });
        return lines;
    }
    // The changes that `body` makes.
    function changes(body) {
        var paths = reach(), before = picture(paths), found = [];
        body(Array.from(paths.keys()));
        picture(paths).forEach(function (line, index) {
            if (line !== before[index]) found.push(before[index].slice(0, 2000) + " became " + line.slice(0, 2000));
        });
        var size = reach().size;
        if (size !== paths.size) found.push(size + " objects in place of " + paths.size);
        return found;
    }
    function attempt(body) { try { body(); } catch (error) { } }

    function attempts() {
        return changes(function (objects) {
            objects.forEach(function (object) {
                var member = { value: "theirs", writable: true, enumerable: true, configurable: true };
                Reflect.ownKeys(object).concat(["theirs", 0, Symbol.iterator]).forEach(function (key) {
                    attempt(function () { object[key] = "theirs"; });
                    attempt(function () { Reflect.set(object, key, "theirs"); });
                    attempt(function () { Reflect.set({}, key, "theirs", object); });
                    attempt(function () { Object.defineProperty(object, key, member); });
                    attempt(function () { Object.defineProperty(object, key, { get: isObject, configurable: true }); });
                    attempt(function () { Object.prototype.__defineGetter__.call(object, key, isObject); });
                    attempt(function () { Object.prototype.__defineSetter__.call(object, key, isObject); });
                    attempt(function () { Object.assign(object, { [key]: "theirs" }); });
                    attempt(function () { delete object[key]; });
                    var accessor = describe(object, key);
                    attempt(function () { accessor.set.call(object, "theirs"); });
                });
                attempt(function () { Object.setPrototypeOf(object, { theirs: 1 }); });
                attempt(function () { Object.setPrototypeOf(object, null); });
                attempt(function () { object.__proto__ = { theirs: 1 }; });
                attempt(function () { object.length = 0; });
                attempt(function () { object.name = "theirs"; });
            });
        });
    }

    function calls(part, parts) {
        var member = { value: "theirs", writable: true, enumerable: true, configurable: true };
        return changes(function (all) {
            // Names of Java's packages have every member, so that loops over them do not end.
            var objects = all.filter(function (object) {
                return typeof object !== "function" || Object.getOwnPropertyNames(object).length > 0;
            });
            objects.forEach(function (callee, index) {
                if (typeof callee !== "function" || index % parts !== part) return;
                objects.forEach(function (object) {
                    attempt(function () { Reflect.apply(callee, object, []); });
                    attempt(function () { Reflect.apply(callee, object, [object]); });
                    attempt(function () { Reflect.apply(callee, object, ["theirs", member]); });
                    attempt(function () { Reflect.apply(callee, undefined, [object, member]); });
                    attempt(function () { Reflect.apply(callee, undefined, [object, "theirs", member]); });
                    attempt(function () { Reflect.construct(callee, [object]); });
                });
            });
        });
    }

    // All that a value leads to, without the objects in `known`.
    function leadsTo(value, known) {
        var found = new Set();
        function add(value) { if (isObject(value) && !known.has(value)) found.add(value); }
        add(value);
        found.forEach(function (object) {
            attempt(function () { add(prototypeOf(object)); });
            attempt(function () {
                Reflect.ownKeys(object).slice(0, 100).forEach(function (key) {
                    var member = describe(object, key);
                    add(member.value);
                    add(member.get);
                    add(member.set);
                });
            });
        });
        return found;
    }

    function results() {
        var known = reach(), found = new Set(), prototypes = new Set(), makers = [], report = [];
        function makeArguments() {
            return [
                [], [1], ["a"], ["a", "b"], [{ a: 1 }], [[1, 2]], [function (x) { return x; }], [{ a: 1 }, "a"], [{ a: 1 }, [1]],
                [[3, 1], function (x) { return x; }], [/a/], [new Date(0)], ["<a><b/></a>"], ["java.util.Properties"]
            ];
        }
        // Calls twice, and notes what both results lead to.
        function both(make, path) {
            var first, second;
            attempt(function () { first = make(); second = make(); });
            if (!isObject(first) || !isObject(second)) return;
            if (typeof first.next === "function") attempt(function () { var item = first.next(); first = [first, item]; });
            if (typeof second.next === "function") attempt(function () { var item = second.next(); second = [second, item]; });
            var other = leadsTo(second, known);
            leadsTo(first, known).forEach(function (object) {
                if (!other.has(object) || found.has(object)) return;
                found.add(object);
                if (Object.isFrozen(object)) return;
                report.push(path + " leads to " + Reflect.ownKeys(object).map(String).slice(0, 20).join());
            });
            var prototype, same;
            attempt(function () { prototype = prototypeOf(make()); same = prototypeOf(make()); });
            if (isObject(prototype) && prototype === same && !prototypes.has(prototype)) {
                prototypes.add(prototype);
                makers.push([make, path, prototype]);
            }
        }
        function callWith(callee, makeThis, path) {
            makeArguments().forEach(function (ignored, index) {
                both(function () { return Reflect.apply(callee, makeThis(), makeArguments()[index]); }, path + " " + index);
                if (callee.prototype) both(function () { return Reflect.construct(callee, makeArguments()[index]); }, "new " + path + " " + index);
            });
        }
        known.forEach(function (path, callee) {
            if (typeof callee !== "function" || Object.getOwnPropertyNames(callee).length === 0) return;
            // The test's log would keep the lines.
            if (/console|Logger/.test(path)) return;
            callWith(callee, function () { return undefined; }, path);
        });
        made().forEach(function (ignored, index) {
            var prototype = prototypeOf(made()[index]);
            if (!isObject(prototype) || prototypes.has(prototype)) return;
            prototypes.add(prototype);
            makers.push([function () { return made()[index]; }, "value " + index, prototype]);
        });
        for (var next = 0; next < makers.length && next < 100; next++) {
            let [make, path, prototype] = makers[next];
            Reflect.ownKeys(prototype).slice(0, 100).forEach(function (key) {
                var member = describe(prototype, key);
                [member.value, member.get].forEach(function (callee) {
                    if (typeof callee === "function") callWith(callee, make, path + "." + String(key));
                });
            });
        }
        return report;
    }

    return { results, size: function () { return reach().size; }, openings, slots, attempts, calls };
})
