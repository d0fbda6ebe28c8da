import AdapterSyntax
import JavaScriptEngine

extension AdapterScope {
    /// The file name of typed-in code in errors.
    static let conversationFile = "repl"

    func converse(_ code: String, line: Int) -> EvaluationReply {
        var reply = EvaluationReply()
        table.call.printed = PrintedLines()
        defer { table.call.printed = nil }
        switch read(code, line: line) {
        case .incomplete: reply.isIncomplete = true
        case .refused(let message):
            reply.shown = message
            reply.isSuccessful = false
        case .script(let script):
            do {
                reply.shown = try call("(repl)", limits: adapter.settings.calls) { try run(script, line: line) }
            } catch {
                reply.shown = text(of: error, script, line: line)
                reply.isSuccessful = false
            }
        }
        reply.lines = table.call.printed?.lines ?? []
        return reply
    }

    private func run(_ script: TypedScript, line: Int) throws -> String {
        try realm.install(script.helpers)
        if script.marksThrows, !hasThrowMark { try installThrowMark() }
        let value = try context.evaluate(script.source, file: Self.conversationFile, line: line)
        try context.global.set("$_", value, .hidden)
        return try inspect(value)
    }

    /// Returns the value as an author reads it.
    func inspect(_ value: ScriptValue) throws -> String {
        if value.isError { return try self.line(value) }
        let function = try inspector ?? context.evaluate(RuntimeScripts.inspection, file: RuntimeScripts.inspectionFile)
        inspector = function
        return try function.call([value]).text()
    }

    private func text(of error: any Error, _ script: TypedScript, line: Int) -> String {
        if let exceeded = error as? LimitExceededError { return exceeded.advised(adapter.settings.limitOrigin) }
        guard let exception = error as? ScriptError else { return "\(error)" }
        let mapped = exception.mapped { script.original($0, firstLine: line) }
        let frames = mapped.stack?.split(separator: "\n").filter { !$0.hasPrefix("global code@") } ?? []
        let place = mapped.location.map { " (\($0))" } ?? ""
        let shown = ScriptStack.folded(frames.map(String.init))
        return (["\(mapped.summary)\(frames.isEmpty ? place : "")"] + shown.map { "    at \($0)" })
            .joined(separator: "\n")
    }

    /// True if the script does not itself define the name that recorded throws call.
    private var mayMarkThrows: Bool {
        let name = ThrowMark.name
        if hasThrowMark { return true }
        return (try? context.evaluate("typeof \(name)", file: RuntimeScripts.inspectionFile).string) == "undefined"
    }

    // MARK: Reading

    private enum Reading {
        case script(TypedScript)
        case incomplete
        case refused(String)
    }

    private func read(_ code: String, line: Int) -> Reading {
        let file = Self.conversationFile
        // Code that resembles a block is most often meant as an object.
        let trimmed = code.drop { $0.isWhitespace }
        if trimmed.first == "{", let tree = try? SyntaxTree("(\(code)\n)", file: file) {
            return translate(tree, line, isInParentheses: true)
        }
        do throws(SourceSyntaxError) {
            return translate(try SyntaxTree(code, file: file), line)
        } catch {
            if error.isAtEnd(of: code) { return .incomplete }
            let place = ScriptLocation(
                file: file, line: error.position.line + line - 1, column: error.position.column)
            return .refused("SyntaxError: \(error.message) (\(place))")
        }
    }

    private func translate(_ tree: SyntaxTree, _ line: Int, isInParentheses: Bool = false) -> Reading {
        do throws(TranslationError) {
            let translation = try Translation(of: tree, marksThrows: mayMarkThrows)
            let script = TypedScript(translation, isInParentheses: isInParentheses)
            do throws(ScriptSyntaxError) {
                try context.check(script.source, file: Self.conversationFile)
            } catch {
                let place = script.original(
                    ScriptLocation(
                        file: Self.conversationFile, line: error.location.line + line - 1, column: error.location.column
                    ),
                    firstLine: line)
                return .refused("\(error.message) (\(place))")
            }
            return .script(script)
        } catch {
            return .refused(error.problems.map { "SyntaxError: \($0.message)" }.joined(separator: "\n"))
        }
    }
}

/// Typed-in code, as the engine runs it.
private struct TypedScript {
    let source: String
    let helpers: String
    let marksThrows: Bool
    private let map: SourceMap?
    /// True if a parenthesis was put before the typed code.
    private let isInParentheses: Bool

    init(_ translation: Translation, isInParentheses: Bool) {
        self.isInParentheses = isInParentheses
        source = translation.source
        helpers = RuntimeHelper.script(for: translation.helpers)
        marksThrows = translation.marksThrows
        map = translation.isChanged ? translation.map : nil
    }

    func original(_ location: ScriptLocation, firstLine: Int) -> ScriptLocation {
        guard location.file == AdapterScope.conversationFile, let column = location.column, location.line >= firstLine
        else { return location }
        var place = SourcePosition(line: location.line - firstLine + 1, column: column)
        if let map { place = map.original(place) }
        if isInParentheses, place.line == 1 { place = SourcePosition(line: 1, column: max(1, place.column - 1)) }
        return ScriptLocation(file: location.file, line: place.line + firstLine - 1, column: place.column)
    }
}

extension SourceSyntaxError {
    /// Returns whether the error is at the end of the code: more code could fix it.
    fileprivate func isAtEnd(of code: String) -> Bool {
        let end = code.utf8.count
        if range.start >= end - code.reversed().prefix(while: \.isWhitespace).count { return true }
        // A comment or a template without an end begins at the problem.
        let rest = String(decoding: Array(code.utf8)[min(range.start, end)...], as: UTF8.self)
        if rest.hasPrefix("/*") { return !rest.contains("*/") }
        return rest.hasPrefix("`") && !rest.dropFirst().contains("`")
    }
}

/// The lines that an evaluated script wrote to the log. A reply holds a limited number; the others are counted.
struct PrintedLines {
    private static let mostLines = 1000
    private static let mostBytes = 1 << 20

    private var kept: [String] = []
    private var bytes = 0
    private var omitted = 0

    /// Reserves room for one more line, and counts the line when there is none.
    mutating func takesOneMore() -> Bool {
        guard kept.count < Self.mostLines, bytes < Self.mostBytes else {
            omitted += 1
            return false
        }
        return true
    }

    mutating func append(_ line: String) {
        kept.append(line)
        bytes += line.utf8.count
    }

    /// The lines and, if there were more, how many.
    var lines: [String] {
        omitted == 0 ? kept : kept + ["… \(omitted) more line\(omitted == 1 ? "" : "s")"]
    }
}
