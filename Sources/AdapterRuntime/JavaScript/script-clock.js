// Has the global `Date` ask `now` for the time, in milliseconds since 1970. `replaceDate` is the function of replace-date.js.
(function (now, replaceDate) {
    "use strict";
    // Scripts may replace it.
    var Engine = Date, construct = Reflect.construct;
    function made(given, target) { return construct(Engine, given.length ? given : [now()], target); }
    Object.defineProperty(replaceDate(Engine, made), "now", { __proto__: null, value: now, writable: true, configurable: true });
})
