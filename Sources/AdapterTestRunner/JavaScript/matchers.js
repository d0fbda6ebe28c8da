// The matchers of expect. Each returns whether it passes, and the parts of the message about the expected and the received value.
(function (language, equality, showing, recordOf) {
    "use strict";

    var { TypeError, RegExp, each, elements, indexOf, is, isArray, isIterable, some, textOf } = language;
    var { Asymmetric, isObject, equal, matchesObject, isClose, fits } = equality;
    var { text, overview } = showing;
    var { rest } = language;

    // `rules` are those of `aligned`. Without them, the message compares the unchanged values.
    function compared(pass, expected, received, rules) {
        return { pass: pass, expected: expected, received: received, isComparison: true, rules: rules };
    }

    var byContent = { matches: function (received, expected) { return equal(received, expected, false); } };
    var strictly = { matches: function (received, expected) { return equal(received, expected, true); }, isStrict: true };
    var inPart = { matches: function (received, expected) { return matchesObject(received, expected); }, isPart: true };

    function said(pass, expectation, received) {
        return { pass: pass, says: expectation, received: received };
    }

    // Returns the same as `said`, with a note in place of the received value.
    function noted(pass, expectation, note) {
        return { pass: pass, says: expectation, note: note };
    }

    // Returns the result for a received value of the wrong type, which fails the matcher with and without `not`.
    function wrong(expectation, received) {
        return { pass: false, says: expectation, received: received, isWrongUse: true };
    }

    function isNumber(value) {
        return typeof value === "number" || typeof value === "bigint";
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

    function lengthOf(value) {
        return value === null || value === undefined ? undefined : value.length;
    }

    // Returns a path such as "a.b[0]" as a list.
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

    // Returns a matcher for the recorded calls of a spy.
    function ofSpy(test) {
        return function (received) {
            var record = recordOf(received);
            if (record === undefined) return wrong("a spy, made by fn()", received);
            return test(record, rest(arguments, 1));
        };
    }

    function isCalledWith(call, expected) {
        return equal(call, expected, false);
    }

    function mustBeCount(value, least, name) {
        if (!language.isInteger(value) || value < least) {
            throw new TypeError(name + ": expected a whole number of at least " + least + ", got " + text(value));
        }
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
                if (typeof expected !== "string") throw new TypeError("toContain: a string contains strings, not " + text(expected));
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
                throw new TypeError("toMatch: expected a string or a pattern, got " + text(pattern));
            }
            if (typeof received !== "string") return wrong("a string", received);
            return said(fits(received, pattern), "a string that matches " + text(pattern), received);
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

    matchers.toHaveBeenCalled = ofSpy(function (record) {
        return noted(record.calls.length > 0, "a call", showing.calls(record.calls));
    });
    matchers.toHaveBeenCalledTimes = ofSpy(function (record, expected) {
        mustBeCount(expected[0], 0, "toHaveBeenCalledTimes");
        return noted(
            record.calls.length === expected[0], expected[0] + " call" + (expected[0] === 1 ? "" : "s"),
            showing.calls(record.calls));
    });
    matchers.toHaveBeenCalledWith = ofSpy(function (record, expected) {
        return noted(
            some(record.calls, function (call) { return isCalledWith(call, expected); }),
            "a call with " + showing.parameters(expected), showing.calls(record.calls));
    });
    matchers.toHaveBeenLastCalledWith = ofSpy(function (record, expected) {
        var count = record.calls.length;
        return noted(
            count > 0 && isCalledWith(record.calls[count - 1], expected),
            "a last call with " + showing.parameters(expected), showing.calls(record.calls));
    });
    matchers.toHaveBeenNthCalledWith = ofSpy(function (record, expected) {
        mustBeCount(expected[0], 1, "toHaveBeenNthCalledWith");
        var number = expected[0], wanted = rest(expected, 1);
        return noted(
            number <= record.calls.length && isCalledWith(record.calls[number - 1], wanted),
            "call " + number + " with " + showing.parameters(wanted), showing.calls(record.calls));
    });
    matchers.toHaveReturnedWith = ofSpy(function (record, expected) {
        return noted(
            some(record.results, function (result) {
                return result.type === "return" && equal(result.value, expected[0], false);
            }), "a call that returned " + showing.line(expected[0]), showing.results(record.results));
    });

    return matchers;
})
