import AdapterSyntax
import Core
import JavaScriptEngine
import Logging
import PushModel
import WorklightProject

/// Calls into the script: procedures, polls, event-source callbacks.
extension AdapterScope {
    /// Calls a procedure and returns its result. Errors of the script are in the result and in the log, with the codes of
    /// the original (server-api 4).
    func invoke(_ procedure: LoadedProcedure, parameters: String) -> ProcedureResult {
        table.call.running(self) { frame in
            frame.mayHavePassword = frame.mayHavePassword || hidesParameters(of: procedure)
            frame.userRealm = procedure.userRealm ?? frame.userRealm
            frame.connectAs = procedure.descriptor.connectAs
        } _: {
            result(of: procedure, parameters: parameters)
        }
    }

    private func result(of procedure: LoadedProcedure, parameters: String) -> ProcedureResult {
        let isAudited = procedure.descriptor.isAudited
        let users = isAudited ? table.call.realms.compactMap { table.call.identity(in: $0)?.userID } : []
        let earlierWarnings = table.call.warnings.count
        func execute() throws -> String? {
            try call(procedure.label, limits: procedure.limits) {
                do {
                    do {
                        return try call(procedure, jsonArguments: parameters)
                    } catch let error as JSONCallError {
                        return try callAgain(procedure, parameters: parameters, after: error)
                    }
                } catch let error as JSONResultError {
                    throw withPlace(error.exception, ofResultOf: procedure)
                }
            }
        }
        var result: ProcedureResult
        do {
            let returned =
                if let tracer {
                    try trace(procedure, parameters: parameters, tracer, execute)
                } else {
                    try execute()
                }
            result = ProcedureResult(returned: returned)
            result.headers = table.call.responseHeaders
        } catch {
            result = failure(of: procedure, parameters: parameters, error)
        }
        // The credentials that the call has set are known now, and are hidden.
        if isAudited { audit(procedure, parameters, by: users) }
        if table.call.warnings.count > earlierWarnings {
            result.add(warnings: table.call.warnings.dropFirst(earlierWarnings))
        }
        return result
    }

    private func call(_ procedure: LoadedProcedure, jsonArguments: String) throws -> String? {
        if let twin = try twin(of: procedure.name) {
            return try context.json(ofResult: run(context.call(twin, withJSON: jsonArguments)))
        }
        guard variables != nil else { return try context.call(procedure.name, jsonArguments: jsonArguments) }
        guard let function = try function(named: procedure.name) else { throw JSONCallError.noSuchFunction }
        return try context.call(function, jsonArguments: jsonArguments)
    }

    /// Returns the twin of a function of the script; `nil` if it has none.
    private func twin(of name: String) throws -> ScriptValue? {
        guard hasTwins, let variables, adapter.script.twinned?.names.contains(name) == true else { return nil }
        return try variables.get(TwinnedScript.twin(of: name))
    }

    /// Runs a twin to its end.
    ///
    /// - Returns: its result.
    private func run(_ twin: ScriptValue) throws -> ScriptValue {
        guard let next = realm.next else { return context.undefined }
        var value = context.undefined
        while true {
            let step = try next.call([value], this: twin)
            value = try step.get("value")
            if try step.get("done").bool == true { return value }
            guard let wait = table.call.wait else { continue }
            table.call.wait = nil
            table.call.secondPart = Result(catching: wait.onThread)
        }
    }

    /// Logs why a procedure failed, and makes a result of it.
    private func failure(
        of procedure: LoadedProcedure, parameters: String, _ error: any Error
    ) -> ProcedureResult {
        let reference = adapter.settings.failureReference
        log(error, procedure: procedure, parameters: parameters, reference)
        var result = ProcedureResult.failure(["Runtime: \(clientMessage(for: error, reference))"])
        result.trouble = text(of: error).shortened
        result.errorName = (error as? ScriptError)?.name
        if error is LimitExceededError { result.outcome = .limit }
        return result
    }

    /// Logs a call of a procedure with `audit="true"`: the caller, the procedure and the parameters.
    private func audit(_ procedure: LoadedProcedure, _ parameters: String, by users: [String]) {
        let session = table.call.caller.session
        logger.info(
            """
            audit: \(name)/\(procedure.name) was called \
            by \(users.isEmpty ? "nobody who is logged in" : users.joined(separator: ", "))\
            \(session.map { " in session \($0.id)" } ?? "") with \(shown(parameters, of: procedure))
            """)
    }

