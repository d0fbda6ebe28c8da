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
    // The suite whose beforeAll is running, or has failed.
    var beginning = null;

    function mustCollect(name) {
        if (!isCollecting) throw new Error(name + ": call it in a describe or outside of everything, not in a test");
    }

    function mustBe(type, value, what) {
        if (typeof value !== type) throw new TypeError(what + ": expected a " + type + ", got " + String(value));
    }

    // Tests are synchronous: what would go on later would not be looked at.
    function mustBePlain(body, what) {
        mustBe("function", body, what);
        var kind = Object.prototype.toString.call(body).slice(8, -1);
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

    function addSuite(name, body, mode) {
        mustCollect("describe");
        mustBe("string", name, "describe's first argument");
        mustBePlain(body, "describe's second argument");
        var suite = new Suite(name, current, mode);
        current = suite;
        try {
            body();
        } finally {
            current = suite.parent;
        }
    }

    function addTest(name, body, mode, limit) {
        mustCollect("it");
        mustBe("string", name, "it's first argument");
        if (mode !== "todo") mustBePlain(body, "it's second argument");
        if (limit !== undefined && !(typeof limit === "number" && limit >= 1 && limit <= 3600000)) {
            throw new TypeError("it's third argument: expected a limit of 1 to 3600000 milliseconds, got " + String(limit));
        }
        tests.push({
            name: name, suite: current, body: body && checked(body, "the test"), mode: mode,
            milliseconds: limit === undefined ? null : limit
        });
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
            if (!Array.isArray(table) || table.raw || arguments.length > 1) {
                throw new TypeError("each: expected one array of rows; templates are not known here");
            }
            return function (name, body, limit) {
                mustBe("function", body, "each's function");
                var kind = Object.prototype.toString.call(body);
                if (kind !== "[object Function]") mustBePlain(body, "each's function");
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
            mustBePlain(body, hook + "'s argument");
            current[hook].push(checked(body, hook));
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
                    milliseconds: test.milliseconds
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
                if (!suite.hasBegun) {
                    hooks = hooks.concat(suite.beforeAll.map(function (hook) {
                        return function () {
                            beginning = suite;
                            hook();
                            beginning = null;
                        };
                    }));
                }
                suite.hasBegun = true;
            });
            return hooks;
        },

        // Tells that one of these has failed.
        fail: function (index) {
            (beginning || tests[index].suite).hasFailed = true;
            beginning = null;
        },

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
