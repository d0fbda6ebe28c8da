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
