import AdapterSyntax
import Foundation
import JavaScriptEngine
import PushModel

/// What a scope has besides when tests run it: counters in its script, and a clock that they move.
extension AdapterScope {
    /// Makes the array that the script's counters are in.
    func makeCounters() throws -> ScriptCounters? {
        guard let points = adapter.script.coverage, adapter.services.coverage != nil else { return nil }
        let counters = try ScriptCounters(points.counterCount, in: context)
        try context.global.set(Instrumented.counters, counters.array, [.hidden, .readOnly, .permanent])
        return counters
    }

    /// Tells what was run since it was last told.
    func tellCoverage(_ counters: ScriptCounters) {
        guard let points = adapter.script.coverage, let counts = try? counters.take() else { return }
        adapter.services.coverage?.add(counts, of: adapter.script.file, points)
    }

    /// Has the script's `Date` follow the runtime's clock.
    func moveClock() throws {
        let now = try makeFunction("now") { scope, call in
            call.context.make((scope.adapter.services.time.now.timeIntervalSince1970 * 1000).rounded(.down))
        }
        _ = try context.evaluate(Self.clock, file: "lamplighter:clock").call([now])
    }

    /// The class is the engine's own, so that `instanceof` and everything else holds; only what reads the clock is not.
    private static let clock = """
        (function (now) {
            var Engine = Date;
            Engine.now = now;
            Date = new Proxy(Engine, {
                construct: function (target, given, made) {
                    return Reflect.construct(target, given.length ? given : [now()], made);
                },
                apply: function () { return new Engine(now()).toString(); }
            });
            Engine.prototype.constructor = Date;
        })
        """
}
