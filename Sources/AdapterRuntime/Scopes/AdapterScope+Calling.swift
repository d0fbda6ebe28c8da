import AdapterSyntax
import Core
import JavaScriptEngine
import Logging
import PushModel
import WorklightProject

/// Calls into the script: procedures, polls, event-source callbacks.
extension AdapterScope {
    /// Adds a procedure to the functions of the running call, and passes its result to `then`. Errors of the script are in the result and in the
    /// log, with the codes of the original (server-api 4).
    func invoke(_ procedure: LoadedProcedure, parameters: String, then: @escaping (ProcedureResult) -> Void) {
        let isAudited = procedure.descriptor.isAudited
        let users = isAudited ? table.call.realms.compactMap { table.call.identity(in: $0)?.userID } : []
        let earlierWarnings = table.call.warnings.count
        start(
            procedure.label, limits: procedure.limits,
            { frame in
                frame.mayHavePassword = frame.mayHavePassword || hidesParameters(of: procedure)
                frame.userRealm = procedure.userRealm ?? frame.userRealm
                frame.connectAs = procedure.descriptor.connectAs
            },
            tracedBy: { [self] tracer, body in try trace(procedure, parameters: parameters, tracer, body) },
            begin: { [self] in try begin(procedure, parameters: parameters) },
            end: { [self] in try json(ofResult: $0, of: procedure) },
            then: { [self] returned in
                var result: ProcedureResult
                do {
                    result = ProcedureResult(returned: try returned.get())
                    result.headers = table.call.responseHeaders
                } catch {
                    result = failure(of: procedure, parameters: parameters, error)
                }
                // The credentials that the call has set are known now, and are hidden.
                if isAudited { audit(procedure, parameters, by: users) }
                if table.call.warnings.count > earlierWarnings {
                    result.add(warnings: table.call.warnings.dropFirst(earlierWarnings))
                }
                then(result)
            })
    }

    /// Adds a function as ``start(_:limits:_:begin:end:then:)`` does. In a trace, where no function has a twin, it runs at once, as a node.
    private func start<Value>(
        _ label: CallLabel, limits: ExecutionLimits, _ change: (inout RunningCall.Frame) -> Void = { _ in },
        tracedBy trace: @escaping (InvocationTracer, () throws -> Value) throws -> Value,
        begin: @escaping () throws -> RunningFunction.Progress<Value>,
        end: @escaping (ScriptValue) throws -> Value, then: @escaping (Result<Value, any Error>) -> Void
    ) {
        guard let tracer else { return start(label, limits: limits, change, begin: begin, end: end, then: then) }
        let result = table.call.running(self, change) {
            Result {
                try trace(tracer) {
                    try call(label, limits: limits) {
                        guard case .returned(let value) = try begin() else {
                            throw HostError("\(label) does not return")
                        }
                        return value
                    }
                }
            }
        }
        then(result)
    }

    private func begin(
        _ procedure: LoadedProcedure, parameters: String
    ) throws -> RunningFunction.Progress<String?> {
        let twin = try twin(of: procedure.name)
        do {
            do {
                if let twin { return .twin(try context.call(twin, withJSON: parameters)) }
                return .returned(try call(procedure, jsonArguments: parameters))
            } catch let error as JSONCallError {
                let (function, arguments) = try functionAndArguments(
                    of: procedure, parameters: parameters, after: error)
                if let twin { return .twin(try context.call(twin, withJSON: arguments)) }
                return .returned(try context.call(function, jsonArguments: arguments))
            }
        } catch let error as JSONResultError {
            throw withPlace(error.exception, ofResultOf: procedure)
        }
    }

    private func json(ofResult value: ScriptValue, of procedure: LoadedProcedure) throws -> String? {
        do {
            return try context.json(ofResult: value)
        } catch let error as JSONResultError {
            throw withPlace(error.exception, ofResultOf: procedure)
        }
    }

