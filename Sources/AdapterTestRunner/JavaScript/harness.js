// The global `harness`: the users, devices, back ends and the clock of the running test.
(function (global, language, host, show) {
    "use strict";

    var { TypeError, add, concat, each, includes, indexOf, keysOf, map } = language;

    // The functions of stubs, by number.
    var answering = [];

    function ask(what, values) {
        try {
            return host(what, language.stringify(values === undefined ? {} : values));
        } catch (error) {
            throw typed(error);
        }
    }

    // An adapter's TypeError arrives as an Error with this name. It gets the prototype of TypeError in the test's scope.
    function typed(error) {
        var prototype = error !== null && typeof error === "object" ? language.errorPrototypes[error.name] : undefined;
        if (prototype !== undefined) language.setPrototype(error, prototype);
        return error;
    }

    function rest(list, count) {
        return map(language.rest(list, count), function (value) { return value === undefined ? null : value; });
    }

    function define(object, getters) {
        each(keysOf(getters), function (name) {
            language.define(object, name, { get: getters[name], enumerable: true });
        });
        return object;
    }

    // Returns the options of a call, after a check that all their names are known.
    function checked(what, options, known) {
        if (options === undefined || options === null) return {};
        if (typeof options !== "object") throw new TypeError(what + ": expected an object of options, got " + show(options));
        each(keysOf(options), function (key) {
            if (!includes(known, key)) {
                throw new TypeError(what + " has no option '" + key + "'; there are: " + language.join(known, ", "));
            }
        });
        return options;
    }

    // ---- Users and devices

    function device(owner, id, options) {
        options = checked("device", options, ["platform", "application"]);
        var self = {
            client: owner, id: language.textOf(id), platform: options.platform || "Apple", application: options.application
        };
        function change(what, more) {
            ask(what, language.assign({}, self, more));
            return object;
        }
        var object = {
            id: self.id,
            platform: self.platform,
            subscribe: function (eventSource, more) {
                more = checked("subscribe", more, ["alias", "options", "tolerateFailures"]);
                return change("subscribe", language.assign({ eventSource: eventSource }, more));
            },
            unsubscribe: function (eventSource, more) {
                more = checked("unsubscribe", more, ["tolerateFailures"]);
                return ask("unsubscribe", language.assign({ eventSource: eventSource }, self, more));
            },
            register: function () { return change("register"); },
            subscribeToTag: function (tag) { return change("subscribeToTag", { tag: tag }); }
        };
        ask("device", self);
        return define(object, { token: function () { return ask("token", self); } });
    }

    // Returns an object, after a check that its members are strings, or lists of strings if `several` is set.
    function texts(what, object, several) {
        if (object === undefined) return {};
        if (typeof object !== "object" || object === null || language.isArray(object)) {
            throw new TypeError(what + ": expected an object of strings, got " + show(object));
        }
        each(keysOf(object), function (name) {
            var values = several && language.isArray(object[name]) ? object[name] : [object[name]];
            each(values, function (value) {
                if (typeof value !== "string") {
                    throw new TypeError(what + ": '" + name + "': expected a string, got " + show(value));
                }
            });
        });
        return object;
    }

    function optionalText(what, value) {
        if (value !== undefined && typeof value !== "string") {
            throw new TypeError(what + ": expected a string, got " + show(value));
        }
        return value;
    }

    function request(options) {
        options = checked("withRequest", options, ["headers", "address", "method", "path", "query"]);
        var path = optionalText("withRequest: path", options.path);
        if (path !== undefined && (path[0] !== "/" || indexOf(path, "?") >= 0)) {
            throw new TypeError("withRequest: path: expected one such as /news, without a query, got " + show(path));
        }
        return {
            headers: texts("withRequest: headers", options.headers, true),
            query: texts("withRequest: query", options.query, true),
            address: optionalText("withRequest: address", options.address),
            method: optionalText("withRequest: method", options.method),
            path: path
        };
    }

    // Returns the functions `call` and `reply`, for the session of a client if there is a number.
    function caller(number, coming) {
        function asking(what) {
            return function (procedure) {
                return ask(what, { client: number, request: coming, procedure: procedure, arguments: rest(arguments, 1) });
            };
        }
        return { call: asking("call"), reply: asking("reply") };
    }

    function client(number, name, coming) {
        function realmScript(what, realm, name, values) {
            return ask(what, { client: number, request: coming, realm: realm, "function": name, arguments: values || {} });
        }
        var object = language.assign(caller(number, coming), {
            name: name,
            login: function (realm, identity) {
                ask("login", { client: number, realm: realm, identity: identity });
                return object;
            },
            logout: function (realm) {
                if (realm !== undefined && typeof realm !== "string") {
                    throw new TypeError("logout: expected a realm's name, or nothing for all realms, got " + show(realm));
                }
                ask("logout", { client: number, realm: realm });
                return object;
            },
            device: function (id, options) { return device(number, id, options); },
            identity: function (realm) { return ask("identity", { client: number, realm: realm }); },
            transmit: function () {
                return ask("transmit", { client: number, request: coming, events: rest(arguments, 0) });
            },
            authenticator: function (realm, name, values) { return realmScript("authenticator", realm, name, values); },
            loginModule: function (realm, name, values) { return realmScript("loginModule", realm, name, values); },
            withRequest: function (options) { return client(number, name, request(options)); },
            end: function () { ask("end", { client: number }); }
        });
        return object;
    }

    // ---- Back ends

    function plainAnswer(answer) {
        if (answer === undefined || answer === null) return { status: 200 };
        if (typeof answer !== "object") {
            throw new TypeError("a back end's response: expected an object such as { json: … }, got " + show(answer));
        }
        var known = ["status", "headers", "json", "xml", "html", "text", "body", "contentType", "silence", "refused"];
        each(keysOf(answer), function (key) {
            if (!includes(known, key)) {
                throw new TypeError("a back end's response has no '" + key + "'; there are: " + language.join(known, ", "));
            }
            if (answer[key] === undefined) throw new TypeError("a back end's response: '" + key + "' is undefined");
        });
        each(["xml", "html", "text", "body", "contentType"], function (key) {
            if (key in answer && typeof answer[key] !== "string") {
                throw new TypeError("a back end's response: '" + key + "' must be a string, got " + show(answer[key]));
            }
        });
        var status = answer.status;
        if (status !== undefined && !(language.isInteger(status) && status >= 100 && status <= 599)) {
            throw new TypeError("a back end's response: 'status' must be a whole number from 100 to 599, got " + show(status));
        }
        return answer;
    }

    var methods = ["*", "GET", "POST", "PUT", "DELETE", "HEAD", "OPTIONS", "PATCH", "TRACE"];

    function backEnd(adapter) {
        function on(method, path) {
            var answers = language.rest(arguments, 2);
            var stub = { adapter: adapter, method: method, path: path };
            if (!includes(methods, language.upperCase(language.textOf(method)))) {
                throw new TypeError(
                    "a back end's stub: '" + language.textOf(method) + "' is not a method; there are: " + language.join(methods, ", "));
            }
            if (typeof path !== "string" || indexOf(path, "?") >= 0) {
                throw new TypeError("a back end's stub: expected a path without a query, got " + show(path)
                    + "; a function gets the query as request.query");
            }
            if (typeof answers[0] === "function") {
                if (answers.length > 1) throw new TypeError("a back end's stub: nothing may follow the function");
                stub.number = answering.length;
                add(answering, answers[0]);
            } else {
                stub.answers = map(answers.length ? answers : [{}], plainAnswer);
            }
            ask("stub", stub);
            return object;
        }
        function shortcut(method) {
            return function (path) {
                return language.apply(on, undefined, concat([method, path], language.rest(arguments, 1)));
            };
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
        function asking(what) {
            return function (statement, parameters) {
                if (parameters !== undefined && !language.isArray(parameters)) {
                    throw new TypeError("a database's parameters: expected a list, got " + show(parameters));
                }
                return ask(what, { adapter: adapter, statement: statement, parameters: parameters || [] });
            };
        }
        return { execute: asking("execute"), query: asking("query") };
    }

    // ---- The harness

    var clock = {
        advance: function (seconds, options) {
            if (typeof seconds !== "number" || !(seconds >= 0 && seconds <= 1e9)) {
                throw new TypeError("harness.clock.advance: expected a number of seconds, 0 to 1e9, got " + show(seconds));
            }
            options = checked("harness.clock.advance", options, ["tolerateFailures", "adapters"]);
            if (options.adapters !== undefined && !includes(["own", "all"], options.adapters)) {
                throw new TypeError('harness.clock.advance: adapters: expected "own" or "all", got ' + show(options.adapters));
            }
            return ask("advance", {
                seconds: seconds, tolerateFailures: !!options.tolerateFailures, adapters: options.adapters || "own"
            });
        },
        now: function () { return new language.Date(ask("now")); }
    };
    define(clock, { elapsed: function () { return ask("elapsed"); } });

    var harness = language.assign(caller(), {
        withRequest: function (options) { return caller(undefined, request(options)); },
        receiveSMS: function (parameters) {
            return ask("receiveSMS", { parameters: texts("harness.receiveSMS", parameters) });
        },
        ussd: function (parameters, options) {
            options = checked("harness.ussd", options, ["path", "headers", "body"]);
            return ask("ussd", {
                parameters: texts("harness.ussd", parameters), headers: texts("harness.ussd: headers", options.headers),
                path: optionalText("harness.ussd: path", options.path), body: optionalText("harness.ussd: body", options.body)
            });
        },
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
    });
    define(harness, {
        sent: function () {
            var list = ask("sent");
            // A single request would only repeat service, headers and body.
            each(list, function (sent) {
                language.define(sent, "requests", { value: sent.requests, enumerable: sent.requests.length > 1 });
            });
            language.define(list, "clear", { value: function () { ask("clearSent"); } });
            return list;
        },
        polls: function () { return ask("polls"); },
        log: function () { return ask("log"); }
    });
    global.harness = harness;

    var logged = {};
    each(["log", "info", "warn", "error", "debug"], function (name) {
        logged[name] = function () {
            var parts = map(arguments, function (value) { return typeof value === "string" ? value : show(value); });
            host("print", language.stringify({ text: language.join(parts, " ") }));
        };
    });
    global.console = logged;

    // Returns the response to a back-end request from the function of a stub.
    return function (number, request) {
        var answer = answering[number];
        return language.stringify(plainAnswer(answer(request)));
    };
})
