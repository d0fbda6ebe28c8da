import Foundation
import TestSupport
import Testing

@Suite("Completion in shells")
struct CompletionTests {
    private static let script = """
        WL.Server.createEventSource({ name: 'News' });
        WL.Server.createEventSource({ name: 'Storms', onPoll: function () {} });
        WL.Logger.error('a script was run');
        function getNews() {} function getStorms() {}
        """

    private func project() throws -> TemporaryFolder {
        let project = try makeProject(Self.script, procedures: ["getNews", "getStorms"])
        try project.write(
            #"<application xmlns="http://www.worklight.com/application-descriptor" id="Reader"/>"#,
            to: "apps/Reader/application-descriptor.xml")
        return project
    }

    private func script(_ shell: String) async throws -> String {
        let outcome = try await Command.run(["completions", shell])
        #expect(outcome.status == 0)
        #expect(outcome.errors == "")
        return outcome.output
    }

    @Test("The script is printed, by the command and by the parser's own flag", arguments: ["bash", "zsh", "fish"])
    func printed(shell: String) async throws {
        let builtIn = try await Command.run(["--generate-completion-script", shell])
        #expect(builtIn.status == 0)
        #expect(builtIn.output == (try await script(shell)))
        #expect(try await Command.run(["completions", "tcsh"]).status == 2)
    }

    /// Returns bash's completions of a line's last word.
    private func bash(_ words: [String], in project: TemporaryFolder) async throws -> [String] {
        let file = try project.write(try await script("bash"), to: "completion.bash").path
        let quoted = (["lamplighter"] + words).map { "'\($0)'" }.joined(separator: " ")
        let text = """
            PATH='\(URL(filePath: Command.binary).deletingLastPathComponent().path)':$PATH
            source '\(file)'
            COMP_WORDS=(\(quoted)); COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
            COMP_LINE="${COMP_WORDS[*]}"; COMP_POINT=${#COMP_LINE}
            _lamplighter lamplighter "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
            printf '%s\\n' "${COMPREPLY[@]}"
            """
        let (output, errors) = (Pipe(), Pipe())
        let process = try ChildProcess(
            "bash", ["--norc", "-c", text], folder: project.url, output: output, errors: errors)
        async let offered = output.fileHandleForReading.allText()
        async let problems = errors.fileHandleForReading.allText()
        #expect(await process.exitStatus == 0)
        #expect(await problems == "")
        return await offered.split(separator: "\n").map(String.init)
    }

    @Test(
        "bash offers commands, procedures, event sources, states, platforms, levels and applications",
        arguments: [
            (["log"], ["logs"]), (["call", ""], ["A/getNews", "A/getStorms"]), (["call", "A/getS"], ["A/getStorms"]),
            (["subscribe", "A."], ["A.News", "A.Storms"]), (["subscriptions", "A.St"], ["A.Storms"]),
            (["deliveries", "--state", "de"], ["delivered"]), (["logs", "--level", "w"], ["warning"]),
            (["logs", "--adapter", ""], ["A"]), (["subscribe", "--platform", "Windows"], ["Windows", "WindowsPhone"]),
            (["application", ""], ["Reader"]), (["completions", "f"], ["fish"]), (["call", "B/"], []),
            (["new", "adapter", "X", "--kind", "p"], ["push", "plain"]),
        ])
    func offers(words: [String], expected: [String]) async throws {
        let offered = try await bash(words, in: try project())
        #expect(offered.filter { !$0.hasPrefix("-") } == expected)
    }

    @Test(
        "Another project's names are offered when the line names it", arguments: [["--project", ""], ["--project="]])
    func otherProject(option: [String]) async throws {
        let (project, other) = (try project(), try makeProject("", procedures: ["elsewhere"]))
        let named = option.dropLast() + [option[option.count - 1] + other.path]
        #expect(try await bash(["call"] + named + ["A/"], in: project) == ["A/elsewhere"])
    }

    @Test(
        "each shell completes a procedure at the Tab key", .defaultTimeLimit,
        arguments: TestExtent.size(["bash"], full: ["bash", "zsh", "fish"]))
    func tabulator(shell: String) async throws {
        let project = try project()
        let folder = try TemporaryFolder(["_lamplighter": try await script(shell)])
        let setup =
            switch shell {
            case "zsh": "fpath=('\(folder.path)' $fpath); autoload -Uz compinit; compinit -u -D"
            default: "source '\(folder.path("_lamplighter"))'"
            }
        let start = ["bash": ["bash", "--norc", "--noprofile", "-i"], "zsh": ["zsh", "-f", "-i"]]
        let binaries = URL(filePath: Command.binary).deletingLastPathComponent().path
        let path = shell == "fish" ? "set -gx PATH '\(binaries)' $PATH" : "export PATH='\(binaries)':$PATH"
        let (isThere, seen) = try await ShellTyping.complete(
            "lamplighter call A/getS", in: start[shell] ?? ["fish", "--no-config", "-i"],
            setup: "\(path); cd '\(project.path)'; \(setup)", until: "A/getStorms")
        #expect(isThere, "\(seen)")
        #expect(!seen.contains("a script was run"))
    }
}
