public import ArgumentParser
import Core
import Foundation
public import Installation
import Management

struct TokenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token", abstract: "Manage the tokens of the management API.",
        subcommands: [Add.self, List.self, Remove.self], defaultSubcommand: List.self)

    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Create a token and print it. It is not shown again.")

        @Argument(help: "The token's name, for lists and the audit log.")
        var name: String

        @Option(
            help: "monitor, operator, deployer or admin.",
            completion: .list(ManagementRole.allCases.map(\.rawValue)))
        var role: ManagementRole

        @Option(
            help: ArgumentHelp("The number of days after which it expires; 0 for never.", valueName: "days"))
        var days = 90

        @OptionGroup var options: ProjectOptions

        func validate() throws {
            guard (0...36_500).contains(days) else { throw ValidationError("--days \(days): expected 0 to 36500") }
        }

        func run() async throws {
            var body: JSONObject = ["name": .string(name), "role": .string(role.rawValue)]
            if days > 0 {
                body["expires"] = .string(Date().addingTimeInterval(Double(days) * 86_400).formatted(.iso8601))
            }
            let answer = try await options.answer(ManagementCall("POST", "tokens", body: .object(body)))
            if CommandOutput.isJSON { return CommandOutput.writeResult(answer.text) }
            CommandOutput.writeResult(try answer.value["token"]?.string ?? "")
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List the tokens.")

        @OptionGroup var options: ProjectOptions

        func run() async throws {
            let tokens = try await options.answer(ManagementCall("GET", "tokens")).items
            CommandOutput.writeList(
                tokens,
                columns: [
                    .init("name", isFlexible: true), .init("role"), .init("created", .time), .init("expires", .time),
                ])
        }
    }

    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Remove a token; it ends at once.")

        @Argument(help: "The token's name.")
        var name: String

        @OptionGroup var options: ProjectOptions

        func run() async throws {
            CommandOutput.writeResult(try await options.answer(ManagementCall("DELETE", "tokens", name)).text)
        }
    }
}

extension ManagementRole: ExpressibleByArgument {}
