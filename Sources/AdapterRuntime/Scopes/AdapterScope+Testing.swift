import AdapterSyntax
import Core
import Foundation
package import JavaScriptEngine

/// The additions to a scope when tests run it: counters in its script, and a clock that they move.
extension AdapterScope {
    /// Makes the array that the script's counters are in.
    func makeCounters() throws -> ScriptCounters? {
        guard let points = adapter.script.coverage, adapter.services.coverage != nil else { return nil }
        return try ScriptCounters(points.counterCount, in: context)
    }

    /// Reports the code that was run since the last report.
    func reportCoverage(_ counters: ScriptCounters) {
        guard let points = adapter.script.coverage, let counts = try? counters.take() else { return }
        adapter.services.coverage?.add(counts, of: adapter.script.file, points)
    }
}

extension ScriptRealm {
    /// Has the script's `Date` follow the runtime's clock.
    func moveClock() throws {
        let now = try makeFunction("now") { scope, call in
            call.context.make((scope.adapter.services.time.now.timeIntervalSince1970 * 1000).rounded(.down))
        }
        try ScriptClock.install(now, in: context)
    }
}

/// A separate clock for a script's `Date`.
package enum ScriptClock {
    /// Has the scope's `Date` ask a function for the time, in milliseconds since 1970.
    ///
    /// - Throws: `ScriptError` when the engine has no memory for it.
    package static func install(_ now: ScriptValue, in context: ScriptContext) throws {
        let install = try context.evaluate(RuntimeScripts.scriptClock, file: "lamplighter:clock")
        _ = try install.call([now, replaceDate(in: context)])
    }

    /// Returns the function that replaces the scope's `Date`.
    ///
    /// - Throws: `ScriptError` when the engine has no memory for it.
    static func replaceDate(in context: ScriptContext) throws -> ScriptValue {
        try context.evaluate(RuntimeScripts.replaceDate, file: "lamplighter:date")
    }
}
