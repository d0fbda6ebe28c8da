import AdapterRuntime
import AdapterSyntax
import Core
import Foundation
import Management

/// A session of the REPL: reads lines, evaluates them and writes the results.
struct ReplSession {
    let adapter: String
    private(set) var backend: CommandTarget
    /// Code that does not end yet.
    private var pending = PendingStatement()
    /// The number of the next line.
    private var line = 1
    private(set) var failures = 0
    private var isOver = false
    /// True on a terminal. There Ctrl-C ends only the running evaluation; with lines from elsewhere it ends the whole command.
    private var isOnTerminal = false

    init(adapter: String, backend: CommandTarget) {
        self.adapter = adapter
        self.backend = backend
    }

    private var prompt: String { pending.isEmpty ? "\(adapter)> " : "… " }

    /// - Returns: how many lines failed.
    mutating func run(lines: () -> String?) async throws -> Int {
        while !isOver, let line = lines() { try await take(line) }
        if pending.isUnasked { try await evaluatePending() }
        if !pending.isEmpty {
            CommandOutput.note("SyntaxError: the code ends too early")
            failures += 1
        }
        return failures
    }

    mutating func runOnTerminal() async throws {
        isOnTerminal = true
        let lines = LinePrompt(history: ReplHistory.load())
        while !isOver {
            let (adapter, backend) = (adapter, backend)
            let typed = await lines.read(prompt: prompt) { code in
                let reply = try? await backend.answer(.evaluate(code, adapter: adapter, isCompletion: true))
                return reply.flatMap { try? EvaluationReply(json: $0.text).completions } ?? []
            }
            switch typed {
            case .line(let text):
                ReplHistory.append(text)
                try await take(text)
            case .abandoned: pending = PendingStatement()
            case .end: isOver = true
            }
        }
    }

    private mutating func take(_ text: String) async throws {
        if pending.isEmpty, text.drop(while: \.isWhitespace).first == ".", let dot = DotCommand(text) {
            return try await obey(dot)
        }
        if pending.isEmpty, text.allSatisfy(\.isWhitespace) { return }
        if pending.append(text) { try await evaluatePending() }
    }

    /// Evaluates the code, or keeps it when it is incomplete.
    private mutating func evaluatePending() async throws {
        let call = ManagementCall.evaluate(pending.text, adapter: adapter, line: line)
        guard let answer = try await answer(call, progress: "evaluating in \(adapter)") else {
            return endPending()
        }
        let reply = try EvaluationReply(json: answer.text)
        guard !reply.isIncomplete else { return }
        endPending()
        for line in reply.lines { CommandOutput.note(line) }
        if reply.isSuccessful {
            CommandOutput.writeResult(reply.shown ?? "")
        } else {
            failures += 1
            CommandOutput.note(reply.shown ?? "")
        }
    }

    private mutating func endPending() {
        line += pending.lineCount
        pending = PendingStatement()
    }

    /// - Returns: `nil` when the call was cancelled or failed; a note says so.
    /// - Throws: ``CommandError`` when the server has stopped and the lines come from a file: later lines would miss their variables.
    private mutating func answer(_ call: ManagementCall, progress: String) async throws -> JSONReply? {
        do {
            if let answer = try await isOnTerminal ? typedAnswer(call, progress) : backend.answer(call) {
                return answer
            }
            CommandOutput.note("cancelled")
        } catch {
            if !isOnTerminal, (error as? CommandError)?.isUnreachable == true { throw error }
            CommandOutput.note("\(error)")
        }
        failures += 1
        return nil
    }

    /// - Returns: `nil` when it was interrupted.
    private mutating func typedAnswer(_ call: ManagementCall, _ progress: String) async throws -> JSONReply? {
        if let successor = backend.successor {
            backend = successor
            CommandOutput.note("the server was restarted; variables were reset")
        }
        let backend = backend
        return try await withInterruptHandler {
            try await withProgress("\(progress), Ctrl-C cancels it") { try await backend.answer(call) }
        }
    }

