import Foundation
import JavaScriptEngine

/// What Rhino's built-in objects had and the engine's have not (docs/rhino.md).
///
/// - An error's `message` was a member like any other, so that it came with the error into JSON; `fileName` and `lineNumber` had
///   the place where it was made.
/// - Texts had Java's `equals` and `equalsIgnoreCase`.
/// - A date and time without a zone, as `2014-09-03T10:00:00`, was UTC. The engine takes it for the machine's time.
extension AdapterScope {
    /// Does nothing the second time.
    func installRhinoLibrary() throws {
        guard !hasRhinoLibrary else { return }
        hasRhinoLibrary = true
        let install = try context.evaluate(Self.library, file: "lamplighter:library")
        _ = try install.call([Self.hooks.makeObject(in: self), context.make(Self.isAwayFromUTC)])
    }

    /// Elsewhere both readings are the same, and a script's `Date` stays the engine's.
    fileprivate static let isAwayFromUTC =
        TimeZone.current.secondsFromGMT() != 0 || TimeZone.current.nextDaylightSavingTimeTransition != nil

    private static let hooks = BindingTable("Rhino") { table in
        table.add("place") { scope, call in
            guard let file = try call[0].get("sourceURL").string, let line = try call[0].get("line").number else {
                return call.context.undefined
            }
            let column = try call[0].get("column").number
            let place = scope.adapter.script.original(
                ScriptLocation(file: file, line: Int(exactly: line) ?? 0, column: column.flatMap { Int(exactly: $0) }))
            let object = call.context.makeObject()
            try object.set("fileName", call.context.make(place.file))
            try object.set("lineNumber", call.context.make(Double(place.line)))
            return object
        }
    }

    private static let library = """
        (function (hooks, isAwayFromUTC) {
            "use strict";
            // Scripts may replace them.
            var define = Object.defineProperty, assign = Object.assign, construct = Reflect.construct;
            var apply = Reflect.apply, search = RegExp.prototype.exec, string = String, lower = string.prototype.toLowerCase;
            function add(owner, name, value) {
                define(owner, name, { __proto__: null, value: value, writable: true, configurable: true });
            }

            ["fileName", "lineNumber"].forEach(function (name) {
                define(Error.prototype, name, {
                    __proto__: null,
                    get: function () {
                        var place = hooks.place(this);
                        return place && place[name];
                    },
                    set: function (value) { add(this, name, value); }, configurable: true
                });
            });
            add(Error.prototype, "toJSON", function () {
                return assign({ message: this.message }, this);
            });

            add(String.prototype, "equals", function (other) { return string(this) === string(other); });
            add(String.prototype, "equalsIgnoreCase", function (other) {
                return apply(lower, string(this), []) === apply(lower, string(other), []);
            });

            if (!isAwayFromUTC) return;
            var Engine = Date, parse = Date.parse;
            var withoutZone = /^([+-]\\d\\d)?\\d{4}(-\\d\\d){0,2}T\\d\\d:\\d\\d(:\\d\\d(\\.\\d+)?)?$/;
            function zoned(text) { return apply(search, withoutZone, [text]) ? text + "Z" : text; }
            function made(given, target) {
                var isText = given.length === 1 && (typeof given[0] === "string" || given[0] instanceof string);
                return construct(Engine, isText ? [zoned(string(given[0]))] : given, target);
            }
            \(ScriptClock.replaceDate)
            add(Replacement, "parse", function (text) { return parse(zoned(string(text))); });
        })
        """
}

extension AdapterScript {
    /// Whether a script could tell that the library is there. It costs a scope 0.2 ms and 20 KB, mostly for the engine's own
    /// objects, which are made when they are changed; scripts without errors, dates and Java's methods need not pay.
    static func usesRhinoLibrary(_ source: String) -> Bool {
        let words = ["catch", "Error", "equals"] + (AdapterScope.isAwayFromUTC ? ["Date"] : [])
        return words.contains { source.contains($0) }
    }
}