    /// Calls a procedure whose arguments are spelled in another way, or which `const` or `let` declares, outside of the global
    /// object.
    private func callAgain(
        _ procedure: LoadedProcedure, parameters: String, after error: JSONCallError
    ) throws -> String? {
        switch error {
        case .argumentsAreNoArray:
            return try call(procedure, jsonArguments: try ParameterList.mended(parameters))
        case .noSuchFunction:
            guard let function = try function(named: procedure.name) else {
                if let origin = adapter.realmFunctions[procedure.name], procedure.descriptor.line == 0 {
                    throw HostError(
                        "\(origin), but \(adapter.descriptor.scriptPath) has no function of that name"
                            + Suggestion.hint(for: procedure.name, among: adapter.script.functionNames))
                }
                throw HostError(
                    "procedure '\(procedure.name)' is declared in \(adapter.descriptor.path):\(procedure.descriptor.line), but "
                        + "\(adapter.descriptor.scriptPath) has no function of that name")
            }
            return try context.call(function, jsonArguments: try ParameterList.mended(parameters))
        }
    }

    /// Runs a source's poll once.
    ///
    /// - Returns: the function's result as JSON when the call is traced, with credentials hidden; `nil` for `undefined`, for a result that
    ///   cannot be written as JSON, and when the call is not traced.
    /// - Throws: ``PollError``.
    func poll(_ sourceName: String) throws(PollError) -> String? {
        guard let source = eventSources[sourceName] else {
            throw PollError(description: "\(name) no longer declares the event source '\(sourceName)'")
        }
        do {
            let result = try tracedCallback("\(sourceName).onPoll", result: { $0.map { TraceText.cut($0, 80) } }) {
                try call("\(sourceName).onPoll", limits: adapter.settings.polls) { () -> String? in
                    guard let function = try function(for: .onPoll, of: source) else {
                        throw HostError(missingPollFunction(of: source))
                    }
                    let value = try call(function, of: source.targets[.onPoll])
                    guard tracer != nil else { return nil }
                    return try? value.json()
                }
            }
            return result.map { table.call.hidingCredentials(inJSON: $0) }
        } catch {
            throw PollError(description: text(of: error), errorName: (error as? ScriptError)?.name)
        }
    }

    /// Calls the function that an event source names, or its twin.
    private func call(_ function: ScriptValue, of target: EventSource.Target?) throws -> ScriptValue {
        guard let name = try name(of: function, target), let twin = try twin(of: name) else {
            return try function.call()
        }
        return try run(twin.call())
    }

    /// Returns the name of a function at the top level; `nil` for another function.
    private func name(of function: ScriptValue, _ target: EventSource.Target?) throws -> String? {
        if case .name(let name)? = target { return name }
        guard hasTwins, let name = try function.get("name").string else { return nil }
        return try variables?.get(name).isIdentical(to: function) == true ? name : nil
    }

    private func missingPollFunction(of source: EventSource) -> String {
        let name = if case .name(let name)? = source.targets[.onPoll] { name } else { "" }
        let place =
            adapter.script.line(ofEventSource: source.declaration.id.name).map { "\(adapter.script.file):\($0): " }
            ?? ""
        return place + "event source '\(source.declaration.id.name)': onPoll names '\(name)', but "
            + "\(adapter.descriptor.scriptPath) has no function of that name"
            + Suggestion.hint(for: name, among: adapter.script.functionNames)
    }

    /// Runs a callback of an event source, if its function exists. Errors that it throws are only logged: its subscription
    /// remains.
    ///
    /// - Returns: what it returned, as JSON; `nil` when there is no such function or it failed.
    @discardableResult
    func run(
        _ callback: EventSourceCallback, of sourceName: String, arguments: () throws -> [ScriptValue]
    ) -> CallbackOutcome {
        guard let source = eventSources[sourceName] else { return .absent }
        let label = CallLabel(adapter: name, procedure: "\(sourceName).\(callback.rawValue)")
        do {
            return try call(label, limits: adapter.settings.calls) {
                guard let function = try function(for: callback, of: source) else { return .absent }
                return try tracedCallback("\(sourceName).\(callback.rawValue)", result: \.traceText) {
                    let value = try function.call(try arguments())
                    guard callback == .onUserChange, let json = try value.json() else { return .returned(.null) }
                    return .returned((try? JSONValue(parsing: json)) ?? .null)
                }
            }
        } catch {
            let reference = adapter.settings.failureReference
            logger.error("\(label) failed: \(text(of: error))", metadata: reference?.metadata)
            return .failed(clientMessage(for: error, reference))
        }
    }

