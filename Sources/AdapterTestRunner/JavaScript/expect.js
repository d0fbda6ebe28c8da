// expect(value).toEqual(…) and the like: the names and meanings of Jest's matchers.
(function (global, language, difference) {
    "use strict";

    var {
        TypeError, Error, RegExp, concat, each, elements, every, filter, findIndex, hasOwn, indexOf, is, isArray, isIterable,
        keysOf, kindOf, map, some, stringify, textOf
    } = language;

    // A value that is compared by asking it.
    function Asymmetric(name, argument, test) {
        this.name = name;
        this.argument = argument;
        this.test = test;
    }

    function isObject(value) {
        return value !== null && typeof value === "object";
    }

    // ---- Equality

    function ownKeys(value, isStrict) {
        var symbols = filter(language.symbolsOf(value), function (symbol) { return language.isEnumerable(value, symbol); });
        return filter(concat(keysOf(value), symbols), function (key) { return isStrict || value[key] !== undefined; });
    }

    function equalMembers(left, right, isStrict, seen) {
        var keys = ownKeys(left, isStrict);
        if (keys.length !== ownKeys(right, isStrict).length) return false;
        return every(keys, function (key) { return hasOwn(right, key) && equal(left[key], right[key], isStrict, seen); });
    }

    // In any order.
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

    // ---- What is to be shown of two values that differ

    // The two values with what matches made alike, so that only what does not is told as a difference.
    //
    // `rules.matches` says whether two values match; `rules.isPart` that only the expected members count.
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

    // Lists of the same length element by element; of others the beginnings and the ends that match.
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

    // ---- Texts

    var longest = 20000;
    // Whether a text of several lines is shown in as many pieces, so that its lines can be compared.
    var splitsTexts = false;

    function show(value, indent, seen) {
        if (splitsTexts && typeof value === "string" && indexOf(value, "\n") >= 0) {
            var pieces = map(language.matches(value, /[^\n]*\n|[^\n]+$/g), function (piece) {
                return (indent === "" ? "" : indent + "  ") + stringify(piece);
            });
            return (indent === "" ? "" : "\n") + language.join(pieces, "\n");
        }
        if (value instanceof Asymmetric) {
            return value.name + (value.argument === undefined ? "" : "(" + show(value.argument, "", []) + ")");
        }
        if (typeof value === "string") return stringify(value);
        if (typeof value === "function") return "[Function" + (value.name ? " " + textOf(value.name) : "") + "]";
        if (typeof value === "bigint") return textOf(value) + "n";
        if (is(value, -0)) return "-0";
        if (!isObject(value)) return textOf(value);
        if (language.includes(seen, value)) return "[Circular]";
        var kind = kindOf(value);
        var inner = concat(seen, [value]);
        if (language.isWrapper(kind)) return "[" + kind + ": " + show(language.unwrapped(value, kind), "", []) + "]";
        switch (kind) {
        case "Date": return is(language.timeOf(value), NaN) ? "Invalid Date" : language.textOfDate(value);
        case "RegExp": return language.textOfPattern(value);
        case "Error": return "[" + textOf(value.name) + ": " + textOf(value.message) + "]";
        case "Map": return "Map " + show(language.entriesOfMap(value), indent, inner);
        case "Set": return "Set " + show(language.itemsOfSet(value), indent, inner);
        case "ArrayBuffer": return "ArrayBuffer " + show(language.bytesOfBuffer(value), indent, inner);
        case "DataView": return "DataView " + show(language.bytesOfView(value), indent, inner);
        }
        var deeper = indent + "  ";
        var isList = isArray(value) || language.isTypedArray(value);
        var parts = isList
            ? map(elements(value), function (element) { return deeper + show(element, deeper, inner); })
            : map(language.sorted(keysOf(value)), function (key) {
                return deeper + stringify(key) + ": " + show(value[key], deeper, inner);
            });
        var open = isList ? "[" : "{", close = isList ? "]" : "}";
        return parts.length ? open + "\n" + language.join(parts, ",\n") + ",\n" + indent + close : open + close;
    }

    function cut(whole, length) {
        return whole.length > length ? language.slice(whole, 0, length) + "…" : whole;
    }

    function text(value) {
        return cut(show(value, "", []), longest);
    }

    // The whole, for comparing it.
    function lines(value) {
        splitsTexts = true;
        try {
            return show(value, "", []);
        } finally {
            splitsTexts = false;
        }
    }

    // A list with a line for each of its first elements.
    function overview(list) {
        if (!isArray(list)) return text(list);
        var parts = map(filter(list, function (element, index) { return index < 20; }), function (element) {
            return "  " + cut(language.replace(show(element, "", []), /\n */g, function () { return " "; }), 200) + ",";
        });
        if (list.length > parts.length) parts = concat(parts, ["  …"]);
        return parts.length ? "[\n" + language.join(parts, "\n") + "\n]" : "[]";
    }

    function AssertionError(message) {
        var error = new Error(message);
        error.name = "AssertionError";
        return error;
    }

    // ---- Matchers: each answers whether it holds, and what to say of the expected and the received value.

    // `rules` are those of `aligned`; without them the values are compared as they are.
    function compared(pass, expected, received, rules) {
        return { pass: pass, expected: expected, received: received, isComparison: true, rules: rules };
    }

    var byContent = { matches: function (received, expected) { return equal(received, expected, false); } };
    var strictly = { matches: function (received, expected) { return equal(received, expected, true); }, isStrict: true };
    var inPart = { matches: function (received, expected) { return matchesObject(received, expected); }, isPart: true };

    function said(pass, expectation, received) {
        return { pass: pass, says: expectation, received: received };
    }

    // The received value is of a kind of which neither the matcher nor its opposite says anything.
    function wrong(expectation, received) {
        return { pass: false, says: expectation, received: received, isWrongUse: true };
    }

    function isNumber(value) {
        return typeof value === "number" || typeof value === "bigint";
    }

    function isClose(left, right, places) {
        return left === right || language.absolute(left - right) < language.power(10, -places) / 2;
    }

    function mustBeNumber(expected, name) {
        if (!isNumber(expected)) throw new TypeError(name + ": expected a number, got " + text(expected));
    }

    function numeric(name, test) {
        return function (received, expected) {
            mustBeNumber(expected, name);
            if (!isNumber(received)) return wrong("a number " + name + " " + text(expected), received);
            return said(test(received, expected), name + " " + text(expected), received);
        };
    }

    // Whether a text has a part, or fits a pattern.
    function fits(value, pattern) {
        return typeof pattern === "string" ? indexOf(value, pattern) >= 0 : language.fits(pattern, value);
    }

    function lengthOf(value) {
        return value === null || value === undefined ? undefined : value.length;
    }

    // "a.b[0]" as a list.
    function pathOf(key) {
        if (isArray(key)) return language.rest(key, 0);
        var dotted = language.replace(textOf(key), /\[(\d+)\]/g, function (whole, index) { return "." + index; });
        return language.matches(dotted, /[^.]+/g);
    }

    function thrownBy(body) {
        if (typeof body !== "function") throw new TypeError("toThrow: expect a function, as in expect(() => f()).toThrow()");
        try {
            body();
        } catch (error) {
            return { error: error };
        }
        return null;
    }

    function messageOf(error) {
        return isObject(error) && typeof error.message === "string" ? error.message : textOf(error);
    }

    var matchers = {
        toBe: function (received, expected) { return compared(is(received, expected), expected, received); },
        toEqual: function (received, expected) { return compared(equal(received, expected, false), expected, received, byContent); },
        toStrictEqual: function (received, expected) { return compared(equal(received, expected, true), expected, received, strictly); },
        toMatchObject: function (received, expected) {
            if (!isObject(expected)) throw new TypeError("toMatchObject: expected an object, got " + text(expected));
            if (!isObject(received)) return wrong("an object like " + text(expected), received);
            return compared(matchesObject(received, expected), expected, received, inPart);
        },
        toBeTruthy: function (received) { return said(!!received, "something truthy", received); },
        toBeFalsy: function (received) { return said(!received, "something falsy", received); },
        toBeNull: function (received) { return said(received === null, "null", received); },
        toBeUndefined: function (received) { return said(received === undefined, "undefined", received); },
        toBeDefined: function (received) { return said(received !== undefined, "anything but undefined", received); },
        toBeNaN: function (received) { return said(language.isNotANumber(received), "NaN", received); },
        toBeGreaterThan: numeric("greater than", function (a, b) { return a > b; }),
        toBeGreaterThanOrEqual: numeric("greater than or equal to", function (a, b) { return a >= b; }),
        toBeLessThan: numeric("less than", function (a, b) { return a < b; }),
        toBeLessThanOrEqual: numeric("less than or equal to", function (a, b) { return a <= b; }),
        toBeCloseTo: function (received, expected, digits) {
            mustBeNumber(expected, "toBeCloseTo");
            if (typeof received !== "number") return wrong("a number close to " + text(expected), received);
            var places = digits === undefined ? 2 : digits;
            return said(isClose(received, expected, places), "close to " + text(expected) + " (" + places + " digits)", received);
        },
        toContain: function (received, expected) {
            var says = "something that contains " + text(expected);
            if (typeof received === "string") {
                if (typeof expected !== "string") throw new TypeError("toContain: a text contains texts, not " + text(expected));
                return said(indexOf(received, expected) >= 0, says, received);
            }
            if (!isIterable(received)) return wrong(says, received);
            return said(some(elements(received), function (element) { return is(element, expected); }), says, received);
        },
        toContainEqual: function (received, expected) {
            var says = "something that contains an equal of " + text(expected);
            if (!isIterable(received)) return wrong(says, received);
            return said(some(elements(received), function (element) { return equal(element, expected, false); }), says, received);
        },
        toHaveLength: function (received, expected) {
            if (typeof expected !== "number") throw new TypeError("toHaveLength: expected a number, got " + text(expected));
            var found = lengthOf(received);
            if (typeof found !== "number") return wrong("something of length " + expected, received);
            var result = said(found === expected, "length " + expected + ", found " + found, received);
            if (isArray(received)) result.note = overview(received);
            return result;
        },
        toHaveProperty: function (received, key, value) {
            var parts = pathOf(key);
            if (parts.length === 0) throw new TypeError("toHaveProperty: the path is empty");
            var says = "something with the member " + text(key);
            if (received === null || received === undefined) return wrong(says, received);
            if (typeof key === "string" && key in language.object(received)) parts = [key];
            var found = received, has = true;
            each(parts, function (part) {
                has = has && found !== null && found !== undefined && part in language.object(found);
                found = has ? found[part] : undefined;
            });
            if (arguments.length < 3 || !has) return said(has, says, received);
            return compared(equal(found, value, false), value, found, byContent);
        },
        toMatch: function (received, pattern) {
            if (typeof pattern !== "string" && !(pattern instanceof RegExp)) {
                throw new TypeError("toMatch: expected a text or a pattern, got " + text(pattern));
            }
            if (typeof received !== "string") return wrong("a text", received);
            return said(fits(received, pattern), "a text that matches " + text(pattern), received);
        },
        toBeInstanceOf: function (received, type) {
            return said(received instanceof type, "an instance of " + (type.name || text(type)), received);
        },
        toThrow: function (received, expected) {
            var isKnown = expected === undefined || typeof expected === "string" || typeof expected === "function"
                || expected instanceof RegExp || expected instanceof Asymmetric
                || (isObject(expected) && typeof expected.message === "string");
            if (!isKnown) {
                throw new TypeError("toThrow: expected a part of the message, a pattern, a class or an error, got " + text(expected));
            }
            var thrown = thrownBy(received);
            if (!thrown) return { pass: false, says: "a function that throws", note: "it threw nothing" };
            var message = messageOf(thrown.error);
            var pass = expected === undefined
                || (typeof expected === "string" && indexOf(message, expected) >= 0)
                || (expected instanceof RegExp && fits(message, expected))
                || (typeof expected === "function" && thrown.error instanceof expected)
                || (expected instanceof Asymmetric && expected.test(thrown.error))
                || (isObject(expected) && typeof expected.message === "string" && expected.message === message);
            var what = expected === undefined ? "" : " " + (typeof expected === "function" ? expected.name : text(expected));
            return { pass: pass, says: "a function that throws" + what, note: "it threw " + text(thrown.error) };
        }
    };
    matchers.toThrowError = matchers.toThrow;

    function failure(name, isNot, result, parameters) {
        var head = "expect(received)" + (isNot ? ".not" : "") + "." + name + "(" + (parameters.length ? "expected" : "") + ")";
        if (result.isComparison) {
            if (isNot) return head + "\n\nexpected anything but:\n" + text(result.expected);
            var pair = [result.expected, result.received];
            if (result.rules) pair = aligned(pair[0], pair[1], result.rules, []);
            var differing = difference(lines(pair[0]), lines(pair[1]));
            if (differing === undefined) {
                return head + "\n\nboth look like this, but they are not the same"
                    + (name === "toBe" ? " (toEqual compares by content)" : "") + ":\n" + text(result.received);
            }
            return head + "\n\n- expected\n+ received\n\n" + cut(differing, longest);
        }
        return head + "\n\nexpected: " + (isNot ? "not " : "") + result.says
            + "\nreceived: " + (result.note === undefined ? text(result.received) : result.note);
    }

    function expectation(received, isNot) {
        var object = {};
        each(keysOf(matchers), function (name) {
            object[name] = function () {
                var parameters = language.rest(arguments, 0);
                var result = language.apply(matchers[name], undefined, concat([received], parameters));
                // Of the wrong type it neither fits nor does it not.
                if (result.isWrongUse || result.pass === isNot) throw AssertionError(failure(name, isNot, result, parameters));
            };
        });
        return object;
    }

    function expect(received) {
        if (arguments.length === 0) throw new TypeError("expect: give it the value that is looked at");
        var object = expectation(received, false);
        object.not = expectation(received, true);
        return object;
    }

    // ---- Values that stand for many

    function isOfType(value, type) {
        var index = findIndex(language.types, function (pair) { return pair[0] === type; });
        if (index >= 0) return typeof value === language.types[index][1];
        return type === language.object ? isObject(value) : value instanceof type;
    }

    var asymmetric = {
        anything: function () {
            return new Asymmetric("anything()", undefined, function (value) { return value !== null && value !== undefined; });
        },
        any: function (type) {
            if (typeof type !== "function") throw new TypeError("expect.any: expected a type such as String");
            return new Asymmetric("any(" + type.name + ")", undefined, function (value) { return isOfType(value, type); });
        },
        arrayContaining: function (list) {
            return new Asymmetric("arrayContaining", list, function (value) {
                return isArray(value) && every(list, function (wanted) {
                    return some(value, function (element) { return equal(element, wanted, false); });
                });
            });
        },
        objectContaining: function (pattern) {
            return new Asymmetric("objectContaining", pattern, function (value) {
                return isObject(value) && every(keysOf(pattern), function (key) {
                    return key in value && equal(value[key], pattern[key], false);
                });
            });
        },
        stringContaining: function (part) {
            return new Asymmetric("stringContaining", part, function (value) {
                return typeof value === "string" && indexOf(value, part) >= 0;
            });
        },
        stringMatching: function (pattern) {
            var expression = pattern instanceof RegExp ? pattern : new RegExp(pattern);
            return new Asymmetric("stringMatching", expression, function (value) {
                return typeof value === "string" && fits(value, expression);
            });
        },
        closeTo: function (number, digits) {
            var places = digits === undefined ? 2 : digits;
            return new Asymmetric("closeTo", number, function (value) {
                return typeof value === "number" && isClose(value, number, places);
            });
        }
    };

    each(keysOf(asymmetric), function (name) { expect[name] = asymmetric[name]; });
    expect.not = {};
    each(["arrayContaining", "objectContaining", "stringContaining", "stringMatching"], function (name) {
        expect.not[name] = function (argument) {
            var wanted = asymmetric[name](argument);
            return new Asymmetric("not." + name, argument, function (value) { return !wanted.test(value); });
        };
    });

    global.expect = expect;
    global.fail = function (message) { throw AssertionError(message === undefined ? "fail() was called" : textOf(message)); };
    return { show: text };
})
