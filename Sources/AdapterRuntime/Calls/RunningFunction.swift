import JavaScriptEngine

/// A function of a script that the server calls: a procedure, a poll, a callback, an event handler.
///
/// A plain function runs from its beginning to its end. One that waits for a back end has a twin, a generator, which yields at each wait; see
/// `TwinnedScript`.
///
/// Lives in its virtual machine, in its ``RunningCall``.
final class RunningFunction {
    /// The state of a function after a part of it has run.
    enum Progress<Value> {
        case returned(Value)
        /// It is a twin, which begins now.
        case twin(ScriptValue)
        /// It has called other functions of the call, and goes on when they have returned.
        case called
    }

    /// The state of a function after a step.
    enum Step {
        case ended
        case called
        case waits(BackEndWait)
    }

    let scope: AdapterScope
    /// Its limits; `nil` for a function within another one, whose limits hold for it.
    let limited: LimitedCall?
    private let begin: () throws -> Progress<Void>
    private let end: (ScriptValue) throws -> Void
    private let onEnd: ((any Error)?) -> Void
    private var generator: ScriptValue?

    /// - Parameters:
    ///   - begin: calls the function. It is called again after ``Progress/called``.
    ///   - end: gets the result of a twin, as a part of its last step.
    ///   - onEnd: called once, after the last step, with the error that ended the function.
    init(
        of scope: AdapterScope, limited: LimitedCall?, begin: @escaping () throws -> Progress<Void>,
        end: @escaping (ScriptValue) throws -> Void, onEnd: @escaping ((any Error)?) -> Void
    ) {
        (self.scope, self.limited) = (scope, limited)
        (self.begin, self.end, self.onEnd) = (begin, end, onEnd)
    }

    /// Runs the function until it waits, calls another function of the call, or returns.
    func advance() throws -> Step {
        if generator == nil {
            switch try begin() {
            case .returned: return .ended
            case .called: return .called
            case .twin(let twin): generator = twin
            }
        }
        guard let generator, let next = scope.realm.next else { return .ended }
        var value = scope.context.undefined
        while true {
            let step = try next.call([value], this: generator)
            if try step.get("done").bool == true {
                try end(step.get("value"))
                return .ended
            }
            switch scope.table.call.takeWait() {
            case .backEnd(let wait)?: return .waits(wait)
            case .procedure(let start)?:
                start()
                return .called
            // The native function had its result at once.
            case nil: value = try step.get("value")
            }
        }
    }

    /// Delivers the outcome.
    func finish(_ error: (any Error)?) { onEnd(error) }
}

extension AdapterScope {
    /// Adds a function to those of the running call, which ``ScopeTable`` then runs, and passes its result to `then`.
    ///
    /// - Parameters:
    ///   - limits: its limits, unless it runs within another function of the call.
    ///   - change: changes what holds for it; see ``RunningCall/Frame``.
    ///   - begin: calls the function or its twin.
    ///   - end: makes the result of a twin's returned value.
    ///   - then: called once, after the function has ended and its notifications are on the disk.
    func start<Value>(
        _ label: CallLabel, limits: ExecutionLimits, _ change: (inout RunningCall.Frame) -> Void = { _ in },
        begin: @escaping () throws -> RunningFunction.Progress<Value>,
        end: @escaping (ScriptValue) throws -> Value, then: @escaping (Result<Value, any Error>) -> Void
    ) {
        var value: Value?
        table.call.add(
            RunningFunction(
                of: self,
                limited: context.isLimited
                    ? nil : context.begin(label, limits: limits, after: table.call.queueTime),
                begin: {
                    switch try begin() {
                    case .returned(let result):
                        value = result
                        return .returned(())
                    case .twin(let twin): return .twin(twin)
                    case .called: return .called
                    }
                },
                end: { value = try end($0) },
                onEnd: { [self] error in
                    let result = Result<Value, any Error> {
                        if let error { throw error }
                        guard let value else { throw CancellationError() }
                        return value
                    }
                    then(Result { try finish(result, limits) })
                }), change)
    }
}

/// Running the functions of a call.
extension ScopeTable {
    /// Runs the functions of the running call above the first `depth` until one waits for a back end, or all have ended.
    ///
    /// - Returns: the wait; `nil` when all have ended.
    func advance(above depth: Int = 0) -> BackEndWait? {
        while call.functions.count > depth {
            let outermost = call.functions[depth]
            do {
                let wait =
                    if let limited = outermost.limited {
                        try outermost.scope.context.step(of: limited) { try step(above: depth) }
                    } else {
                        try step(above: depth)
                    }
                if let wait { return wait }
                call.removeFunction().finish(nil)
            } catch {
                end(above: depth, error)
            }
        }
        return nil
    }

    /// Runs the functions of the running call above the first `depth` to their end. Waits on this thread.
    func complete(above depth: Int) {
        while let wait = advance(above: depth) { call.secondPart = Result(catching: wait.onThread) }
    }

    /// Ends functions with an error, the innermost one first.
    func end(above depth: Int, _ error: any Error) {
        while call.functions.count > depth { call.removeFunction().finish(error) }
    }

    /// Runs functions until one waits, or the outermost has ended, which stays in the call.
    ///
    /// - Throws: the error that ends the outermost one.
    private func step(above depth: Int) throws -> BackEndWait? {
        while let function = call.functions.last {
            let isOutermost = call.functions.count == depth + 1
            var failure: (any Error)?
            do {
                switch try function.advance() {
                case .waits(let wait): return wait
                case .called: continue
                case .ended: if isOutermost { return nil }
                }
            } catch {
                if isOutermost { throw error }
                failure = error
            }
            // It ends all.
            if let exceeded = function.scope.context.exceeded { throw exceeded }
            call.removeFunction().finish(failure)
        }
        return nil
    }
}
