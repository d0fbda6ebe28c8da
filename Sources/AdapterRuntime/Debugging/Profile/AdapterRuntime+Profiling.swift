import AdapterSyntax
import JavaScriptEngine
public import PushModel

extension AdapterRuntime {
    /// Calls a procedure under the engine's sampling profiler, as often as wanted or until it fails.
    ///
    /// - Returns: the last call's result, and where the time went.
    /// - Throws: ``UnknownNameError``, ``ProfilingError``, and what loading the script throws.
    public func profile(
        adapter: String, procedure: String, parameters: String, repeating count: Int = 1, caller: Caller = Caller()
    ) async throws -> (result: ProcedureResult, profile: CallProfile) {
        let loaded = try self.adapter(named: adapter)
        let procedure = try loaded.common.procedure(named: procedure)
        let list = ParameterList(parameters)
        return try await loaded.run(for: caller) { scope in
            try scope.profile(repeating: max(1, count), first: ProcedureResult.failure([])) {
                let result = scope.invoke(procedure, parameters: list)
                return (result, result.isSuccessful)
            }
        }
    }

    /// Runs an event source's poll under the engine's sampling profiler, as often as wanted or until it fails, in the scope of that
    /// poll.
    ///
    /// - Returns: how the last one failed, `nil` when it did not, and where the time went.
    /// - Throws: as ``profile(adapter:procedure:parameters:repeating:caller:)``.
    public func profile(
        poll source: EventSourceID, repeating count: Int = 1, caller: Caller = Caller()
    ) async throws -> (failure: String?, profile: CallProfile) {
        let none = CallProfile(calls: 0, interval: 0, samples: [])
        return try await adapter(named: source.adapter).poll(source.name, caller: caller, otherwise: (nil, none)) {
            scope in
            try scope.profile(repeating: max(1, count), first: String?.none) {
                do throws(PollFailure) {
                    try scope.poll(source.name)
                    return (nil, true)
                } catch {
                    return (error.description, false)
                }
            }
        }
    }
}

extension AdapterScope {
    /// - Parameters:
    ///   - first: stands for a result while there is none.
    ///   - body: makes one call, and tells whether it went well.
    fileprivate func profile<Result>(
        repeating count: Int, first: Result, _ body: () -> (Result, Bool)
    ) throws -> (Result, CallProfile) {
        var calls = 0
        let (result, profile) = try context.profile {
            var (result, goesOn) = (first, true)
            repeat {
                (result, goesOn) = body()
                calls += 1
            } while calls < count && goesOn
            return result
        }
        var resolver = FunctionResolver(self)
        let samples = profile.samples.map { sample in
            CallProfile.Sample(time: sample.time, frames: sample.frames.compactMap { resolver.frame($0) })
        }
        return (
            result,
            CallProfile(calls: calls, interval: profile.interval, samples: samples.filter { !$0.frames.isEmpty })
        )
    }
}

/// Finds the function that a place is in: the engine tells where a function was, not where it begins.
private struct FunctionResolver {
    private let scope: AdapterScope
    private var functions: [String: [ScriptFacts.Function]] = [:]
    private var sources: [String: SourceText] = [:]
    private var known: [ScriptProfile.Frame: CallProfile.Frame?] = [:]

    init(_ scope: AdapterScope) {
        self.scope = scope
    }

    /// - Returns: `nil` for what is none of the scripts'.
    mutating func frame(_ frame: ScriptProfile.Frame) -> CallProfile.Frame? {
        if let known = known[frame] { return known }
        let resolved = resolve(frame)
        known[frame] = .some(resolved)
        return resolved
    }

    private mutating func resolve(_ frame: ScriptProfile.Frame) -> CallProfile.Frame? {
        guard let location = frame.location else { return native(frame.name) }
        guard !location.file.hasPrefix("lamplighter") else { return nil }
        guard let script = script(location.file), let function = function(around: location, in: script) else {
            let name = frame.name.isEmpty ? "(anonymous)" : frame.name
            return CallProfile.Frame(
                function: .init(name: name, location: ScriptLocation(file: location.file, line: 1, column: 1)),
                line: location.line)
        }
        let start = start(of: function, in: script)
        let name = frame.name.isEmpty ? function.name ?? "(anonymous)" : frame.name
        return CallProfile.Frame(
            function: .init(name: name, location: start), line: script.original(location).line)
    }

    /// The engine does not always know where in a function it is; the names of the adapter's own then tell which.
    private mutating func native(_ name: String) -> CallProfile.Frame {
        let script = scope.adapter.script
        read(script)
        let own = name.isEmpty ? [] : functions[script.file]?.filter { $0.name == name } ?? []
        guard own.count == 1 else {
            return CallProfile.Frame(function: .init(name: name.isEmpty ? "(native)" : name, location: nil), line: nil)
        }
        return CallProfile.Frame(function: .init(name: name, location: start(of: own[0], in: script)), line: nil)
    }

    private func start(of function: ScriptFacts.Function, in script: AdapterScript) -> ScriptLocation {
        script.original(
            ScriptLocation(file: script.file, line: function.position.line, column: function.position.column))
    }

    private mutating func read(_ script: AdapterScript) {
        guard functions[script.file] == nil else { return }
        let tree = try? SyntaxTree(script.source, file: script.file)
        functions[script.file] = tree.map { ScriptFacts($0).functions } ?? []
        sources[script.file] = tree?.source
    }

    private func script(_ file: String) -> AdapterScript? {
        if scope.adapter.script.file == file { return scope.adapter.script }
        let directory = scope.adapter.directory
        return directory.names.lazy.compactMap { directory[$0]?.common.script }.first { $0.file == file }
    }

    private mutating func function(around location: ScriptLocation, in script: AdapterScript) -> ScriptFacts.Function? {
        read(script)
        guard let source = sources[script.file] else { return nil }
        let position = SourcePosition(line: location.line, column: location.column ?? 1)
        return functions[script.file]?.filter {
            $0.position <= position && position <= source.position(at: $0.range.end)
        }
        .min { $0.range.end - $0.range.start < $1.range.end - $1.range.start }
    }
}