    private func call(_ procedure: LoadedProcedure, jsonArguments: String) throws -> String? {
        guard variables != nil else { return try context.call(procedure.name, jsonArguments: jsonArguments) }
        guard let function = try function(named: procedure.name) else { throw JSONCallError.noSuchFunction }
        return try context.call(function, jsonArguments: jsonArguments)
    }

    /// Returns the twin of a function of the script; `nil` if it has none.
    func twin(of name: String) throws -> ScriptValue? {
        guard hasTwins, let variables, adapter.script.twinned?.names.contains(name) == true else { return nil }
        return try variables.get(TwinnedScript.twin(of: name))
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

    /// Returns the function and the arguments of a call that failed: the arguments are spelled in another way, or `const` or `let` declares the
    /// function, outside of the global object.
    private func functionAndArguments(
        of procedure: LoadedProcedure, parameters: String, after error: JSONCallError
    ) throws -> (ScriptValue, String) {
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
        return (function, try ParameterList.mended(parameters))
    }

    /// Adds a source's poll to the functions of the running call, and passes its outcome to `then`: the function's result as JSON when the call is
    /// traced, with credentials hidden; `nil` for `undefined`, for a result that cannot be written as JSON, and when the call is not traced.
    func poll(_ sourceName: String, then: @escaping (Result<String?, PollError>) -> Void) {
        guard let source = eventSources[sourceName] else {
            return then(
                .failure(PollError(description: "\(name) no longer declares the event source '\(sourceName)'")))
        }
        let title = "\(sourceName).onPoll"
        start(
            CallLabel(adapter: name, procedure: title), limits: adapter.settings.polls,
            tracedBy: { [self] _, body in
                try tracedCallback(title, result: { $0.map { TraceText.cut($0, 80) } }, body)
            },
            begin: { [self] () -> RunningFunction.Progress<String?> in
                guard let function = try function(for: .onPoll, of: source) else {
                    throw HostError(missingPollFunction(of: source))
                }
                if let name = try self.name(of: function, source.targets[.onPoll]), let twin = try twin(of: name) {
                    return .twin(try twin.call())
                }
                let value = try function.call()
                return .returned(tracer == nil ? nil : try? value.json())
            },
            end: { _ in nil },
            then: { [self] result in
                then(
                    result.map { $0.map { table.call.hidingCredentials(inJSON: $0) } }
                        .mapError { [self] error in
                            PollError(description: text(of: error), errorName: (error as? ScriptError)?.name)
                        })
            })
    }

    /// Returns the name of a function at the top level; `nil` for another function.
    func name(of function: ScriptValue, _ target: EventSource.Target?) throws -> String? {
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

    /// Adds a callback of an event source to the functions of the running call, if its function exists. Errors that it throws are only logged: its
    /// subscription remains.
    ///
    /// - Parameter then: gets its result, as JSON.
    func run(
        _ callback: EventSourceCallback, of sourceName: String, arguments: @escaping () throws -> [ScriptValue],
        then: @escaping (CallbackOutcome) -> Void
    ) {
        guard let source = eventSources[sourceName] else { return then(.absent) }
        let title = "\(sourceName).\(callback.rawValue)"
        let label = CallLabel(adapter: name, procedure: title)
        let outcome = { (value: ScriptValue) throws -> CallbackOutcome in
            guard callback == .onUserChange, let json = try value.json() else { return .returned(.null) }
            return .returned((try? JSONValue(parsing: json)) ?? .null)
        }
        start(
            label, limits: adapter.settings.calls,
            begin: { [self] in
                guard let function = try function(for: callback, of: source) else { return .returned(.absent) }
                if let name = try self.name(of: function, source.targets[callback]), let twin = try twin(of: name) {
                    return .twin(try twin.call(try arguments()))
                }
                return .returned(
                    try tracedCallback(title, result: \.traceText) { try outcome(function.call(try arguments())) })
            },
            end: outcome,
            then: { [self] result in
                do {
                    then(try result.get())
                } catch {
                    let reference = adapter.settings.failureReference
                    logger.error("\(label) failed: \(text(of: error))", metadata: reference?.metadata)
                    then(.failed(clientMessage(for: error, reference)))
                }
            })
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
