import ArgumentParser
import Core
import Installation
import Management

struct AccountCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "account", abstract: "Manage the accounts of the management API and the console.",
        discussion: "Passwords are read from the terminal, or from the first line of standard input.",
        subcommands: [Add.self, List.self, Change.self, Remove.self], defaultSubcommand: List.self)

    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Add an account; its password has 12 characters or more.")

        @Argument(help: "The account's name.")
        var name: String

        @Option(
            help: "monitor, operator, deployer or admin.", completion: .list(ManagementRole.allCases.map(\.rawValue)))
        var role: ManagementRole

        @OptionGroup var options: ProjectOptions

        func run() async throws {
            let body: JSONValue = [
                "name": .string(name), "role": .string(role.rawValue),
                "password": .string(try PasswordPrompt.newPassword()),
            ]
            CommandOutput.writeResult(try await options.answer(ManagementCall("POST", "accounts", body: body)).text)
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List the accounts.")

        @OptionGroup var options: ProjectOptions

        func run() async throws {
            let accounts = try await options.answer(ManagementCall("GET", "accounts")).items
            CommandOutput.writeList(accounts, columns: [.init("name", isFlexible: true), .init("role")])
        }
    }

    struct Change: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Change an account's role or password; its sessions end.")

        @Argument(help: "The account's name.")
        var name: String

        @Option(
            help: "monitor, operator, deployer or admin.", completion: .list(ManagementRole.allCases.map(\.rawValue)))
        var role: ManagementRole?

        @Flag(help: "Read a new password.")
        var password = false

        @OptionGroup var options: ProjectOptions

        func validate() throws {
            if role == nil, !password { throw ValidationError("expected --role, --password or both") }
        }

        func run() async throws {
            var body = JSONObject()
            body["role"] = (role?.rawValue).map(JSONValue.string)
            if password { body["password"] = .string(try PasswordPrompt.newPassword()) }
            let call = ManagementCall("PUT", "accounts", name, body: .object(body))
            CommandOutput.writeResult(try await options.answer(call).text)
        }
    }

    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Remove an account; its sessions end.")

        @Argument(help: "The account's name.")
        var name: String

        @OptionGroup var options: ProjectOptions

        func run() async throws {
            CommandOutput.writeResult(try await options.answer(ManagementCall("DELETE", "accounts", name)).text)
        }
    }
}
