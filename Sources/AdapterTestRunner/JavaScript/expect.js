// The functions expect(value).toEqual(…) and others, with the names and meanings of Jest's matchers.
(function (global, language, equality, asymmetric, showing, matchers, difference) {
    "use strict";

    var { TypeError, Error, concat, each, keysOf, textOf } = language;
    var { Asymmetric, aligned } = equality;
    var { text } = showing;

    // Matchers that test files have added, by name.
    var custom = language.create(null);
    // The number of matchers that the running test has called.
    var count = 0;
    // The expectation of `expect.assertions` or `expect.hasAssertions`: its check, its message, and an error with its position.
    var promised = null;

    function AssertionError(message) {
        var error = new Error(message);
        error.name = "AssertionError";
        return error;
    }

    function failure(name, isNot, result, parameters) {
        var head = "expect(received)" + (isNot ? ".not" : "") + "." + name + "(" + (parameters.length ? "expected" : "") + ")";
        if (result.isComparison) {
            if (isNot) return head + "\n\nexpected anything but:\n" + text(result.expected);
            var pair = [result.expected, result.received];
            if (result.rules) pair = aligned(pair[0], pair[1], result.rules, []);
            var differing = difference(showing.lines(pair[0]), showing.lines(pair[1]));
            if (differing === undefined) {
                return head + "\n\nboth look like this, but they are not the same"
                    + (name === "toBe" ? " (toEqual compares by content)" : "") + ":\n" + text(result.received);
            }
            return head + "\n\n- expected\n+ received\n\n" + showing.cut(differing);
        }
        return head + "\n\nexpected: " + (isNot && !result.isWrongUse ? "not " : "") + result.says
            + "\nreceived: " + (result.note === undefined ? text(result.received) : result.note);
    }

    function expectation(received, isNot) {
        var object = {};
        each(keysOf(matchers), function (name) {
            object[name] = function () {
                count += 1;
                var parameters = language.rest(arguments, 0);
                var result = language.apply(matchers[name], undefined, concat([received], parameters));
                // A value of the wrong type fails the matcher, with and without `not`.
                if (result.isWrongUse || result.pass === isNot) throw AssertionError(failure(name, isNot, result, parameters));
            };
        });
        each(keysOf(custom), function (name) {
            object[name] = function () {
                count += 1;
                var result = customResult(name, received, language.rest(arguments, 0), isNot);
                if (result.pass === isNot) throw AssertionError(messageOf(result, name));
            };
        });
        return object;
    }

    // Returns the result of an added matcher, after a check of its form.
    function customResult(name, received, parameters, isNot) {
        var self = {
            isNot: isNot,
            equals: function (left, right, isStrict) { return equality.equal(left, right, isStrict === true); },
            utils: { stringify: text, printExpected: text, printReceived: text }
        };
        var result = language.apply(custom[name], self, concat([received], parameters));
        if (!equality.isObject(result) || typeof result.pass !== "boolean") {
            throw new TypeError(
                "expect.extend: " + name + " must return { pass: true or false, message: () => string }, got " + text(result));
        }
        return { pass: result.pass, message: result.message };
    }

    function messageOf(result, name) {
        var message = typeof result.message === "function" ? result.message() : result.message;
        return message === undefined ? "expect(received)." + name + ": the matcher returned no message" : textOf(message);
    }

    function expect(received) {
        if (arguments.length === 0) throw new TypeError("expect: pass the value to check");
        var object = expectation(received, false);
        object.not = expectation(received, true);
        return object;
    }

    each(keysOf(asymmetric), function (name) { expect[name] = asymmetric[name]; });
    expect.not = {};
    each(["arrayContaining", "objectContaining", "stringContaining", "stringMatching"], function (name) {
        expect.not[name] = function (argument) {
            var wanted = asymmetric[name](argument);
            return new Asymmetric("not." + name, argument, function (value) { return !wanted.test(value); });
        };
    });

    // Returns expect.name(…) for an added matcher, which is a part of an expected value.
    function customPart(name, isNot) {
        return function () {
            var parameters = language.rest(arguments, 0);
            var argument = parameters.length < 2 ? parameters[0] : parameters;
            return new Asymmetric((isNot ? "not." : "") + name, argument, function (value) {
                return customResult(name, value, parameters, isNot).pass !== isNot;
            });
        };
    }

    expect.extend = function (added) {
        if (!equality.isObject(added)) throw new TypeError("expect.extend: expected an object of matchers, got " + text(added));
        each(keysOf(added), function (name) {
            if (typeof added[name] !== "function") {
                throw new TypeError("expect.extend: " + name + ": expected a function, got " + text(added[name]));
            }
            if (name === "not" || language.hasOwn(matchers, name) || (language.hasOwn(expect, name) && !(name in custom))) {
                throw new TypeError("expect.extend: '" + name + "' is built in; choose another name");
            }
        });
        each(keysOf(added), function (name) {
            custom[name] = added[name];
            expect[name] = customPart(name, false);
            expect.not[name] = customPart(name, true);
        });
    };

    function promise(isKept, head, says) {
        promised = { isKept: isKept, head: head, says: says, error: AssertionError("") };
    }

    expect.assertions = function (number) {
        if (!language.isInteger(number) || number < 0) {
            throw new TypeError("expect.assertions: expected a whole number of at least 0, got " + text(number));
        }
        promise(
            function () { return count === number; }, "expect.assertions(" + number + ")",
            number + " call" + (number === 1 ? "" : "s") + " of matchers");
    };
    expect.hasAssertions = function () {
        promise(function () { return count > 0; }, "expect.hasAssertions()", "at least one call of a matcher");
    };

    global.expect = expect;
    global.fail = function (message) { throw AssertionError(message === undefined ? "fail() was called" : textOf(message)); };
    return {
        show: text,

        // Resets the number of called matchers and the expected number, before a test.
        begin: function () {
            count = 0;
            promised = null;
        },

        // Throws when the test has not called the expected number of matchers.
        end: function () {
            if (promised === null || promised.isKept()) return;
            promised.error.message = promised.head + "\n\nexpected: " + promised.says
                + "\nreceived: " + (count === 0 ? "none" : textOf(count));
            throw promised.error;
        }
    };
})
