import JavaScriptEngine
import PushModel

/// Something behind an object of the scripts' that has a short text for traces.
protocol TraceDescribing {
    var traceText: String { get }
}

/// Short texts of values, for traces.
enum TraceText {
    private static let longestValue = 50
    private static let longestList = 90

    /// What a binding was given. Of `invokeHttp` the method and the path; the rest is often long and sometimes secret.
    static func arguments(of title: String, _ call: HostCall, hides: Bool) -> String? {
        if title == "WL.Server.invokeHttp", call[0].isObject {
            let method = (try? call[0].get("method").string) ?? "get"
            let path = (try? call[0].get("path").string) ?? ""
            // A query may have the password in it.
            return cut("\(method) \(hides ? String(path.prefix { $0 != "?" }) : path)", longestList)
        }
        if let statement = statement(in: call[0]) {
            let parameters = hides ? nil : (try? call[0].get("parameters")).flatMap { $0.isArray ? value($0) : nil }
            return cut(statement + (parameters.map { " \($0)" } ?? ""), longestList)
        }
        return hides ? nil : list(call.arguments)
    }

    /// The values of a call.
    static func list(_ values: [ScriptValue]) -> String {
        cut(values.prefix(20).map(value).joined(separator: ", "), longestList)
    }

    /// What a binding gave.
    static func result(of title: String, _ value: ScriptValue, hides: Bool) -> String? {
        if title == "WL.Server.invokeHttp" {
            let status = (try? value.get("statusCode").number).flatMap { $0 }.map { "\(Int($0))" }
            if (try? value.get("isSuccessful").bool) == false {
                let errors = hides ? "" : (try? value.get("errors").json()).flatMap { $0 } ?? ""
                return cut("\(status ?? "failed") \(errors)", longestList)
            }
            return status
        }
        if title.hasPrefix("WL.Server.invokeSQL"), let rows = try? value.get("resultSet").get("length").number {
            return rows == 1 ? "1 row" : "\(Int(rows)) rows"
        }
        if title.hasPrefix("WL.Server.invokeSQL"),
            let count = try? value.get("updateStatementResult").get("updateCount").number
        {
            return "\(Int(count)) changed"
        }
        // What a statement is, its argument says.
        return hides || value.isUndefined || value.hostData is any TraceDescribing ? nil : self.value(value)
    }

    private static func statement(in options: ScriptValue) -> String? {
        guard options.isObject else { return nil }
        if let procedure = try? options.get("procedure").string, !options.has("adapter") { return procedure }
        return ((try? options.get("preparedStatement"))?.hostData as? any TraceDescribing)?.traceText
    }

    /// A value on one line. Only the beginning is looked at: values can be large, and there are many calls.
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
            let name = (try? value.get("name").string).flatMap { $0 } ?? ""
            return name.isEmpty ? "function" : "function \(name)"
        }
        if value.isError { return value.asThrown.summary }
        if value.isDate { return (try? value.json()).flatMap { $0 } ?? "Date" }
        var parts: [String] = []
        if value.isArray {
            let count = (try? value.get("length").number).flatMap { $0 } ?? 0
            while Double(parts.count) < count, depth > 0, rest > 0 {
                parts.append((try? brief(value.element(at: parts.count), depth: depth - 1, &rest)) ?? "?")
            }
            if Double(parts.count) < count { parts.append("…") }
            return "[\(parts.joined(separator: ","))]"
        }
        let keys = value.keys
        for key in keys where depth > 0 && rest > 0 {
            parts.append(
                "\(JSONValue.string(key).text):\((try? brief(value.get(key), depth: depth - 1, &rest)) ?? "?")")
        }
        if parts.count < keys.count { parts.append("…") }
        return "{\(parts.joined(separator: ","))}"
    }

    static func cut(_ text: String, _ length: Int) -> String {
        let line = text.split(whereSeparator: \.isNewline).joined(separator: " ")
        return line.count <= length ? line : "\(line.prefix(length - 1))…"
    }
}
