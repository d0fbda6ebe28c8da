import ArgumentParser

/// The scripts for shells, with what the parser leaves out of them: it knows no words for `help`, a command of its own.
enum CompletionScript {
    static func text(for shell: CompletionShell) -> String {
        completed(LamplighterCommand.completionScript(for: shell))
    }

    /// The script with the names of the commands after `help`; any other text as it is.
    static func completed(_ text: String) -> String {
        text.hasPrefix("function __lamplighter_") ? completedForFish(text) : completedForOthers(text)
    }

    /// What fish offers as the first word, with its description, is offered behind `help`, too; but for `help` itself.
    private static func completedForFish(_ text: String) -> String {
        let condition = "__lamplighter_should_offer_completions_for_positional \"lamplighter\" -eq 1"
        let ofHelp = "__lamplighter_should_offer_completions_for_positional \"lamplighter help\" -eq 1"
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let offers = lines.filter { $0.contains(condition) && !$0.contains("-fa 'help'") }
            .map { $0.replacing(condition, with: ofHelp) + "\n" }
        return text + (text.hasSuffix("\n") ? "" : "\n") + offers.joined()
    }

    private static func completedForOthers(_ text: String) -> String {
        let start = "\n_lamplighter_help() {\n"
        guard text.contains(start) else { return text }
        let names = LamplighterCommand.configuration.subcommands.compactMap { $0.configuration.commandName }
            .joined(separator: " ")
        let offer = "    __lamplighter_offer_flags_options -1\n"
        var parts = text.split(separator: start, maxSplits: 1).map(String.init)
        parts[parts.count - 1] = parts[parts.count - 1]
            .replacing(offer, with: offer + "    COMPREPLY+=($(compgen -W '\(names)' -- \"${cur}\"))\n")
            .replacing("'*:subcommands:'", with: "'*:subcommands:(\(names))'")
        return parts.joined(separator: start)
    }
}
