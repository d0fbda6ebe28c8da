import Core
import JavaScriptEngine
import Logging

/// `console`, which Worklight lacked and authors expect: it writes to the adapter's log, as `WL.Logger` does.
///
/// Timers and counters belong to the scope, as variables do. The indentation of groups ends with the call that began them.
extension AdapterScope {
    static func declareConsole(in table: inout BindingTable.Declarations) {
        let levels: [(String, Logger.Level)] = [
            ("debug", .debug), ("info", .info), ("warn", .warning), ("error", .error), ("log", .info),
        ]
        for (name, level) in levels {
            table.add(name) { scope, call in
                try scope.print(level) { try scope.consoleText(call.arguments) }
                return call.context.undefined
            }
        }
        table.add("trace") { scope, call in
            try scope.print(.info) {
                let text = try scope.consoleText(call.arguments)
                let stack = call.context.stack().map { "\n" + scope.original(stack: $0).indented } ?? ""
                return (text.isEmpty ? "Trace" : "Trace: \(text)") + stack
            }
            return call.context.undefined
        }
        table.add("assert") { scope, call in
            guard call.arguments.isEmpty || !call[0].isTruthy else { return call.context.undefined }
            try scope.print(.error) {
                let text = try scope.consoleText(Array(call.arguments.dropFirst()))
                return text.isEmpty ? "Assertion failed" : "Assertion failed: \(text)"
            }
            return call.context.undefined
        }
        for name in ["dir", "dirxml"] {
            table.add(name) { scope, call in
                try scope.print(.info) { try scope.line(call[0]) }
                return call.context.undefined
            }
        }
        table.add("table") { scope, call in
            try scope.print(.info) { try ScriptConsoleTable(call[0])?.text ?? scope.line(call[0]) }
            return call.context.undefined
        }
        declareTimers(in: &table)
        declareGroups(in: &table)
    }

    private static func declareTimers(in table: inout BindingTable.Declarations) {
        table.add("time") { scope, call in
            let label = try scope.label(call)
            if !scope.console.start(label, at: scope.adapter.services.time.uptime) {
                scope.print(.warning) { "the timer '\(label)' runs already" }
            }
            return call.context.undefined
        }
        for (name, ends) in [("timeLog", false), ("timeEnd", true)] {
            table.add(name) { scope, call in
                let label = try scope.label(call)
                guard let start = scope.console.timers[label] else {
                    scope.print(.warning) { "there is no timer '\(label)'; console.time('\(label)') starts it" }
                    return call.context.undefined
                }
                let time = (scope.adapter.services.time.uptime - start) / .milliseconds(1)
                let rest = Array(call.arguments.dropFirst())
                try scope.print(.info) {
                    let text = rest.isEmpty ? "" : " " + (try scope.logText(rest))
                    return "\(label): \((time * 1000).rounded() / 1000) ms\(text)".replacing(
                        ".0 ms", with: " ms", maxReplacements: 1)
                }
                if ends { scope.console.timers[label] = nil }
                return call.context.undefined
            }
        }
        table.add("count") { scope, call in
            let label = try scope.label(call)
            let count = scope.console.count(label)
            scope.print(.info) { "\(label): \(count)" }
            return call.context.undefined
        }
        table.add("countReset") { scope, call in
            scope.console.counters[try scope.label(call)] = nil
            return call.context.undefined
        }
    }

    private static func declareGroups(in table: inout BindingTable.Declarations) {
        for name in ["group", "groupCollapsed"] {
            table.add(name) { scope, call in
                if !call.arguments.isEmpty { try scope.print(.info) { try scope.consoleText(call.arguments) } }
                scope.table.call.consoleDepth += 1
                return call.context.undefined
            }
        }
        table.add("groupEnd") { scope, call in
            scope.table.call.consoleDepth = max(0, scope.table.call.consoleDepth - 1)
            return call.context.undefined
        }
    }

    private func label(_ call: HostCall) throws -> String {
        call[0].isUndefined ? "default" : String(try call[0].text().prefix(200))
    }

    /// Writes what a console would print, indented by the groups around.
    private func print(_ level: Logger.Level, _ text: () throws -> String) rethrows {
        try write(level) {
            let blanks = String(repeating: "  ", count: min(table.call.consoleDepth, 20))
            let text = try text()
            return blanks.isEmpty ? text : blanks + text.replacing("\n", with: "\n" + blanks)
        }
    }

    /// Returns the line that `console.log(…)` prints: `%s %d %i %f %j %o %O %c %%` in the first string take the following values; the
    /// remaining values are appended.
    func consoleText(_ values: [ScriptValue]) throws -> String {
        guard let format = values.first?.string, values.count > 1, format.contains("%") else {
            return try logText(values)
        }
        var rest = values.dropFirst()
        var text = ""
        var characters = format[...]
        while let character = characters.popFirst() {
            guard character == "%", let kind = characters.first else {
                text.append(character)
                continue
            }
            if kind == "%" {
                text.append("%")
            } else if !"sdifjoOc".contains(kind) || rest.isEmpty {
                text.append("%")
                continue
            } else if let value = rest.popFirst() {
                text += try directive(kind, value)
            }
            characters.removeFirst()
        }
        return rest.isEmpty ? text : text + " " + (try logText(Array(rest)))
    }

    private func directive(_ kind: Character, _ value: ScriptValue) throws -> String {
        switch kind {
        case "c": return ""
        case "j", "o", "O":
            if value.isError { return try line(value) }
            if let json = try? value.json() { return json }
            return try value.text()
        case "d", "i", "f":
            let number = value.isObject ? .nan : try value.number ?? Double(value.text()) ?? .nan
            guard number.isFinite else { return "NaN" }
            return try context.make(kind == "i" ? number.rounded(.towardZero) : number).text()
        default: return try line(value)
        }
    }
}

/// The state of a scope's console.
struct ConsoleState {
    private static let mostLabels = 1000

    var timers: [String: Duration] = [:]
    var counters: [String: Int] = [:]

    var isEmpty: Bool { timers.isEmpty && counters.isEmpty }

    /// - Returns: whether there was none of that name.
    mutating func start(_ label: String, at time: Duration) -> Bool {
        guard timers[label] == nil else { return false }
        if timers.count < Self.mostLabels { timers[label] = time }
        return true
    }

    mutating func count(_ label: String) -> Int {
        guard counters.count < Self.mostLabels || counters[label] != nil else { return 1 }
        counters[label, default: 0] += 1
        return counters[label] ?? 1
    }
}

extension ScriptValue {
    /// True if `if (value)` would take its branch.
    fileprivate var isTruthy: Bool {
        if let bool { return bool }
        if let number { return number != 0 && !number.isNaN }
        if let string { return !string.isEmpty }
        return !isNullOrUndefined
    }
}
