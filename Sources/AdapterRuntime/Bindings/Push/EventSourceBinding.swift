import Core
import JavaScriptEngine
import Logging
import PushModel
import WorklightProject

/// `WL.Server.createEventSource` (server-api 2.7).
extension AdapterScope {
    /// The shortest wait between two polls that is taken for an intention, in seconds.
    private static let shortestInterval = 0.01
    /// Ten years, in seconds.
    private static let longestInterval = 315_360_000.0

    static func declareEventSources(in table: inout BindingTable.Declarations) {
        table.add("createEventSource") { scope, call in
            try scope.createEventSource(call[0])
            return call.context.undefined
        }
    }

    private func createEventSource(_ options: ScriptValue) throws {
        guard isLoading else {
            throw HostError("createEventSource: call it at the top level of the script, outside every function")
        }
        guard options.isObject else {
            throw HostError("createEventSource: expected an object with 'name' and more, got \(options.kind)")
        }
        guard let name = try options.get("name").string, !name.isEmpty else {
            throw HostError(
                "createEventSource: 'name' must be a string that is not empty, got \(try options.get("name").kind)")
        }
        var targets: [EventSourceCallback: EventSource.Target] = [:]
        for callback in EventSourceCallback.allCases where callback != .onPoll {
            targets[callback] = try target(options, callback, of: name)
        }
        var interval: Double?
        let poll = try options.get("poll")
        if !poll.isNullOrUndefined {
            guard poll.isObject else {
                throw HostError(
                    "createEventSource '\(name)': 'poll' must be an object with 'interval' and 'onPoll', got \(poll.kind)"
                )
            }
            interval = try self.interval(poll, of: name)
            guard let target = try target(poll, .onPoll, of: name) else {
                throw HostError("createEventSource '\(name)': 'poll.onPoll' must be a function or a function's name")
            }
            targets[.onPoll] = target
        }
        warnAboutUnknown(options, of: name)
        try declare(
            EventSource(
                declaration: EventSourceDeclaration(
                    id: EventSourceID(adapter: self.name, name: name), pollInterval: interval,
                    securityTest: try options.get("securityTest").string),
                targets: targets))
    }

    private func interval(_ poll: ScriptValue, of name: String) throws -> Double {
        let value = try poll.get("interval")
        guard let interval = value.number, interval.isFinite else {
            throw HostError(
                "createEventSource '\(name)': 'poll.interval' must be a number of seconds, got \(value.kind)")
        }
        guard interval >= Self.shortestInterval, interval <= Self.longestInterval else {
            throw HostError(
                "createEventSource '\(name)': 'poll.interval' is \(JSONValue.number(interval).text) s; expected a positive "
                    + "number of seconds from \(Self.shortestInterval) to ten years")
        }
        return interval
    }

    private func target(
        _ options: ScriptValue, _ callback: EventSourceCallback, of name: String
    ) throws -> EventSource.Target? {
        let value = try options.get(callback.rawValue)
        if value.isNullOrUndefined { return nil }
        if value.isFunction { return .function(value) }
        if let function = value.string { return function.isEmpty ? nil : .name(function) }
        throw HostError(
            "createEventSource '\(name)': '\(callback.rawValue)' must be a function or a function's name, got \(value.kind)"
        )
    }

    private func warnAboutUnknown(_ options: ScriptValue, of name: String) {
        let known = Set(EventSourceCallback.allCases.map(\.rawValue) + ["name", "poll", "securityTest"])
        for key in options.keys where !known.contains(key) {
            adapter.log.warnOnce(
                "option \(name).\(key)", to: logger,
                atCall(
                    "createEventSource '\(name)': the option '\(key)' is not known and does nothing"
                        + Suggestion.hint(for: key, among: known)))
        }
    }
}

extension ScriptValue {
    /// The kind of the value, for messages to the script's author.
    var kind: String {
        if isUndefined { return "undefined" }
        if isNull { return "null" }
        if isFunction { return "a function" }
        if isArray { return "an array" }
        if isObject { return "an object" }
        if let string { return "the string '\(string.prefix(40))'" }
        if let number { return "the number \(JSONValue.number(number).text)" }
        if let bool { return "\(bool)" }
        return "a value of another kind"
    }
}