    private mutating func obey(_ command: DotCommand) async throws {
        switch command {
        case .help: CommandOutput.note(DotCommand.helpText)
        case .exit: isOver = true
        case .wrong(let text):
            failures += 1
            CommandOutput.note(text)
        case .call(let procedure, let parameters):
            let call = ManagementCall.invoke(adapter: adapter, procedure: procedure, parameters: parameters)
            guard let answer = try await answer(call, progress: "calling \(adapter)/\(procedure)") else { return }
            let result = try CallResult(answer)
            if !result.isSuccessful { failures += 1 }
            CommandOutput.writePretty(result.result)
        case .trace(let procedure, let parameters):
            let call = ManagementCall.invoke(
                adapter: adapter, procedure: procedure, parameters: parameters, isTraced: true)
            guard let answer = try await answer(call, progress: "tracing \(adapter)/\(procedure)") else { return }
            let result = try CallResult(answer)
            if !result.isSuccessful { failures += 1 }
            CommandOutput.writePretty(result.result)
            CommandOutput.note("\(try InvocationTrace(json: result.trace ?? ""))")
        }
    }
}

extension EvaluationReply {
    /// - Throws: `DecodingError`.
    init(json: String) throws {
        self = try JSONDecoder().decode(EvaluationReply.self, from: Data(json.utf8))
    }
}

/// A line that begins with a dot.
enum DotCommand {
    case help
    case exit
    case call(procedure: String, parameters: String)
    case trace(procedure: String, parameters: String)
    case wrong(String)

    /// - Returns: `nil` for code that begins with a dot, such as `.5`.
    init?(_ text: String) {
        let words = text.drop(while: \.isWhitespace).split(maxSplits: 2, whereSeparator: \.isWhitespace).map(
            String.init)
        guard let name = words.first, name.dropFirst().first?.isLetter == true else { return nil }
        let parameters = words.count > 2 ? words[2] : "[]"
        switch (name, words.count) {
        case (".help", _): self = .help
        case (".exit", _): self = .exit
        case (".call", 2...): self = .call(procedure: words[1], parameters: parameters)
        case (".trace", 2...): self = .trace(procedure: words[1], parameters: parameters)
        case (".call", _), (".trace", _):
            self = .wrong("\(name): expected a procedure and its arguments, such as \(name) getPrices [\"EUR\"]")
        default: self = .wrong("there is no command \(name); .help lists the commands")
        }
    }

    static let helpText = """
        .call PROCEDURE ARGUMENTS    call a procedure, as 'lamplighter call' does
        .trace PROCEDURE ARGUMENTS   the same in a separate scope, with its steps as a tree
        .help                        this
        .exit                        end, as Ctrl-D does
        Everything else is JavaScript. $_ is the last value.
        """
}

/// The lines of a statement that has not ended yet.
struct PendingStatement {
    /// Up to this number of lines, each line is parsed to see whether the code is complete, so that errors show while a person types.
    private static let fewLines = 50

    private var lines: [String] = []
    private var statement = IncompleteStatement()
    private var linesWhenAsked = 0

    var isEmpty: Bool { lines.isEmpty }
    var lineCount: Int { lines.count }
    var text: String { lines.joined(separator: "\n") }
    /// True if there are lines since the last check.
    var isUnasked: Bool { lines.count > linesWhenAsked }

    /// Adds a line.
    ///
    /// - Returns: whether it is time to ask if the statement is whole. To ask means to read all of it, so that to do so after each of
    ///   thousands of pasted lines would take minutes.
    mutating func append(_ line: String) -> Bool {
        lines.append(line)
        statement.append(line)
        let mayEnd =
            switch statement.end {
            case .possible: true
            case .missing: false
            case .unknown: indentation(of: line) <= indentation(of: lines[0])
            }
        // Something may be wrong with it, which only the parser sees.
        guard mayEnd || lines.count <= Self.fewLines || lines.count >= 2 * linesWhenAsked else { return false }
        linesWhenAsked = lines.count
        return true
    }

    private func indentation(of line: String) -> Int { line.prefix(while: \.isWhitespace).count }
}
