import ArgumentParser

struct CompletionsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "completions",
        abstract: "Print a script with which a shell completes commands, options, procedures and event sources.",
        discussion: """
            bash: lamplighter completions bash > ~/.local/share/bash-completion/completions/lamplighter
            zsh:  lamplighter completions zsh > DIR/_lamplighter, with DIR in fpath before compinit is called
            fish: lamplighter completions fish > ~/.config/fish/completions/lamplighter.fish
            """)

    enum Shell: String, ExpressibleByArgument, CaseIterable {
        case bash
        case zsh
        case fish

        var completionShell: CompletionShell {
            switch self {
            case .bash: .bash
            case .zsh: .zsh
            case .fish: .fish
            }
        }
    }

    @Argument(help: "bash, zsh or fish.")
    var shell: Shell

    func run() {
        Console.writeResult(LamplighterCommand.completionScript(for: shell.completionShell))
    }
}
