import ArgumentParser

/// The scripts for shells, with what the parser leaves out of them: it knows no words for `help`, a command of its own.
enum CompletionScript {
    static func text(for shell: CompletionShell) -> String {
        completed(LamplighterCommand.completionScript(for: shell))
    }

    /// The script with the names of the commands after `help`, and of theirs after those; any other text as it is.
    static func completed(_ text: String) -> String {
        if text.hasPrefix("function __lamplighter_") { return completedForFish(text) }
        return text.hasPrefix("#compdef") ? completedForZsh(text) : completedForBash(text)
    }

    /// The words that may follow a word behind `help`.
    private static let helpWords: [(word: String, next: [String])] = {
        let commands = LamplighterCommand.configuration.subcommands
        let groups = commands.map { (word: name(of: $0), next: $0.configuration.subcommands.map(name)) }
        return [(word: "help", next: commands.map(name))] + groups.filter { !$0.next.isEmpty }
    }()

    private static func name(of command: any ParsableCommand.Type) -> String { command.configuration.commandName ?? "" }

    /// What fish offers as the first word, with its description, is offered behind `help`, too, but for `help` itself; and what it
    /// offers behind such a word, behind that and `help`.
    private static func completedForFish(_ text: String) -> String {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let offers = helpWords.flatMap { word, _ in
            let isFirst = word == "help"
            let condition = Self.condition(ofFish: isFirst ? "lamplighter" : "lamplighter \(word)")
            let ofHelp =
                isFirst
                ? Self.condition(ofFish: "lamplighter help")
                : "__lamplighter_should_offer_completions_for_positional \"lamplighter help\" -eq 2; and test (__lamplighter_tokens -pc)[-1] = \(word)"
            return lines.filter { $0.contains(condition) && !$0.contains("-fa 'help'") }
                .map { $0.replacing(condition, with: ofHelp) + "\n" }
        }
        return text + (text.hasSuffix("\n") ? "" : "\n") + offers.joined()
    }

    private static func condition(ofFish command: String) -> String {
        "__lamplighter_should_offer_completions_for_positional \"\(command)\" -eq 1"
    }

    private static func completedForZsh(_ text: String) -> String {
        let cases = helpWords.map { "    \($0.word)) compadd -- \($0.next.joined(separator: " ")) ;;\n" }.joined()
        let function = """
            _lamplighter_help_words() {
                case "${words[CURRENT - 1]}" in
            \(cases)    esac
            }


            """
        return completed(text) { help in
            help.replacing("'*:subcommands:'", with: "'*:subcommands:_lamplighter_help_words'")
        } with: {
            function
        }
    }

    private static func completedForBash(_ text: String) -> String {
        let offer = "    __lamplighter_offer_flags_options -1\n"
        let cases = helpWords.map { word, next in
            "    \(word)) COMPREPLY+=($(compgen -W '\(next.joined(separator: " "))' -- \"${cur}\")) ;;\n"
        }
        let words = "    case \"${prev}\" in\n\(cases.joined())    esac\n"
        return completed(text) { $0.replacing(offer, with: offer + words) }
    }

    /// Changes the text from the function that completes `help` on, and inserts a function before it.
    private static func completed(
        _ text: String, _ change: (String) -> String, with function: () -> String = { "" }
    ) -> String {
        let start = "_lamplighter_help() {\n"
        guard let range = text.firstRange(of: "\n" + start) else { return text }
        return text[..<range.lowerBound] + "\n" + function() + start + change(String(text[range.upperBound...]))
    }
}
