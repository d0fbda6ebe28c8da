// Loops over values and iterators, comprehensions, and generators of Rhino's kind.
(function (global, rhino) {
    "use strict";
    if (rhino.values) return;
    // The script may assign other values to these names.
    var Object = global.Object, Array = global.Array;
    var listOf = Array.from, slice = Array.prototype.slice;
    var hidden = Symbol("iterator");
    var StopIteration = Object.freeze({
        toString: function () { return "[object StopIteration]"; },
        [Symbol.hasInstance]: function (value) { return value === StopIteration; }
    });

    function define(target, name, value) {
        Object.defineProperty(target, name, { __proto__: null, value: value, writable: true, configurable: true });
    }

    // The values of a loop "in" an object that is an iterator of JavaScript 1.7; undefined for any other object.
    function iterate(object) {
        if (object === null || typeof object !== "object") return undefined;
        if (object[hidden]) return object[hidden];
        if (typeof object.__iterator__ === "function") return drain(object.__iterator__(true));
        return undefined;
    }

    function* drain(iterator) {
        if (iterator[hidden]) {
            yield* iterator[hidden];
            return;
        }
        for (;;) {
            var value;
            try {
                value = iterator.next();
            } catch (error) {
                if (error === StopIteration) return;
                throw error;
            }
            yield value;
        }
    }

    function* enumerate(object) { for (var key in Object(object)) yield key; }

    function isNothing(object) { return object === null || object === undefined; }

    define(rhino, "keys", function (object) {
        return isNothing(object) ? [] : iterate(object) || enumerate(object);
    });
    define(rhino, "values", function* (object) {
        if (isNothing(object)) return;
        var iterator = iterate(object);
        if (iterator) yield* iterator;
        else for (var key in Object(object)) yield object[key];
    });
    define(rhino, "pairs", function* (object) {
        if (isNothing(object)) return;
        var iterator = iterate(object);
        if (iterator) yield* iterator;
        else for (var key in Object(object)) yield [key, object[key]];
    });

    define(rhino, "given", function (values, body) { return body.apply(undefined, values); });

    function* combine(body, loops, condition, index, values) {
        if (index === loops.length) {
            if (!condition || condition.apply(undefined, values)) yield body.apply(undefined, values);
            return;
        }
        var kind = loops[index][0];
        var object = loops[index][1].apply(undefined, values);
        var items = kind === "values" ? object : kind === "each" ? rhino.values(object)
            : kind === "pairs" ? rhino.pairs(object) : rhino.keys(object);
        for (var item of items) yield* combine(body, loops, condition, index + 1, values.concat([item]));
    }

    function comprehend(parts) {
        var body = parts.shift();
        var condition = typeof parts[parts.length - 1] === "function" ? parts.pop() : undefined;
        return combine(body, parts, condition, 0, []);
    }

    define(rhino, "list", function () { return listOf.call(Array, comprehend(slice.call(arguments))); });
    define(rhino, "lazy", function () {
        return rhino.generator(comprehend(slice.call(arguments)));
    });

    function step(result) {
        if (result.done) throw StopIteration;
        return result.value;
    }

    var generatorPrototype = {};
    define(generatorPrototype, "next", function () { return step(this[hidden].next()); });
    define(generatorPrototype, "send", function (value) { return step(this[hidden].next(value)); });
    define(generatorPrototype, "throw", function (error) { return step(this[hidden].throw(error)); });
    define(generatorPrototype, "close", function () { this[hidden].return(); });
    define(generatorPrototype, "__iterator__", function () { return this; });
    define(generatorPrototype, "toString", function () { return "[object Generator]"; });
    define(generatorPrototype, Symbol.iterator, function () { return this[hidden]; });

    define(rhino, "generator", function (iterator) {
        var object = Object.create(generatorPrototype);
        define(object, hidden, iterator);
        return object;
    });

    define(global, "StopIteration", StopIteration);
    // Keys that are whole numbers are numbers to an Iterator, and strings to loops over the object itself.
    function counted(key) { return /^(0|[1-9]\d{0,8})$/.test(key) ? +key : key; }

    function* ofIterator(object, keysOnly) {
        if (isNothing(object)) return;
        var iterator = iterate(object);
        if (iterator) yield* iterator;
        else for (var key in Object(object)) yield keysOnly ? counted(key) : [counted(key), object[key]];
    }

    // ScriptContext.lock() walks from the global object, and scripts reach the prototypes of these through iterators.
    define(rhino, "hidden", [generatorPrototype, drain, enumerate, combine, ofIterator]);
    define(global, "Iterator", function Iterator(object, keysOnly) {
        return rhino.generator(ofIterator(object, Boolean(keysOnly)));
    });
})(this, this.__rhino);
