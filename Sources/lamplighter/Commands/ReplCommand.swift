import AdapterRuntime
import ArgumentParser
import Foundation
import Gateway
import PushModel

struct ReplCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "repl", abstract: "Evaluate lines in an adapter's scope.",
        discussion: """
            Variables stay from line to line; $_ is the last value. On a terminal Tab completes names, Ctrl-C gives up the line \
            and Ctrl-D ends. The scope is that of back ends' calls: of the server that runs on the project's data folder, or \
            of an installation opened for the moment. Not in production.
            """)

    @Argument(help: "The adapter.", completion: ProjectCompletion.adapters)
    var adapter: String

    @OptionGroup var options: ProjectOptions

    func run() async throws {
        let failures = try await options.withBackend { backend in
            // Says now when there is no such adapter.
            _ = try await backend.answer(.evaluate(EvaluationForm(adapter: adapter, code: "", isCompletion: true)))
            var conversation = Conversation(adapter: adapter, backend: backend)
            if LineEditor.isPossible {
                Console.note(
                    "\(adapter), \(backend.isLocal ? "opened for the moment" : "in the running server"). "
                        + ".help tells what there is, Ctrl-D ends.")
                try await conversation.runOnTerminal()
                return 0
            }
            return try await conversation.run(lines: { readLine(strippingNewline: true) })
        }
        if failures > 0 { throw ExitCode.failure }
    }
}

/// The lines that somebody types, and what comes of them.
struct Conversation {
    let adapter: String
    let backend: Backend
    /// Lines of code that do not end yet.
    private var pending: [String] = []
    /// The number of the next line.
    private var line = 1
    private(set) var failures = 0
    private var isOver = false

    init(adapter: String, backend: Backend) {
        self.adapter = adapter
        self.backend = backend
    }

    private var prompt: String { pending.isEmpty ? "\(adapter)> " : "… " }

    /// - Returns: how many lines failed.
    mutating func run(lines: () -> String?) async throws -> Int {
        while !isOver, let line = lines() { try await take(line) }
        if !pending.isEmpty {
            Console.note("SyntaxError: the code ends too early")
            failures += 1
        }
        return failures
    }

    mutating func runOnTerminal() async throws {
        var editor = LineEditor(history: ReplHistory.load())
        let (adapter, backend) = (adapter, backend)
        while !isOver {
            let typed = await editor.read(prompt: prompt) { code in
                let form = EvaluationForm(adapter: adapter, code: code, isCompletion: true)
                let reply = try? await backend.answer(.evaluate(form))
                return reply.flatMap { try? EvaluationReply(json: $0.body).completions } ?? []
            }
            switch typed {
            case .line(let text):
                ReplHistory.append(text)
                try await take(text)
            case .abandoned: pending = []
            case .end: isOver = true
            }
        }
    }

    private mutating func take(_ text: String) async throws {
        if pending.isEmpty, text.drop(while: \.isWhitespace).first == ".", let dot = DotCommand(text) {
            return try await obey(dot)
        }
        if pending.isEmpty, text.allSatisfy(\.isWhitespace) { return }
        pending.append(text)
        let form = EvaluationForm(adapter: adapter, code: pending.joined(separator: "\n"), line: line)
        let reply = try EvaluationReply(json: try await backend.answer(.evaluate(form)).body)
        guard !reply.isIncomplete else { return }
        line += pending.count
        pending = []
        for line in reply.lines { Console.note(line) }
        if reply.isSuccessful {
            Console.writeResult(reply.shown ?? "")
        } else {
            failures += 1
            Console.note(reply.shown ?? "")
        }
    }

    private mutating func obey(_ command: DotCommand) async throws {
        switch command {
        case .help: Console.note(DotCommand.helpText)
        case .exit: isOver = true
        case .wrong(let text):
            failures += 1
            Console.note(text)
        case .call(let procedure, let parameters):
            let reply = try await backend.answer(
                .invoke(adapter: adapter, procedure: procedure, parameters: parameters))
            if !reply.isSuccessful { failures += 1 }
            Console.writePretty(reply.body)
        case .trace(let procedure, let parameters):
            let reply = try await backend.answer(
                .traceInvocation(adapter: adapter, procedure: procedure, parameters: parameters))
            if !reply.isSuccessful { failures += 1 }
            let answer = try JSONValue(parsing: reply.body)
            Console.writePretty(answer["result"]?.text ?? "")
            Console.note("\(try InvocationTrace(json: answer["trace"]?.text ?? ""))")
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
        default: self = .wrong("there is no command \(name); .help tells what there is")
        }
    }

    static let helpText = """
        .call PROCEDURE ARGUMENTS    call a procedure, as 'lamplighter call' does
        .trace PROCEDURE ARGUMENTS   the same in a scope of its own, with what it did as a tree
        .help                        this
        .exit                        end, as Ctrl-D does
        Everything else is JavaScript. $_ is the last value.
        """
}
