import Foundation
import JavaScriptEngine

/// The features of Rhino's built-in objects that the engine's objects lack (docs/rhino.md).
///
/// - An error's `message` was an ordinary member, so JSON included it; `fileName` and `lineNumber` held the position at which the error
///   was made.
/// - Strings had Java's `equals` and `equalsIgnoreCase`.
/// - A date and time without a zone, as `2014-09-03T10:00:00`, was UTC. The engine takes it for the machine's time.
/// - A date's string ended with the zone's abbreviation, and the offset of UTC was `-0000`: `… 10:00:00 GMT-0000 (UTC)`.
extension ScriptRealm {
    func installRhinoLibrary() throws {
        let install = try context.evaluate(RuntimeScripts.rhinoLibrary, file: "lamplighter:library")
        _ = try install.call([Self.hooks.makeObject(in: self, isShared: false), ScriptClock.replaceDate(in: context)])
    }

    private static let hooks = BindingTable("Rhino") { table in
        table.add("place") { scope, call in
            guard let file = try call[0].get("sourceURL").string, let line = try call[0].get("line").number else {
                return call.context.undefined
            }
            let column = try call[0].get("column").number
            let place = scope.script.original(
                ScriptLocation(file: file, line: Int(exactly: line) ?? 0, column: column.flatMap { Int(exactly: $0) }))
            let object = call.context.makeObject()
            try object.set("fileName", call.context.make(place.file))
            try object.set("lineNumber", call.context.make(Double(place.line)))
            return object
        }
        table.add("zone") { _, call in
            var seconds = time_t(((call[0].number ?? 0) / 1000).rounded(.down))
            var parts = tm()
            guard localtime_r(&seconds, &parts) != nil, let zone = parts.tm_zone else {
                return call.context.make("UTC")
            }
            return call.context.make(String(cString: zone))
        }
    }
}
