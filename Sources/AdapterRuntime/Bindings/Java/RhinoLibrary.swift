import Foundation
import JavaScriptEngine

/// The features of Rhino's built-in objects that the engine's objects lack (docs/rhino.md).
///
/// - An error's `message` was an ordinary member, so JSON included it; `fileName` and `lineNumber` held the position at which the error
///   was made.
/// - Strings had Java's `equals` and `equalsIgnoreCase`.
/// - A date and time without a zone, as `2014-09-03T10:00:00`, was UTC. The engine takes it for the machine's time.
extension AdapterScope {
    /// Does nothing the second time.
    func installRhinoLibrary() throws {
        guard !hasRhinoLibrary else { return }
        hasRhinoLibrary = true
        let install = try context.evaluate(RuntimeScripts.rhinoLibrary, file: "lamplighter:library")
        let replaceDate = try Self.isAwayFromUTC ? ScriptClock.replaceDate(in: context) : context.undefined
        _ = try install.call([Self.hooks.makeObject(in: self), replaceDate])
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
}

extension AdapterScript {
    /// Returns whether a script could notice the library. The library costs a scope 0.2 ms and 20 KB, mostly for the engine's own
    /// objects, which are made when they are changed; scripts without errors, dates and Java's methods need not pay.
    static func usesRhinoLibrary(_ source: String) -> Bool {
        let words = ["catch", "Error", "equals"] + (AdapterScope.isAwayFromUTC ? ["Date"] : [])
        return words.contains { source.contains($0) }
    }
}
