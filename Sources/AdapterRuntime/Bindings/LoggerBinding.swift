import JavaScriptEngine
import Logging

/// `WL.Logger`: an adapter's lines in the server's log (server-api 2.1).
extension AdapterScope {
    /// Longer lines are cut: one adapter must not drown the log.
    private static let longestLine = 16_384

    static func declareLogger(in table: inout BindingTable.Declarations) {
        let levels: [(String, Logger.Level)] = [
            ("debug", .debug), ("info", .info), ("warn", .warning), ("error", .error), ("log", .info),
        ]
        for (name, level) in levels {
            table.add(name) { scope, call in
                if scope.logger.logLevel <= level {
                    let line = try scope.line(call[0])
                    scope.logger.log(level: level, "\(line)")
                }
                return call.context.undefined
            }
        }
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
