import AdapterSyntax
import JavaScriptEngine
import WorklightProject

extension VirtualMachine {
    /// Reads, translates and checks scripts; runs nothing. Here rather than elsewhere because the parser is recursive and
    /// the machine's thread has the stack for it.
    ///
    /// - Parameter counting: whether the scripts shall count what is run of them.
    /// - Throws: when the machine has no memory for a scope to check them in.
    func prepare(
        _ adapters: [Project.Adapter], counting: Bool = false
    ) throws -> [Result<AdapterScript, ScriptLoadingError>] {
        let contexts = try contexts
        let context = try contexts.make(name: "check")
        defer { contexts.close(context.id) }
        let globals = try [false, true].map { try ScriptRealm.globalNames(in: contexts, withHelpers: $0) }
        return adapters.map { adapter in
            Result { () throws(ScriptLoadingError) in
                try AdapterScript(
                    reading: adapter.script, of: adapter.descriptor, globals: globals, counting: counting, in: context)
            }
        }
    }
}

extension AdapterScript {
    /// Translates a script if necessary, and has the engine check the result: the engine decides.
    fileprivate init(
        reading source: String, of descriptor: AdapterDescriptor, globals: [Set<String>], counting: Bool,
        in context: ScriptContext
    ) throws(ScriptLoadingError) {
        let file = descriptor.scriptPath
        let tree: SyntaxTree
        do throws(SourceSyntaxError) {
            tree = try SyntaxTree(source, file: file)
        } catch {
            self = try Self.read(source, file: file, despite: error, in: context)
            return
        }
        do throws(TranslationError) {
            let translation = try Translation(of: tree, marksThrows: true)
            let counters = counting ? Self.counters(in: translation.isChanged ? translation.source : source, file) : nil
            let arguments = Set(
                (descriptor.isRealmScript ? RealmScriptLibrary.names : []) + [InstrumentedScript.counters])
            let names = globals[translation.helpers.isEmpty ? 0 : 1]
            let isValid = { (source: String) in (try? context.check(source, file: file)) != nil }
            self.init(translation, of: tree, file: file, counters: counters) { source in
                guard let tree = try? SyntaxTree(source, file: file) else { return nil }
                let function = ScopeFunction(tree, globals: names, arguments: arguments)
                return isValid(function.source) ? function : nil
            } twinned: { source in
                guard let tree = try? SyntaxTree(source, file: file) else { return (nil, []) }
                let script = TwinnedScript(tree, isValid: isValid)
                guard !script.functions.isEmpty, let tree = try? SyntaxTree(script.source, file: file) else {
                    return (nil, script.blocking)
                }
                let function = ScopeFunction(
                    tree, globals: names, arguments: arguments.union(TwinnedScript.functionNames))
                guard function.obstacle == nil, isValid(function.source) else { return (nil, script.blocking) }
                return (
                    TwinnedFunction(function: function, names: Set(script.functions), map: script.map),
                    script.blocking
                )
            }
        } catch {
            throw ScriptLoadingError(problems: error.problems.map(ProjectError.init))
        }
        do throws(ScriptSyntaxError) {
            try context.check(self.source, file: file)
        } catch {
            throw ScriptLoadingError(problems: [ProjectError(error.message, at: original(error.location))])
        }
    }

    /// Returns the script with counters; without, where Lamplighter's own parser does not read it.
    private static func counters(in source: String, _ file: String) -> InstrumentedScript? {
        (try? SyntaxTree(source, file: file)).map { InstrumentedScript($0) }
    }

    private static func read(
        _ source: String, file: String, despite problem: SourceSyntaxError, in context: ScriptContext
    ) throws(ScriptLoadingError) -> AdapterScript {
        do throws(ScriptSyntaxError) {
            try context.check(source, file: file)
        } catch {
            throw ScriptLoadingError(
                problems: [ProjectError.mergeConflict(in: source, file: file) ?? ProjectError(error, problem)])
        }
        let note = ProjectError(
            .note, file: file, line: problem.position.line, column: problem.position.column,
            "Lamplighter's own parser stops here (\(problem.message)), the engine does not: the script runs as it is written, "
                + "and nothing that only Rhino knew is translated in it")
        return AdapterScript(untouched: source, file: file, stoppedAt: problem.position, remarks: [note])
    }
}

extension ProjectError {
    fileprivate init(_ message: String, at place: ScriptLocation) {
        self.init(.error, file: place.file, line: place.line, column: place.column, message)
    }

    fileprivate init(_ problem: SourceSyntaxError) {
        self.init(
            .error, file: problem.file, line: problem.position.line, column: problem.position.column, problem.message)
    }

    /// Both the engine and the parser refuse a script.
    ///
    /// The engine may stop at syntax that only Rhino knew, which is not a mistake: then the parser's position counts. At the same
    /// position the engine often says what it found and not what it expected.
    fileprivate init(_ engine: ScriptSyntaxError, _ parser: SourceSyntaxError) {
        let place = engine.location
        let isLater =
            (parser.position.line, parser.position.column) > (place.line, place.column ?? parser.position.column)
        let isSamePlace = place.line == parser.position.line && place.column == parser.position.column
        let isBare = engine.message.hasPrefix("SyntaxError: Unexpected") && !engine.message.contains("Expected")
        // The engine does not know that adapters have no modules.
        if isLater || (isSamePlace && isBare) || parser.message.hasPrefix("modules are not available") {
            self.init(
                .error, file: parser.file, line: parser.position.line, column: parser.position.column,
                "SyntaxError: \(parser.message)")
        } else {
            self.init(engine.message, at: place)
        }
    }
}
