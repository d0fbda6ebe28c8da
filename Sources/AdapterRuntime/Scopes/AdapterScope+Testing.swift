import AdapterSyntax
import Core
import Foundation
package import JavaScriptEngine

/// What a scope has besides when tests run it: counters in its script, and a clock that they move.
extension AdapterScope {
    /// Makes the array that the script's counters are in.
    func makeCounters() throws -> ScriptCounters? {
        guard let points = adapter.script.coverage, adapter.services.coverage != nil else { return nil }
        let counters = try ScriptCounters(points.counterCount, in: context)
        try context.global.set(Instrumented.counters, counters.array, [.hidden, .readOnly, .permanent])
        return counters
    }

    /// Reports the code that was run since the last report.
    func tellCoverage(_ counters: ScriptCounters) {
        guard let points = adapter.script.coverage, let counts = try? counters.take() else { return }
        adapter.services.coverage?.add(counts, of: adapter.script.file, points)
    }

    /// Has the script's `Date` follow the runtime's clock.
    func moveClock() throws {
        let now = try makeFunction("now") { scope, call in
            call.context.make((scope.adapter.services.time.now.timeIntervalSince1970 * 1000).rounded(.down))
        }
        try ScriptClock.install(now, in: context)
    }
}

/// A clock of its own for a script's `Date`.
package enum ScriptClock {
    /// Has the scope's `Date` ask a function for the time, in milliseconds since 1970.
    ///
    /// - Throws: `ScriptException` when the engine has no memory for it.
    package static func install(_ now: ScriptValue, in context: ScriptContext) throws {
        _ = try context.evaluate(source, file: "lamplighter:clock").call([now])
    }

    private static let source = """
        (function (now) {
            // Scripts may replace it.
            var Engine = Date, construct = Reflect.construct;
            function made(given, target) { return construct(Engine, given.length ? given : [now()], target); }
            \(replaceDate)
            Object.defineProperty(Replacement, "now", { __proto__: null, value: now, writable: true, configurable: true });
        })
        """

    /// Replaces the global `Date` by a function `Replacement`, which makes dates by `made(arguments, target)`. They have the engine's class,
    /// so that `instanceof` and everything else holds. No Proxy: the scope could not be compared with its image.
    static let replaceDate = """
        var Replacement = function Date() {
            return new.target ? made(arguments, new.target) : made([], Engine).toString();
        };
        Object.getOwnPropertyNames(Engine).forEach(function (name) {
            Object.defineProperty(Replacement, name, Object.getOwnPropertyDescriptor(Engine, name));
        });
        Engine.prototype.constructor = Replacement;
        Date = Replacement; // the global
        """
}
