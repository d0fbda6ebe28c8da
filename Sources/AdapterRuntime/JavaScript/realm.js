// Returns the classes of IBM's Java interfaces that a script of an authenticator or a login module uses, and the function `entry`, by which the
// server calls the script; RealmScriptLibrary.swift describes it. `find` returns the script's variable of a name.
(function (find, entry) {
    "use strict";
    var call = null, isReady = false, library = {};
    var mistakes = [TypeError, ReferenceError, RangeError, SyntaxError, EvalError, URIError];
    function declare(name, value) {
        Object.defineProperty(library, name, { __proto__: null, value: value, enumerable: true });
    }
    declare("AuthenticationStatus", Object.freeze({
        SUCCESS: "SUCCESS", CLIENT_INTERACTION_REQUIRED: "CLIENT_INTERACTION_REQUIRED",
        REQUEST_NOT_RECOGNIZED: "REQUEST_NOT_RECOGNIZED", FAILURE: "FAILURE"
    }));
    function AuthenticationResult(status) { this.status = status; this.json = null; }
    AuthenticationResult.prototype.setJson = function (json) { this.json = json; };
    AuthenticationResult.prototype.getStatus = function () { return this.status; };
    AuthenticationResult.createFrom = function (status) { return new AuthenticationResult(status); };
    declare("AuthenticationResult", AuthenticationResult);
    declare("UserIdentity", function (loginModule, name, displayName, roles, attributes, credentials) {
        this.userId = name;
        this.displayName = displayName === undefined || displayName === null ? name : displayName;
        this.roles = roles === undefined ? null : roles;
        this.attributes = attributes === undefined || attributes === null ? {} : attributes;
        if (credentials !== undefined && credentials !== null) this.credentials = credentials;
    });
    declare("getRealmName", function () { return call === null ? null : call.realm; });
    declare("getChallengeResponse", function () {
        return call === null || call.answer === undefined ? null : call.answer;
    });

    function Response() { this.data = { status: 200, type: null, headers: [], body: "" }; this.isWritten = false; }
    function text(value) { return value === undefined || value === null ? "" : String(value); }
    Response.prototype = {
        setStatus: function (code) { this.data.status = Number(code); this.isWritten = true; },
        sendError: function (code, message) { this.setStatus(code); this.data.body += text(message); },
        setContentType: function (type) { this.data.type = text(type); },
        setCharacterEncoding: function () {},
        setHeader: function (name, value) {
            this.data.headers = this.data.headers.filter(function (header) {
                return header[0].toLowerCase() !== text(name).toLowerCase();
            });
            this.addHeader(name, value);
        },
        addHeader: function (name, value) { this.data.headers.push([text(name), text(value)]); },
        sendRedirect: function (target) { this.setStatus(302); this.setHeader("Location", target); },
        getWriter: function () {
            var response = this;
            function write(value) { response.data.body += text(value); response.isWritten = true; }
            return {
                print: write, write: write, append: write, flush: function () {}, close: function () {},
                println: function (value) { write(text(value) + "\n"); }
            };
        }
    };

    function has(name) { return typeof find(name) === "function"; }
    function run(name) { return Reflect.apply(find(name), undefined, Array.prototype.slice.call(arguments, 1)); }
    function outcome(result, response) {
        var status = result !== null && typeof result === "object" ? result.status : result;
        var given = { status: typeof status === "string" ? status : null };
        if (result !== null && typeof result === "object" && result.json !== null && result.json !== undefined) {
            given.json = result.json;
        }
        given.written = response.isWritten;
        given.response = response.data;
        if (status === "SUCCESS") given.data = has("getAuthenticationData") ? run("getAuthenticationData") : {};
        return given;
    }
    function perform() {
        var name = call["function"], request = WL.Server.getClientRequest(), response = new Response(), given;
        switch (name) {
        case "processRequest":
            return outcome(has(name) ? run(name, request, response, call.isAccess) : null, response);
        case "processRequestAlreadyAuthenticated":
            if (!has(name)) return { status: "REQUEST_NOT_RECOGNIZED" };
            return outcome(run(name, request, response), response);
        case "processAuthenticationFailure":
            if (!has(name)) return { status: "FAILURE" };
            return outcome(run(name, request, response, call.message), response);
        case "changeResponseOnSuccess":
            given = has(name) && run(name, request, response) === true;
            return { written: given, response: response.data };
        case "login":
            try {
                if (run("login", call.data) !== true) return { isAccepted: false };
            } catch (error) {
                // A mistake in the script is not a message for users.
                if (mistakes.some(function (kind) { return error instanceof kind; })) throw error;
                return { isAccepted: false, message: text(error && error.message || error) };
            }
            return { isAccepted: true, identity: has("createIdentity") ? run("createIdentity", call.module) : null };
        default:
            if (has(name)) run(name);
            return {};
        }
    }
    declare(entry, function (given) {
        call = given;
        try {
            if (!isReady && has("init")) run("init", given.options);
            isReady = true;
            return { realm: perform() };
        } finally {
            call = null;
        }
    });
    return library;
})
