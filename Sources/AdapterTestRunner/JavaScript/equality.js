// The comparisons of expect: by contents, strictly, or in part; and the parts of two values that differ, for messages.
(function (language) {
    "use strict";

    var { concat, each, every, filter, findIndex, hasOwn, indexOf, is, isArray, keysOf, kindOf, some } = language;

    // An expected value with its own comparison, the function `test`.
    function Asymmetric(name, argument, test) {
        this.name = name;
        this.argument = argument;
        this.test = test;
    }

    function isObject(value) {
        return value !== null && typeof value === "object";
    }

    function ownKeys(value, isStrict) {
        var symbols = filter(language.symbolsOf(value), function (symbol) { return language.isEnumerable(value, symbol); });
        return filter(concat(keysOf(value), symbols), function (key) { return isStrict || value[key] !== undefined; });
    }

    function equalMembers(left, right, isStrict, seen) {
        var keys = ownKeys(left, isStrict);
        if (keys.length !== ownKeys(right, isStrict).length) return false;
        return every(keys, function (key) { return hasOwn(right, key) && equal(left[key], right[key], isStrict, seen); });
    }

    // Compares two collections in any order.
    function equalCollections(left, right, isStrict, seen) {
        if (left.length !== right.length) return false;
        return every(left, function (item) {
            var index = findIndex(right, function (other) { return equal(item, other, isStrict, seen); });
            right = filter(right, function (other, i) { return i !== index; });
            return index >= 0;
        });
    }

    function equalBytes(left, right) {
        return left.length === right.length && every(left, function (byte, i) { return byte === right[i]; });
    }

    function equal(left, right, isStrict, seen) {
        if (right instanceof Asymmetric) return right.test(left);
        if (left instanceof Asymmetric) return left.test(right);
        if (is(left, right)) return true;
        if (!isObject(left) || !isObject(right)) return false;
        var kind = kindOf(left);
        if (kind !== kindOf(right)) return false;
        if (isStrict && language.prototypeOf(left) !== language.prototypeOf(right)) return false;
        seen = seen || [];
        if (some(seen, function (pair) { return pair[0] === left && pair[1] === right; })) return true;
        seen = concat(seen, [[left, right]]);
        if (language.isWrapper(kind)) return is(language.unwrapped(left, kind), language.unwrapped(right, kind));
        switch (kind) {
        case "Date": return is(language.timeOf(left), language.timeOf(right));
        case "RegExp": return language.textOfPattern(left) === language.textOfPattern(right);
        case "Error": return left.name === right.name && left.message === right.message;
        case "Map":
            return equalCollections(language.entriesOfMap(left), language.entriesOfMap(right), isStrict, seen);
        case "Set": return equalCollections(language.itemsOfSet(left), language.itemsOfSet(right), isStrict, seen);
        case "ArrayBuffer": return equalBytes(language.bytesOfBuffer(left), language.bytesOfBuffer(right));
        case "DataView": return equalBytes(language.bytesOfView(left), language.bytesOfView(right));
        case "Array": if (left.length !== right.length) return false;
        }
        return equalMembers(left, right, isStrict, seen);
    }

    function matchesObject(value, pattern, seen) {
        if (pattern instanceof Asymmetric || !isObject(pattern)) return equal(value, pattern, false);
        if (!isObject(value)) return false;
        seen = seen || [];
        if (isAmong(seen, value, pattern)) return true;
        seen = concat(seen, [[value, pattern]]);
        if (isArray(pattern)) {
            return isArray(value) && value.length === pattern.length
                && every(pattern, function (element, index) { return matchesObject(value[index], element, seen); });
        }
        if (kindOf(pattern) !== "Object") return equal(value, pattern, false);
        return every(keysOf(pattern), function (key) {
            return key in value && matchesObject(value[key], pattern[key], seen);
        });
    }

    function isAmong(pairs, left, right) {
        return some(pairs, function (pair) { return pair[0] === left && pair[1] === right; });
    }

    function isClose(left, right, places) {
        return left === right || language.absolute(left - right) < language.power(10, -places) / 2;
    }

    // Returns whether a string contains a substring, or matches a pattern.
    function fits(value, pattern) {
        return typeof pattern === "string" ? indexOf(value, pattern) >= 0 : language.fits(pattern, value);
    }

    // ---- The parts of two values that differ

    // Returns the two values with equal copies of their matching parts, so that only the other parts appear as a difference.
    //
    // `rules.matches` returns whether two values match; `rules.isPart` is true if only the expected members are compared.
    function aligned(expected, received, rules, seen) {
        if (rules.matches(received, expected)) return [expected, expected];
        if (expected instanceof Asymmetric || !isObject(expected) || !isObject(received)) return [expected, received];
        var kind = kindOf(expected);
        if (kind !== kindOf(received) || isAmong(seen, expected, received)) return [expected, received];
        seen = concat(seen, [[expected, received]]);
        if (kind === "Array") return alignedLists(expected, received, rules, seen);
        if (kind !== "Object") return [expected, received];
        var left = language.create(null), right = language.create(null);
        each(keysOf(expected), function (key) {
            if (!hasOwn(received, key)) {
                if (rules.isStrict || expected[key] !== undefined) put(left, key, expected[key]);
                return;
            }
            var pair = aligned(expected[key], received[key], rules, seen);
            put(left, key, pair[0]);
            put(right, key, pair[1]);
        });
        each(keysOf(received), function (key) {
            if (hasOwn(expected, key) || rules.isPart) return;
            if (rules.isStrict || received[key] !== undefined) put(right, key, received[key]);
        });
        return [left, right];
    }

    // Aligns lists of the same length element by element, and other lists by their matching beginnings and ends.
    function alignedLists(expected, received, rules, seen) {
        var left = language.rest(expected, 0), right = language.rest(received, 0);
        if (left.length === right.length) {
            each(left, function (element, index) {
                var pair = aligned(element, right[index], rules, seen);
                left[index] = pair[0];
                right[index] = pair[1];
            });
            return [left, right];
        }
        var shorter = left.length < right.length ? left.length : right.length, start = 0, end = 0;
        while (start < shorter && rules.matches(right[start], left[start])) {
            right[start] = left[start];
            start++;
        }
        while (end < shorter - start && rules.matches(right[right.length - 1 - end], left[left.length - 1 - end])) {
            right[right.length - 1 - end] = left[left.length - 1 - end];
            end++;
        }
        return [left, right];
    }

    function put(object, key, value) {
        language.define(object, key, { value: value, enumerable: true, writable: true, configurable: true });
    }

    return {
        Asymmetric: Asymmetric, isObject: isObject, equal: equal, matchesObject: matchesObject, isClose: isClose, fits: fits,
        aligned: aligned
    };
})
