// Spies, which are functions that record their calls: fn(). The names and meanings are those of jest.fn.
(function (global, language, show) {
    "use strict";

    var { TypeError, add } = language;

    // The states of the spies, keyed by the spy.
    var states = language.makeRegistry();

    function mustBeFunction(value, what) {
        if (typeof value !== "function") throw new TypeError(what + ": expected a function, got " + show(value));
    }

    function always(value) {
        return function () { return value; };
    }

    function clear(state) {
        state.record = { calls: [], results: [], contexts: [], lastCall: undefined };
    }

    function perform(state, self, list) {
        var record = state.record;
        var call = language.rest(list, 0), result = { type: "incomplete", value: undefined };
        add(record.calls, call);
        add(record.contexts, self);
        add(record.results, result);
        record.lastCall = call;
        var implementation = state.once.length > 0 ? state.once[0] : state.implementation;
        if (state.once.length > 0) state.once = language.rest(state.once, 1);
        try {
            var value = implementation === undefined ? undefined : language.apply(implementation, self, call);
            result.type = "return";
            result.value = value;
            return value;
        } catch (error) {
            result.type = "throw";
            result.value = error;
            throw error;
        }
    }

    function member(spy, name, value) {
        language.define(spy, name, { value: value, writable: true, configurable: true });
    }

    function fn(implementation) {
        if (implementation !== undefined) mustBeFunction(implementation, "fn");
        var state = { implementation: implementation, once: [] };
        clear(state);
        var spy = function () { return perform(state, this, arguments); };
        language.define(spy, "name", { value: "fn" });
        language.define(spy, "mock", { get: function () { return state.record; } });
        function changing(change) {
            return function (value) {
                change(value);
                return spy;
            };
        }
        member(spy, "mockImplementation", changing(function (body) {
            mustBeFunction(body, "mockImplementation");
            state.implementation = body;
        }));
        member(spy, "mockImplementationOnce", changing(function (body) {
            mustBeFunction(body, "mockImplementationOnce");
            add(state.once, body);
        }));
        member(spy, "mockReturnValue", changing(function (value) { state.implementation = always(value); }));
        member(spy, "mockReturnValueOnce", changing(function (value) { add(state.once, always(value)); }));
        member(spy, "mockClear", changing(function () { clear(state); }));
        member(spy, "mockReset", changing(function () {
            clear(state);
            state.implementation = undefined;
            state.once = [];
        }));
        states.set(spy, state);
        return spy;
    }

    global.fn = fn;

    // Returns the record of a spy; undefined for a value that is not a spy.
    return function (value) {
        var state = states.get(value);
        return state === undefined ? undefined : state.record;
    };
})
