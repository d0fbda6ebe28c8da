// Collects suites and tests while a test file is evaluated: describe, it, beforeEach and the like, in the manner of Jest and
// Jasmine. What is collected is run from outside, one phase after the other.
(function (global) {
    "use strict";

    function Suite(name, parent, mode) {
        this.name = name;
        this.parent = parent;
        this.mode = mode;
        this.beforeAll = [];
        this.afterAll = [];
        this.beforeEach = [];
        this.afterEach = [];
        this.remaining = 0;
        this.hasBegun = false;
        this.hasFailed = false;
    }

    var root = new Suite("", null, "run");
    var current = root;
    var tests = [];
    var isCollecting = true;

    function mustCollect(name) {
        if (!isCollecting) throw new Error(name + ": call it in a describe or outside of everything, not in a test");
    }

    function mustBe(type, value, what) {
        if (typeof value !== type) throw new TypeError(what + ": expected a " + type + ", got " + String(value));
    }

    function addSuite(name, body, mode) {
        mustCollect("describe");
        mustBe("string", name, "describe's first argument");
        mustBe("function", body, "describe's second argument");
        var suite = new Suite(name, current, mode);
        current = suite;
        try {
            body();
        } finally {
            current = suite.parent;
        }
    }

    function addTest(name, body, mode, seconds) {
        mustCollect("it");
        mustBe("string", name, "it's first argument");
        if (mode !== "todo") mustBe("function", body, "it's second argument");
        tests.push({ name: name, suite: current, body: body, mode: mode, milliseconds: seconds });
        for (var suite = current; suite; suite = suite.parent) suite.remaining += 1;
    }

    // "adds %s to %s" with the values of a row.
    function formatted(name, row, index) {
        var next = 0;
        return name.replace(/%[sdifjop#%]/g, function (sign) {
            if (sign === "%%") return "%";
            if (sign === "%#") return String(index);
            if (next >= row.length) return sign;
            var value = row[next++];
            if (sign === "%d" || sign === "%f") return String(Number(value));
            if (sign === "%i") return String(Math.trunc(Number(value)));
            return sign === "%s" ? String(value) : JSON.stringify(value);
        }).replace(/\$(\w+)/g, function (text, key) {
            var first = row[0];
            return first && typeof first === "object" && key in first ? String(first[key]) : text;
        });
    }

    function each(add, mode) {
        return function (table) {
            if (!Array.isArray(table)) throw new TypeError("each: expected an array of rows");
            return function (name, body, limit) {
                table.forEach(function (row, index) {
                    var values = Array.isArray(row) ? row : [row];
                    add(formatted(name, values, index), function () { return body.apply(undefined, values); }, mode, limit);
                });
            };
        };
    }

    function variants(add) {
        var base = function (name, body, limit) { add(name, body, "run", limit); };
        base.skip = function (name, body, limit) { add(name, body, "skip", limit); };
        base.only = function (name, body, limit) { add(name, body, "only", limit); };
        base.each = each(add, "run");
        base.skip.each = each(add, "skip");
        base.only.each = each(add, "only");
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

    ["beforeAll", "afterAll", "beforeEach", "afterEach"].forEach(function (hook) {
        global[hook] = function (body) {
            mustCollect(hook);
            mustBe("function", body, hook + "'s argument");
            current[hook].push(body);
        };
    });

    function path(suite) {
        var suites = [];
        for (; suite; suite = suite.parent) suites.unshift(suite);
        return suites;
    }

    function isOnly(test) {
        return test.mode === "only" || path(test.suite).some(function (suite) { return suite.mode === "only"; });
    }

    function isSkipped(test, hasOnly) {
        if (test.mode === "skip" || path(test.suite).some(function (suite) { return suite.mode === "skip"; })) return true;
        return hasOnly && !isOnly(test);
    }

    return {
        // What there is to run, after the file has been evaluated.
        plan: function () {
            isCollecting = false;
            var hasOnly = tests.some(isOnly);
            return tests.map(function (test) {
                return {
                    names: path(test.suite).slice(1).map(function (suite) { return suite.name; }).concat([test.name]),
                    mode: test.mode === "todo" ? "todo" : isSkipped(test, hasOnly) ? "skip" : "run",
                    milliseconds: typeof test.milliseconds === "number" ? test.milliseconds : null
                };
            });
        },

        // Tells that a test will not run, so that the hooks of its suites do not wait for it.
        leaveOut: function (index) {
            for (var suite = tests[index].suite; suite; suite = suite.parent) suite.remaining -= 1;
        },

        // What runs before all tests of the suites that begin with this one.
        suiteBeginnings: function (index) {
            var hooks = [];
            path(tests[index].suite).forEach(function (suite) {
                if (!suite.hasBegun) hooks = hooks.concat(suite.beforeAll);
                suite.hasBegun = true;
            });
            return hooks;
        },

        // Tells that one of these has failed.
        fail: function (index) { tests[index].suite.hasFailed = true; },

        hasFailed: function (index) {
            return path(tests[index].suite).some(function (suite) { return suite.hasFailed; });
        },

        beginnings: function (index) {
            return path(tests[index].suite).reduce(function (hooks, suite) { return hooks.concat(suite.beforeEach); }, []);
        },

        body: function (index) { return tests[index].body; },

        endings: function (index) {
            return path(tests[index].suite).reverse().reduce(function (hooks, suite) {
                return hooks.concat(suite.afterEach);
            }, []);
        },

        // What runs after all tests of the suites that end with this one.
        suiteEndings: function (index) {
            var hooks = [];
            for (var suite = tests[index].suite; suite; suite = suite.parent) {
                suite.remaining -= 1;
                if (suite.remaining === 0 && suite.hasBegun) hooks = hooks.concat(suite.afterAll);
            }
            return hooks;
        }
    };
})
