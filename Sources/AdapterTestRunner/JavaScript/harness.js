// The global `harness`: users, devices, back ends and the clock of the test that runs.
(function (global, host, show) {
    "use strict";

    // Stubs whose answers are functions, by number.
    var answering = [];

    function ask(what, values) {
        return host(what, JSON.stringify(values === undefined ? {} : values));
    }

    function rest(list, count) {
        return Array.prototype.slice.call(list, count).map(function (value) { return value === undefined ? null : value; });
    }

    function define(object, getters) {
        Object.keys(getters).forEach(function (name) {
            Object.defineProperty(object, name, { get: getters[name], enumerable: true });
        });
        return object;
    }

    // ---- People

    function device(owner, id, options) {
        options = options || {};
        var self = {
            client: owner, id: String(id), platform: options.platform || "Apple", application: options.application
        };
        function change(what, more) {
            ask(what, Object.assign({}, self, more));
            return object;
        }
        var object = {
            id: self.id,
            platform: self.platform,
            subscribe: function (eventSource, more) {
                return change("subscribe", Object.assign({ eventSource: eventSource }, more));
            },
            unsubscribe: function (eventSource, more) {
                return ask("unsubscribe", Object.assign({ eventSource: eventSource }, self, more));
            },
            register: function () { return change("register"); },
            subscribeToTag: function (tag) { return change("subscribeToTag", { tag: tag }); }
        };
        return define(object, { token: function () { return ask("token", self); } });
    }

    function client(number, name) {
        return {
            name: name,
            call: function (procedure) {
                return ask("call", { client: number, procedure: procedure, arguments: rest(arguments, 1) });
            },
            reply: function (procedure) {
                return ask("reply", { client: number, procedure: procedure, arguments: rest(arguments, 1) });
            },
            device: function (id, options) { return device(number, id, options); },
            identity: function (realm) { return ask("identity", { client: number, realm: realm }); },
            transmit: function () { return ask("transmit", { client: number, events: rest(arguments, 0) }); },
            end: function () { ask("end", { client: number }); }
        };
    }

    // ---- Back ends

    function plainAnswer(answer) {
        if (answer === undefined || answer === null) return { status: 200 };
        if (typeof answer !== "object") {
            throw new TypeError("a back end's answer: expected an object such as { json: … }, got " + show(answer));
        }
        var known = ["status", "headers", "json", "xml", "html", "text", "body", "contentType", "silence", "refused"];
        Object.keys(answer).forEach(function (key) {
            if (known.indexOf(key) < 0) {
                throw new TypeError("a back end's answer has no '" + key + "'; there are: " + known.join(", "));
            }
            if (answer[key] === undefined) throw new TypeError("a back end's answer: '" + key + "' is undefined");
        });
        ["xml", "html", "text", "body", "contentType"].forEach(function (key) {
            if (key in answer && typeof answer[key] !== "string") {
                throw new TypeError("a back end's answer: '" + key + "' must be a text, got " + show(answer[key]));
            }
        });
        var status = answer.status;
        if (status !== undefined && !(Number.isInteger(status) && status >= 100 && status <= 599)) {
            throw new TypeError("a back end's answer: 'status' must be a whole number of 100 to 599, got " + show(status));
        }
        return answer;
    }

    var methods = ["*", "GET", "POST", "PUT", "DELETE", "HEAD", "OPTIONS", "PATCH", "TRACE"];

    function backEnd(adapter) {
        function on(method, path) {
            var answers = Array.prototype.slice.call(arguments, 2);
            var stub = { adapter: adapter, method: method, path: path };
            if (methods.indexOf(String(method).toUpperCase()) < 0) {
                throw new TypeError("a back end's stub: '" + method + "' is no method; there are: " + methods.join(", "));
            }
            if (typeof path !== "string" || path.indexOf("?") >= 0) {
                throw new TypeError("a back end's stub: expected a path without a query, got " + show(path)
                    + "; a function gets the query as request.query");
            }
            if (typeof answers[0] === "function") {
                if (answers.length > 1) throw new TypeError("a back end's stub: nothing may follow the function");
                stub.number = answering.push(answers[0]) - 1;
            } else {
                stub.answers = (answers.length ? answers : [{}]).map(plainAnswer);
            }
            ask("stub", stub);
            return object;
        }
        function shortcut(method) {
            return function (path) { return on.apply(undefined, [method, path].concat(Array.prototype.slice.call(arguments, 1))); };
        }
        var object = {
            on: on, get: shortcut("GET"), post: shortcut("POST"), put: shortcut("PUT"), delete: shortcut("DELETE"),
            forward: function (url) {
                ask("forward", { adapter: adapter, url: url });
                return object;
            },
            clearRequests: function () { ask("clearRequests", { adapter: adapter }); }
        };
        return define(object, { requests: function () { return ask("requests", { adapter: adapter }); } });
    }

    function database(adapter) {
        return {
            execute: function (statement, parameters) {
                return ask("execute", { adapter: adapter, statement: statement, parameters: parameters || [] });
            },
            query: function (statement, parameters) {
                return ask("query", { adapter: adapter, statement: statement, parameters: parameters || [] });
            }
        };
    }

    // ---- The whole

    var clock = {
        advance: function (seconds, options) {
            if (typeof seconds !== "number" || !(seconds >= 0 && seconds <= 1e9)) {
                throw new TypeError("harness.clock.advance: expected a number of seconds, 0 to 1e9, got " + show(seconds));
            }
            return ask("advance", { seconds: seconds, tolerateFailures: !!(options && options.tolerateFailures) });
        },
        now: function () { return new Date(ask("now")); }
    };
    define(clock, { elapsed: function () { return ask("elapsed"); } });

    var harness = {
        call: function (procedure) { return ask("call", { procedure: procedure, arguments: rest(arguments, 1) }); },
        reply: function (procedure) { return ask("reply", { procedure: procedure, arguments: rest(arguments, 1) }); },
        evaluate: function (expression, adapter) {
            return ask("evaluate", { expression: expression, adapter: adapter });
        },
        user: function (name) {
            if (typeof name !== "string" || name === "") {
                throw new TypeError("harness.user: expected the user's name, got " + show(name));
            }
            return client(ask("user", { name: name }), name);
        },
        client: function () { return client(ask("client"), null); },
        backEnd: backEnd,
        database: database,
        clock: clock
    };
    define(harness, {
        sent: function () {
            var list = ask("sent");
            Object.defineProperty(list, "clear", { value: function () { ask("clearSent"); } });
            return list;
        },
        polls: function () { return ask("polls"); },
        log: function () { return ask("log"); }
    });
    global.harness = harness;

    var logged = {};
    ["log", "info", "warn", "error", "debug"].forEach(function (name) {
        logged[name] = function () {
            var parts = Array.prototype.map.call(arguments, function (value) {
                return typeof value === "string" ? value : show(value);
            });
            host("print", JSON.stringify({ text: parts.join(" ") }));
        };
    });
    global.console = logged;

    // Answers a back end's request with the function of a stub.
    return function (number, request) {
        return JSON.stringify(plainAnswer(answering[number](request)));
    };
})
