// The built-in functions of JavaScript, stored before the test file is evaluated, because tests may replace them. The test library calls
// only these functions and no method of a value or of a prototype, so that a test cannot change the checks of the next one.
(function () {
    "use strict";

    var apply = Reflect.apply;
    var describe = Object.getOwnPropertyDescriptor;
    var create = Object.create;
    var iterator = Symbol.iterator;

    // Returns a method as a function whose first argument is the object.
    var free = Function.prototype.bind.bind(Function.prototype.call);

    function getter(prototype, name) {
        var described = describe(prototype, name);
        return described && described.get ? free(described.get) : undefined;
    }

    var TypeErrorType = TypeError, RegExpType = RegExp, Bytes = Uint8Array, ErrorType = Error;
    var textOf = String, isArray = Array.isArray;
    var slice = free(String.prototype.slice);
    var indexOf = free(String.prototype.indexOf);
    var exec = free(RegExp.prototype.exec);
    var tag = free(Object.prototype.toString);

    // ---- Lists

    function add(list, value) {
        list[list.length] = value;
    }

    function each(list, body) {
        for (var i = 0; i < list.length; i++) body(list[i], i);
    }

    function map(list, change) {
        var result = [];
        for (var i = 0; i < list.length; i++) add(result, change(list[i], i));
        return result;
    }

    // Returns the index of the first element that passes the test; -1 without one.
    function findIndex(list, test) {
        for (var i = 0; i < list.length; i++) {
            if (test(list[i], i)) return i;
        }
        return -1;
    }

    function some(list, test) {
        return findIndex(list, test) >= 0;
    }

    function every(list, test) {
        return findIndex(list, function (value, i) { return !test(value, i); }) < 0;
    }

    function filter(list, test) {
        var result = [];
        each(list, function (value, i) { if (test(value, i)) add(result, value); });
        return result;
    }

    function includes(list, wanted) {
        return some(list, function (value) { return value === wanted; });
    }

    // Returns the elements of a list or of arguments, from an index on.
    function rest(list, start) {
        return filter(list, function (value, i) { return i >= start; });
    }

    function concat(left, right) {
        var result = rest(left, 0);
        each(right, function (value) { add(result, value); });
        return result;
    }

    function join(list, separator) {
        var result = "";
        each(list, function (text, i) { result += (i > 0 ? separator : "") + text; });
        return result;
    }

    // ---- Strings

    // Returns string.match(pattern), for a pattern with the flag g that does not match an empty string.
    function matches(text, pattern) {
        var result = [], match;
        pattern.lastIndex = 0;
        while ((match = exec(pattern, text)) !== null) add(result, match[0]);
        return result;
    }

    // Returns string.replace(pattern, change) for such a pattern.
    function replace(text, pattern, change) {
        var result = "", end = 0, match;
        pattern.lastIndex = 0;
        while ((match = exec(pattern, text)) !== null) {
            result += slice(text, end, match.index) + change(match[0], match[1]);
            end = pattern.lastIndex;
        }
        return result + slice(text, end);
    }

    // ---- Patterns

    var flagGetters = [
        ["d", "hasIndices"], ["g", "global"], ["i", "ignoreCase"], ["m", "multiline"], ["s", "dotAll"], ["u", "unicode"],
        ["v", "unicodeSets"], ["y", "sticky"]
    ];
    flagGetters = map(flagGetters, function (pair) { return [pair[0], getter(RegExpType.prototype, pair[1])]; });
    var sourceOf = getter(RegExpType.prototype, "source");

    function flagsOf(pattern, without) {
        return join(map(flagGetters, function (pair) {
            return pair[1] && indexOf(without, pair[0]) < 0 && pair[1](pattern) ? pair[0] : "";
        }), "");
    }

    // ---- Kinds of objects

    function readable(read) {
        return function (value) {
            try {
                read(value);
                return true;
            } catch (error) {
                return false;
            }
        };
    }

    var WeakMapType = WeakMap, getOfWeakMap = free(WeakMap.prototype.get), setOfWeakMap = free(WeakMap.prototype.set);

    // Returns a map from objects to values that does not keep the objects alive.
    function makeRegistry() {
        var map = new WeakMapType();
        return {
            get: function (key) { return getOfWeakMap(map, key); },
            set: function (key, value) { setOfWeakMap(map, key, value); }
        };
    }

    var timeOf = free(Date.prototype.getTime);
    var sizeOfMap = getter(Map.prototype, "size"), sizeOfSet = getter(Set.prototype, "size");
    var eachOfMap = free(Map.prototype.forEach), eachOfSet = free(Set.prototype.forEach);
    var nameOfTypedArray = getter(Object.getPrototypeOf(Uint8Array.prototype), Symbol.toStringTag);
    var lengthOfTypedArray = getter(Object.getPrototypeOf(Uint8Array.prototype), "length");
    var lengthOfBuffer = getter(ArrayBuffer.prototype, "byteLength");
    var lengthOfView = getter(DataView.prototype, "byteLength");
    var offsetOfView = getter(DataView.prototype, "byteOffset"), bufferOfView = getter(DataView.prototype, "buffer");
    // The types of wrapper objects, with functions that return the wrapped value.
    var unwrapping = {
        __proto__: null, Number: free(Number.prototype.valueOf), String: free(String.prototype.valueOf),
        Boolean: free(Boolean.prototype.valueOf), BigInt: free(BigInt.prototype.valueOf),
        Symbol: free(Symbol.prototype.valueOf)
    };
    // Functions that recognize the objects of each kind by their internal state, which an object cannot fake.
    var marks = {
        __proto__: null, Date: readable(timeOf), RegExp: readable(sourceOf), Map: readable(sizeOfMap),
        Set: readable(sizeOfSet), ArrayBuffer: readable(lengthOfBuffer), DataView: readable(lengthOfView),
        Error: function (value) { return value instanceof ErrorType; }
    };
    each(Object.keys(unwrapping), function (kind) { marks[kind] = readable(unwrapping[kind]); });
    var kinds = Object.keys(marks);

    // Returns the kind of a built-in object, such as "Date" or "Array"; for other objects, the name that they report themselves.
    function kindOf(value) {
        if (isArray(value)) return "Array";
        var typed = nameOfTypedArray(value);
        if (typed !== undefined) return typed;
        var name = slice(tag(value), 8, -1);
        if (name === "Object" || name === "Arguments") return name;
        if (marks[name] && marks[name](value)) return name;
        var index = findIndex(kinds, function (kind) { return marks[kind](value); });
        return index >= 0 ? kinds[index] : name in marks ? "Object" : name;
    }

    function entriesOfMap(value) {
        var result = [];
        eachOfMap(value, function (item, key) { add(result, [key, item]); });
        return result;
    }

    function itemsOfSet(value) {
        var result = [];
        eachOfSet(value, function (item) { add(result, item); });
        return result;
    }

    function isTypedArray(value) {
        return nameOfTypedArray(value) !== undefined;
    }

    function itemsOfTypedArray(value) {
        var result = [];
        for (var i = 0; i < lengthOfTypedArray(value); i++) add(result, value[i]);
        return result;
    }

    function isIterable(value) {
        return value !== null && typeof value === "object" && typeof value[iterator] === "function";
    }

    // Returns the elements of an iterable object.
    function elements(value) {
        var kind = kindOf(value);
        if (kind === "Map") return entriesOfMap(value);
        if (kind === "Set") return itemsOfSet(value);
        if (isTypedArray(value)) return itemsOfTypedArray(value);
        if (kind === "Array" || kind === "Arguments") return rest(value, 0);
        var result = [], cursor = apply(value[iterator], value, []), step;
        while (!(step = cursor.next()).done) add(result, step.value);
        return result;
    }

    return {
        apply: apply, create: create, stringify: JSON.stringify, keysOf: Object.keys, symbolsOf: Object.getOwnPropertySymbols,
        is: Object.is, prototypeOf: Object.getPrototypeOf, define: Object.defineProperty, assign: Object.assign,
        hasOwn: free(Object.prototype.hasOwnProperty), isEnumerable: free(Object.prototype.propertyIsEnumerable),
        object: Object, textOf: textOf, numberOf: Number, isInteger: Number.isInteger, isNotANumber: Number.isNaN,
        truncate: Math.trunc, absolute: Math.abs, power: Math.pow, Error: ErrorType, TypeError: TypeErrorType, Date: Date,
        RegExp: RegExpType,
        types: [[String, "string"], [Number, "number"], [Boolean, "boolean"], [Function, "function"], [BigInt, "bigint"],
            [Symbol, "symbol"]],

        // The prototypes of the language's errors, by their names.
        errorPrototypes: {
            __proto__: null, EvalError: EvalError.prototype, RangeError: RangeError.prototype,
            ReferenceError: ReferenceError.prototype, SyntaxError: SyntaxError.prototype, TypeError: TypeErrorType.prototype,
            URIError: URIError.prototype
        },
        setPrototype: Object.setPrototypeOf, makeRegistry: makeRegistry,

        add: add, each: each, map: map, findIndex: findIndex, some: some, every: every, filter: filter,
        includes: includes, rest: rest, concat: concat, join: join, isArray: isArray,
        sorted: free(Array.prototype.sort),

        slice: slice, indexOf: indexOf, upperCase: free(String.prototype.toUpperCase), matches: matches, replace: replace,

        textOfPattern: function (pattern) { return "/" + sourceOf(pattern) + "/" + flagsOf(pattern, ""); },
        // Returns whether a pattern matches a string. It uses a copy without the flags g and y, which would keep a position.
        fits: function (pattern, text) {
            return exec(new RegExpType(sourceOf(pattern), flagsOf(pattern, "gy")), text) !== null;
        },

        kindOf: kindOf, kindOfFunction: function (value) { return slice(tag(value), 8, -1); },
        timeOf: timeOf, textOfDate: free(Date.prototype.toISOString), entriesOfMap: entriesOfMap, itemsOfSet: itemsOfSet,
        isIterable: isIterable, elements: elements, isTypedArray: isTypedArray,
        unwrapped: function (value, kind) { return unwrapping[kind](value); },
        isWrapper: function (kind) { return kind in unwrapping; },
        bytesOfBuffer: function (value) { return itemsOfTypedArray(new Bytes(value)); },
        bytesOfView: function (value) {
            return itemsOfTypedArray(new Bytes(bufferOfView(value), offsetOfView(value), lengthOfView(value)));
        }
    };
})
