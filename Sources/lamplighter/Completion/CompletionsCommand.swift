public import ArgumentParser

struct CompletionsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "completions",
        abstract: "Print a script with which a shell completes commands, options, procedures and event sources.",
        discussion: """
            bash: source <(lamplighter completions bash) in ~/.bashrc
            zsh: as the file _lamplighter in a folder of fpath
            fish: as the file ~/.config/fish/completions/lamplighter.fish
            """)

    @Argument(help: "bash, zsh or fish.")
    var shell: CompletionShell

    func run() {
        CommandOutput.writeResult(LamplighterCommand.completionScript(for: shell))
    }
}

extension CompletionShell: @retroactive ExpressibleByArgument {}
