import Core
import JavaScriptEngine

/// The data behind a script object that has a short form for traces.
protocol TraceDescribing {
    var traceText: String { get }
}

/// Short forms of values, for traces.
enum TraceText {
    private static let longestValue = 50
    private static let longestList = 90

    /// Returns a binding's arguments. For `invokeHttp` only the method and the path; the rest is often long and sometimes secret.
    static func arguments(of title: String, _ call: HostCall, hides: Bool) -> String? {
        if title == "WL.Server.invokeHttp", call[0].isObject {
            let method = call[0].stored("method").value?.string ?? "get"
            let path = call[0].stored("path").value?.string ?? ""
            // A query may have the password in it.
            return cut("\(method) \(hides ? String(path.prefix { $0 != "?" }) : path)", longestList)
        }
        if title == "WL.Server.invokeProcedure" { return procedure(in: call[0]) }
        if let statement = statement(in: call[0]) {
            let parameters =
                hides ? nil : call[0].stored("parameters").value.flatMap { $0.isArray ? value($0) : nil }
            return cut(statement + (parameters.map { " \($0)" } ?? ""), longestList)
        }
        return hides ? nil : list(call.arguments)
    }

    /// Returns the values of a call.
    static func list(_ values: [ScriptValue]) -> String {
        cut(values.prefix(20).map(value).joined(separator: ", "), longestList)
    }

    /// Returns a binding's result.
    static func result(of title: String, _ value: ScriptValue, hides: Bool) -> String? {
        if title == "WL.Server.invokeHttp" {
            let status = count("statusCode", of: value).map { "\($0)" }
            if value.stored("isSuccessful", inherited: false).value?.bool == false {
                let errors = hides ? nil : try? value.stored("errors", inherited: false).value?.elements()
                return cut("\(status ?? "failed") \(errors.map { "[\(list($0))]" } ?? "")", longestList)
            }
            return status
        }
        if title.hasPrefix("WL.Server.invokeSQL") {
            if let set = value.stored("resultSet", inherited: false).value, let rows = count("length", of: set) {
                return rows == 1 ? "1 row" : "\(rows) rows"
            }
            if let update = value.stored("updateStatementResult", inherited: false).value,
                let changed = count("updateCount", of: update)
            {
                return "\(changed) changed"
            }
        }
        // The procedure's own line has it, unless it may be a secret.
        if title == "WL.Server.invokeProcedure" { return nil }
        // The argument already shows the statement.
        return hides || value.isUndefined || value.hostData is any TraceDescribing ? nil : self.value(value)
    }

    private static func statement(in options: ScriptValue) -> String? {
        guard options.isObject else { return nil }
        if let procedure = options.stored("procedure").value?.string, !options.has("adapter") { return procedure }
        return (options.stored("preparedStatement").value?.hostData as? any TraceDescribing)?.traceText
    }

    /// Returns the called procedure's name for `invokeProcedure`. Only that procedure knows whether its parameters may be a secret.
    private static func procedure(in options: ScriptValue) -> String {
        let names = ["adapter", "procedure"].map { options.stored($0).value?.string ?? "…" }
        return cut(names.joined(separator: "/"), longestList)
    }

    /// Returns a number that the object itself has.
    private static func count(_ key: String, of value: ScriptValue) -> Int? {
        value.stored(key, inherited: false).value?.number.flatMap { Int(exactly: $0.rounded()) }
    }

    /// Returns a value on one line. Only reads its beginning: values can be large, and there are many calls.
    static func value(_ value: ScriptValue) -> String {
        var rest = 12
        return cut(brief(value, depth: 3, &rest), longestValue)
    }

    private static func brief(_ value: ScriptValue, depth: Int, _ rest: inout Int) -> String {
        rest -= 1
        if let described = value.hostData as? any TraceDescribing { return described.traceText }
        if let text = value.string { return JSONValue.string(String(text.prefix(longestValue))).text }
        guard value.isObject else { return (try? value.text()) ?? "?" }
        if value.isFunction {
            let name = value.stored("name").value?.string ?? ""
            return name.isEmpty ? "function" : "function \(name)"
        }
        if value.isError { return summary(ofError: value) }
        if value.isDate { return (try? value.json()).flatMap { $0 } ?? "Date" }
        var parts: [String] = []
        if value.isArray {
            let count = count("length", of: value) ?? 0
            while parts.count < count, depth > 0, rest > 0 {
                parts.append(member("\(parts.count)", of: value, depth: depth, &rest))
            }
            if parts.count < count { parts.append("…") }
            return "[\(parts.joined(separator: ","))]"
        }
        let keys = value.keys
        for key in keys where depth > 0 && rest > 0 {
            parts.append("\(JSONValue.string(key).text):\(member(key, of: value, depth: depth, &rest))")
        }
        if parts.count < keys.count { parts.append("…") }
        return "{\(parts.joined(separator: ","))}"
    }

    private static func member(_ key: String, of value: ScriptValue, depth: Int, _ rest: inout Int) -> String {
        switch value.stored(key) {
        case .value(let value): return brief(value, depth: depth - 1, &rest)
        case .absent: return "undefined"
        case .accessor:
            rest -= 1
            return "[Getter]"
        }
    }

    private static func summary(ofError value: ScriptValue) -> String {
        let name = value.stored("name").value?.string ?? "Error"
        let message = value.stored("message").value?.string ?? ""
        return ScriptError(name: name, message: message, location: nil, stack: nil).summary
    }

    static func cut(_ text: String, _ length: Int) -> String {
        let line = text.split(whereSeparator: \.isNewline).joined(separator: " ")
        return line.count <= length ? line : "\(line.prefix(length - 1))…"
    }
}

extension TraceText {
    /// Returns an exception with position and stack. If its message may have a secret in it, only with name and position.
    static func exception(_ error: any Error, hides: Bool, limitOrigin: LimitOrigin) -> String {
        if let exceeded = error as? LimitExceededError { return exceeded.advised(limitOrigin) }
        guard hides else { return "\(error)" }
        guard let exception = error as? ScriptError else { return "Error" }
        return hidden(exception, at: exception.location.map(String.init(describing:)))
    }

    /// Returns the exception that a binding threw, with the position of its call.
    static func bindingException(_ error: any Error, stack: String?, hides: Bool) -> String {
        if hides {
            let place = stack.flatMap { ScriptError.places(in: $0).first?.description }
            return hidden(error as? ScriptError, at: place)
        }
        let name = error is ScriptError ? "" : "Error: "
        return "\(name)\(error)" + (stack.map { "\n" + $0.indented } ?? "")
    }

    private static func hidden(_ exception: ScriptError?, at place: String?) -> String {
        // The language's own errors have one word as name; a script can use any name.
        let name = exception.map { $0.name.map { cut($0.firstLine, 50) } ?? "a value that is not an Error" } ?? "Error"
        return name + (place.map { " (\($0))" } ?? "")
    }
}

extension String {
    /// The part before the first line break.
    var firstLine: String { String(prefix { !$0.isNewline }) }
}