    /// Returns the error with its stack; for an exceeded limit, with advice.
    private func text(of error: any Error) -> String {
        table.call.hidingCredentials(
            in: (error as? LimitExceededError)?.advised(adapter.settings.limitOrigin) ?? "\(error)")
    }

    /// Returns the message and the position, without the stack: `TypeError: … (adapters/A/A-impl.js#12)`.
    ///
    /// - Parameter reference: replaces the position. The message is left out then unless the script's author wrote it: the engine
    ///   quotes the script, and native functions may name other adapters.
    private func clientMessage(for error: any Error, _ reference: FailureReference?) -> String {
        guard let thrown = error as? ScriptError else { return reference?.message(for: error) ?? "\(error)" }
        let exception = ScriptError(
            name: thrown.name, message: table.call.hidingCredentials(in: thrown.message), location: thrown.location,
            stack: thrown.stack)
        if let reference {
            let isHosts = table.call.hostMessage.map { !$0.isEmpty && thrown.message.contains($0) } ?? false
            guard !isHosts, !exception.mayQuoteScript else { return reference.message(for: error) }
            return "\(exception.summary.shortened) (\(reference))"
        }
        let place = exception.place(in: adapter.descriptor.scriptPath) ?? exception.location
        return exception.summary.shortened + (place.map { " (\($0.file)#\($0.line))" } ?? "")
    }

    private func log(
        _ error: any Error, procedure: LoadedProcedure, parameters: String, _ reference: FailureReference?
    ) {
        var description = text(of: error).shortened
        if error is ParameterError, hidesParameters(of: procedure) {
            // The error quotes them.
            description = "parameters are not a JSON array"
        }
        logger.error(
            """
            FWLSE0099E: An error occurred while invoking procedure \(name)/\(procedure.name): \(description)
            FWLSE0100E: parameters: \(shown(parameters, of: procedure))
            """, metadata: reference?.metadata)
    }
}

extension AdapterScope {
    /// Returns whether a procedure's parameters may hold a password: in procedures that all clients may call, and in all procedures of an
    /// adapter by which a realm logs users in (server-api 5.3).
    func hidesParameters(of procedure: LoadedProcedure) -> Bool {
        adapter.logsUsersIn || procedure.descriptor.securityTest == AuthenticationConfiguration.unprotectedTest
    }

    /// Returns the parameters for the log.
    fileprivate func shown(_ parameters: String, of procedure: LoadedProcedure) -> String {
        hidesParameters(of: procedure)
            ? "(not shown, since users may log in by this procedure)"
            : String(table.call.hidingCredentials(inJSON: ParameterList.bracketed(parameters)).prefix(2000))
    }
}

extension ScriptError {
    /// The classes of the engine's own errors. The message of one that a script throws itself is left out as well.
    private static let engineErrors: Set = [
        "AggregateError", "EvalError", "InternalError", "RangeError", "ReferenceError", "SyntaxError", "TypeError",
        "URIError",
    ]
    /// Substrings of the engine's messages, which scripts may catch and throw again.
    private static let engineMarks = ["(evaluating '", "(near '", "(In '", "Can't find variable: "]

    /// True if the message may be the engine's, such as `undefined is not an object (evaluating 'order.customerId')`.
    fileprivate var mayQuoteScript: Bool {
        name.map(Self.engineErrors.contains) ?? false
            || Self.engineMarks.contains { message.contains($0) || name?.contains($0) ?? false }
    }
}

extension String {
    /// At most 16 KB: scripts throw strings of any length, and more helps neither the log nor a client.
    fileprivate var shortened: String {
        utf8.count <= 16_384 ? self : "\(prefix(16_000))… (\(utf8.count) bytes)"
    }
}

/// The outcome of a callback.
enum CallbackOutcome: Sendable, Hashable {
    /// The event source names none, or one that does not exist.
    case absent
    /// Its result as JSON, where it matters.
    case returned(JSONValue)
    /// The message of the value that it threw.
    case failed(String)

    /// The short form of it in a trace; `nil` for nothing.
    fileprivate var traceText: String? {
        guard case .returned(let value) = self, value != .null else { return nil }
        return TraceText.cut(value.text, 80)
    }
}

/// A poll threw or was stopped.
public struct PollError: Error, Hashable, CustomStringConvertible {
    /// With the JavaScript stack.
    public let description: String
    /// The class of the error that the script threw, such as `TypeError`; `nil` when it threw none, or a value that is not an Error.
    public var errorName: String?
}
