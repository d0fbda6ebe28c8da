import AdapterRuntime
import Gateway
import PushModel

/// The lines that somebody types, and what comes of them.
struct ReplSession {
    let adapter: String
    let backend: Backend
    /// Lines of code that do not end yet.
    private var pending: [String] = []
    /// The number of the next line.
    private var line = 1
    private(set) var failures = 0
    private var isOver = false
    /// There Ctrl-C is for what is being evaluated; of lines from elsewhere it ends the whole command.
    private var isOnTerminal = false

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
        isOnTerminal = true
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
        guard let answer = try await answer(form) else {
            line += pending.count
            pending = []
            failures += 1
            return Console.note("given up")
        }
        let reply = try EvaluationReply(json: answer.body)
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

    /// - Returns: `nil` when it was given up.
    private func answer(_ form: EvaluationForm) async throws -> ManagementReply? {
        guard isOnTerminal else { return try await backend.answer(.evaluate(form)) }
        let (adapter, backend) = (adapter, backend)
        return try await untilInterrupted {
            try await withProgress("evaluating in \(adapter), Ctrl-C gives it up") {
                try await backend.answer(.evaluate(form))
            }
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
