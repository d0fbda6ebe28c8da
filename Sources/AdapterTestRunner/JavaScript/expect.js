// expect(value).toEqual(…) and the like: the names and meanings of Jest's matchers.
(function (global, language, equality, asymmetric, showing, matchers, difference) {
    "use strict";

    var { TypeError, Error, concat, each, keysOf, textOf } = language;
    var { Asymmetric, aligned } = equality;
    var { text } = showing;

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
