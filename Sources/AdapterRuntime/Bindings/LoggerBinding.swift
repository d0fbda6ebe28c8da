import JavaScriptEngine
import Logging

/// `WL.Logger`: an adapter's lines in the server's log (server-api 2.1).
extension AdapterScope {
    /// Longer lines are cut: one adapter must not drown the log.
    private static let longestLine = 16_384

    func installLogger(in object: ScriptValue) throws {
        let levels: [(String, Logger.Level)] = [
            ("debug", .debug), ("info", .info), ("warn", .warning), ("error", .error), ("log", .info),
        ]
        for (name, level) in levels {
            try add(name, to: object) { scope, call in
                if scope.logger.logLevel <= level {
                    let line = try scope.line(call[0])
                    scope.logger.log(level: level, "\(line)")
                }
                return call.context.undefined
            }
        }
        // Not Worklight's: the engine's own console goes nowhere, and a script that uses it means this.
        let console = context.makeObject()
        for name in ["debug", "info", "warn", "error", "log"] {
            try console.set(name, try object.get(name))
        }
        try context.global.set("console", console)
    }

    /// The documents say text, real adapters pass objects as well: those are written as JSON.
    func line(_ value: ScriptValue) throws -> String {
        var line: String
        if value.isObject, !value.isFunction, let json = try? value.json() {
            line = json
        } else {
            line = try value.text()
        }
        if line.utf8.count > Self.longestLine {
            line = line.prefix(Self.longestLine) + "… (\(line.count) characters)"
        }
        return line
    }
}
