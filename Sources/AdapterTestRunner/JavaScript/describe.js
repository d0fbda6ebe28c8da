// Collects suites and tests while a test file is evaluated: describe, it, beforeEach and others, as in Jest and Jasmine. The host runs
// the collected tests, one phase after the other.
(function (global, language) {
    "use strict";

    var { TypeError, Error, add, concat, each, filter, map, rest, some, textOf } = language;

    function Suite(name, parent, mode) {
        this.name = name;
        this.parent = parent;
        this.mode = mode;
        this.beforeAll = [];
        this.afterAll = [];
        this.beforeEach = [];
        this.afterEach = [];
        // True if the suite contains a test or a suite that is declared with `only`.
        this.hasOnly = false;
        this.remaining = 0;
        this.hasBegun = false;
        this.hasFailed = false;
    }

    var root = new Suite("", null, "run");
    var current = root;
    var tests = [];
    var isCollecting = true;
    // The suite whose beforeAll is running, or has failed.
    var beginning = null;

    function mustCollect(name) {
        if (!isCollecting) throw new Error(name + ": call it in a describe or outside of everything, not in a test");
    }

    function mustBe(type, value, what) {
        if (typeof value !== type) throw new TypeError(what + ": expected a " + type + ", got " + textOf(value));
    }

    // Tests are synchronous: the runner would not check the result of code that continues later.
    function mustBePlain(body, what) {
        mustBe("function", body, what);
        var kind = language.kindOfFunction(body);
        if (kind !== "Function") {
            throw new TypeError(what + " is of the kind " + kind + ": write a plain function, for tests are synchronous");
        }
        if (body.length > 0) {
            throw new TypeError(what + " wants an argument, such as `done`; there is none, for tests are synchronous");
        }
    }

    function checked(body, what) {
        return function () {
            var result = body();
            if (result && (typeof result.then === "function" || typeof result.next === "function")) {
                throw new TypeError(what + " returned something that goes on later; tests are synchronous");
            }
        };
    }

    // Records in the suites around a declaration that they contain one with `only`.
    function tellOnly(suite) {
        for (; suite; suite = suite.parent) suite.hasOnly = true;
    }

    // Returns the error of a declaration, or null. The declared test then fails with this error, and the other tests of the file run.
    function mistake(check) {
        try {
            check();
            return null;
        } catch (error) {
            return error;
        }
    }

    function addWrong(name, error, mode) {
        addTest(typeof name === "string" ? name : "(" + kindOfName(name) + " as a name)", function () { throw error; }, mode);
    }

    function kindOfName(name) {
        return name === undefined ? "nothing" : name === null ? "null" : typeof name;
    }

    function addSuite(name, body, mode) {
        mustCollect("describe");
        var wrong = mistake(function () {
            mustBe("string", name, "describe's first argument");
            mustBePlain(body, "describe's second argument");
        });
        if (wrong) return addWrong(name, wrong, mode);
        var suite = new Suite(name, current, mode);
        if (mode === "only") tellOnly(current);
        current = suite;
        try {
            body();
        } finally {
            current = suite.parent;
        }
    }

    function addTest(name, body, mode, limit) {
        mustCollect("it");
        var wrong = mistake(function () {
            mustBe("string", name, "it's first argument");
            if (mode !== "todo") mustBePlain(body, "it's second argument");
            if (limit !== undefined && !(typeof limit === "number" && limit >= 1 && limit <= 3600000)) {
                throw new TypeError("it's third argument: expected a limit of 1 to 3600000 milliseconds, got " + textOf(limit));
            }
        });
        if (wrong) return addWrong(name, wrong, mode === "todo" ? "run" : mode);
        if (mode === "only") tellOnly(current);
        add(tests, {
            name: name, suite: current, body: body && checked(body, "the test"), mode: mode,
            // The stack of this error has the position of the declaration.
            mark: new Error(),
            milliseconds: limit === undefined ? null : limit
        });
        for (var suite = current; suite; suite = suite.parent) suite.remaining += 1;
    }

    function shown(value) {
        if (value === null || typeof value !== "object") return textOf(value);
        var error = mistake(function () { value = language.stringify(value); });
        return error ? "[object]" : textOf(value);
    }

    // Returns the value of the path "a.b" in an object, followed by the part of the path that names no member: for "name.txt", the value
    // of "name" and ".txt".
    function named(path, object, sign) {
        var value = object, rest = "", hasBegun = false;
        each(language.matches(path, /[^.]+/g), function (part) {
            if (rest === "" && value !== null && typeof value === "object" && part in value) {
                value = value[part];
                hasBegun = true;
            } else {
                rest += "." + part;
            }
        });
        return hasBegun ? shown(value) + rest : sign;
    }

    // Returns a name such as "adds %s to %s" with the values of a row, or "adds $a to $b" with the members of its first value.
    function formatted(name, row, index, isTemplate) {
        var next = 0, first = row[0];
        return language.replace(name, /%[sdifjop#%]|\$#|\$(\w+(?:\.\w+)*)/g, function (sign, key) {
            if (key !== undefined) return named(key, first, sign);
            if (sign === "$#") return textOf(index);
            if (isTemplate) return sign;
            if (sign === "%%") return "%";
            if (sign === "%#") return textOf(index);
            if (next >= row.length) return sign;
            var value = row[next++];
            if (sign === "%d" || sign === "%f") return textOf(language.numberOf(value));
            if (sign === "%i") return textOf(language.truncate(language.numberOf(value)));
            return sign === "%s" ? textOf(value) : language.stringify(value);
        });
    }

    // Returns the rows of a template, as objects with its headings as members:
    //
    //     a    | b
    //     ${1} | ${2}
    function rowsOfTemplate(strings, values) {
        var lines = language.matches(strings[0], /[^\n]+/g);
        var first = language.findIndex(lines, function (line) { return language.fits(/\S/, line); });
        var heading = first < 0 ? "" : lines[first];
        var headings = map(language.matches("|" + heading, /\|[^|]*/g), function (part) {
            return language.replace(language.slice(part, 1), /\s+/g, function () { return ""; });
        });
        each(headings, function (name) {
            if (!language.fits(/^[\w$]+$/, name)) {
                throw new TypeError(
                    "each: the template's first line must have the names of the columns, such as `a | b`, got " + language.stringify(heading));
            }
        });
        if (values.length % headings.length !== 0) {
            throw new TypeError(
                "each: the template has " + headings.length + " columns, but " + values.length + " values: each row needs one for each column");
        }
        var rows = [];
        each(values, function (value, index) {
            if (index % headings.length === 0) add(rows, {});
            language.define(
                rows[rows.length - 1], headings[index % headings.length],
                { value: value, enumerable: true, writable: true, configurable: true });
        });
        return rows;
    }

    function forRows(declare, mode) {
        return function (table) {
            var isTemplate = language.isArray(table) && language.isArray(table.raw);
            var isTable = isTemplate || language.isArray(table) && arguments.length === 1;
            var values = rest(arguments, 1);
            return function (name, body, limit) {
                mustCollect("each");
                var wrong = mistake(function () {
                    if (!isTable) {
                        throw new TypeError("each: expected an array of rows, or a template: each`a | b\n${1} | ${2}`");
                    }
                    if (isTemplate) table = rowsOfTemplate(table, values);
                    if (table.length === 0) throw new TypeError("each: the table has no rows, so there would be no test");
                    mustBe("string", name, "each's name");
                    mustBe("function", body, "each's function");
                    if (language.kindOfFunction(body) !== "Function") mustBePlain(body, "each's function");
                });
                if (wrong) return addWrong(name, wrong, mode);
                each(table, function (row, index) {
                    var values = language.isArray(row) && !isTemplate ? row : [row];
                    var run = function () { return language.apply(body, undefined, values); };
                    declare(formatted(name, values, index, isTemplate), run, mode, limit);
                });
            };
        };
    }

    function variants(declare) {
        var base = function (name, body, limit) { declare(name, body, "run", limit); };
        base.skip = function (name, body, limit) { declare(name, body, "skip", limit); };
        base.only = function (name, body, limit) { declare(name, body, "only", limit); };
        base.each = forRows(declare, "run");
        base.skip.each = forRows(declare, "skip");
        base.only.each = forRows(declare, "only");
        return base;
    }

    global.describe = variants(addSuite);
    global.it = variants(addTest);
    global.it.todo = function (name) { addTest(name, null, "todo"); };
    global.test = global.it;
    global.xdescribe = global.describe.skip;
    global.fdescribe = global.describe.only;
    global.xit = global.xtest = global.it.skip;
    global.fit = global.ftest = global.it.only;

    each(["beforeAll", "afterAll", "beforeEach", "afterEach"], function (hook) {
        global[hook] = function (body) {
            mustCollect(hook);
            mustBePlain(body, hook + "'s argument");
            add(current[hook], checked(body, hook));
        };
    });

    // Returns a suite and the suites around it, the innermost first.
    function around(suite) {
        var suites = [];
        for (; suite; suite = suite.parent) add(suites, suite);
        return suites;
    }

    // Returns a suite and the suites around it, the outermost first.
    function path(suite) {
        var suites = around(suite);
        return map(suites, function (suite, index) { return suites[suites.length - 1 - index]; });
    }

    // Returns the hooks with a name of all these suites.
    function hooks(name, suites) {
        var all = [];
        each(suites, function (suite) { all = concat(all, suite[name]); });
        return all;
    }

    // Returns whether `only` selects a test. If a suite contains an inner `only`, its own `only` does not select its other tests.
    function isOnly(test) {
        return test.mode === "only"
            || some(around(test.suite), function (suite) { return suite.mode === "only" && !suite.hasOnly; });
    }

    function isSkipped(test, hasOnly) {
        if (test.mode === "skip" || some(around(test.suite), function (suite) { return suite.mode === "skip"; })) return true;
        return hasOnly && !isOnly(test);
    }

    return {
        // Returns the tests to run, after the file has been evaluated.
        plan: function () {
            isCollecting = false;
            var hasOnly = some(tests, isOnly);
            return map(tests, function (test) {
                var names = map(rest(path(test.suite), 1), function (suite) { return suite.name; });
                return {
                    names: concat(names, [test.name]),
                    mode: test.mode === "todo" ? "todo" : isSkipped(test, hasOnly) ? "skip" : "run",
                    milliseconds: test.milliseconds
                };
            });
        },

        // Notifies the suites of a test that it will not run, so that their `afterAll` does not wait for it.
        leaveOut: function (index) {
            each(around(tests[index].suite), function (suite) { suite.remaining -= 1; });
        },

        // Returns the `beforeAll` hooks of the suites whose first test this is.
        suiteBeginnings: function (index) {
            var suites = filter(path(tests[index].suite), function (suite) { return !suite.hasBegun; });
            var all = [];
            each(suites, function (suite) {
                suite.hasBegun = true;
                each(suite.beforeAll, function (hook) {
                    add(all, function () {
                        beginning = suite;
                        hook();
                        beginning = null;
                    });
                });
            });
            return all;
        },

        // Records that one of these hooks has failed.
        fail: function (index) {
            (beginning || tests[index].suite).hasFailed = true;
            beginning = null;
        },

        hasFailed: function (index) {
            return some(around(tests[index].suite), function (suite) { return suite.hasFailed; });
        },

        beginnings: function (index) { return hooks("beforeEach", path(tests[index].suite)); },

        body: function (index) { return tests[index].body; },

        // Returns the error whose stack has the position of the declaration.
        mark: function (index) { return tests[index].mark; },

        endings: function (index) { return hooks("afterEach", around(tests[index].suite)); },

        // Returns the `afterAll` hooks of the suites whose last test this is.
        suiteEndings: function (index) {
            return hooks("afterAll", filter(around(tests[index].suite), function (suite) {
                suite.remaining -= 1;
                return suite.remaining === 0 && suite.hasBegun;
            }));
        }
    };
})
