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
                try scope.write(level) { try scope.logText(call.arguments.isEmpty ? [call[0]] : call.arguments) }
                return call.context.undefined
            }
        }
    }

    /// Adds a warning to the result's `warnings` and to the log; each message once a call.
    func warn(_ warning: String) {
        if table.call.warn(warning) { logger.warning("\(atCall(table.call.hidingCredentials(in: warning)))") }
    }

    /// Writes a line, if the log takes lines of that level.
    func write(_ level: Logger.Level, _ line: () throws -> String) rethrows {
        if table.call.printed != nil {
            guard table.call.printed?.takesOneMore() == true else { return }
        } else {
            guard logger.logLevel <= level else { return }
        }
        var line = table.call.hidingCredentials(in: try line())
        if line.utf8.count > Self.longestLine {
            line = line.prefix(Self.longestLine) + "… (\(line.count) characters)"
        }
        if table.call.printed != nil {
            table.call.printed?.append(line)
        } else {
            logger.log(level: level, "\(line)")
        }
    }

    /// Returns the values one after the other. The documents have one; scripts may pass more, as to a console.
    func logText(_ values: [ScriptValue]) throws -> String {
        guard values.count != 1 else { return try line(values[0]) }
        return try values.map(line).joined(separator: " ")
    }

    /// Returns a value as a line of the log. The documents say string, but real adapters pass objects as well: those become JSON. An Error,
    /// whose JSON is empty, becomes its message and its stack.
    func line(_ value: ScriptValue) throws -> String {
        if value.isError {
            let exception = original(value.asThrown)
            return exception.summary + (exception.stack.map { "\n" + $0.indented } ?? "")
        }
        if value.isObject, !value.isFunction, let json = try? value.json() { return json }
        return try value.text()
    }
}
