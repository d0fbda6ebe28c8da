import ArgumentParser
import Core
import Management

struct ApplicationCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "application",
        abstract: "Set the access of an application's version; without a version, list the versions.",
        discussion: """
            The server refuses a disabled version: its users read the message and are offered the link. It serves a \
            version with access 'notify' after the user has read the message.
            """)

    @Argument(help: "The application's id.", completion: ProjectCompletion.applications)
    var application: String?

    @Argument(help: "The environment: android, iphone, Androidnative, iOSnative and so on.")
    var environment: String?

    @Argument(help: "The version.")
    var version: String?

    @Option(help: "active, notify or disabled.", completion: .list(["active", "notify", "disabled"]))
    var access: String?

    @Option(help: "The message for users of the version.")
    var message: String?

    @Option(help: ArgumentHelp("The address of another version.", valueName: "url"))
    var downloadLink: String?

    @Option(
        help: ArgumentHelp("WL_CHECKSUM of the version's web resources; clients of 5.0.6 need it.", valueName: "number")
    )
    var checksum: Int?

    @Flag(help: "Remove the access rule; the version is active.")
    var remove = false

    @OptionGroup var options: ProjectOptions

    func run() async throws {
        guard let application else {
            let versions = try await options.answer(ManagementCall("GET", "applications"))
            CommandOutput.writeList(
                try versions.items,
                columns: [
                    .init("application", isFlexible: true), .init("environment"), .init("version"), .init("access"),
                    .init("message", isFlexible: true), .init("downloadLink", title: "LINK", isFlexible: true),
                ])
            return
        }
        guard let environment, let version else {
            throw ValidationError("expected an application, an environment and a version, or none of them")
        }
        if remove {
            let call = ManagementCall("DELETE", "applications", application, environment, version)
            CommandOutput.writeResult(try await options.answer(call).text)
            return
        }
        guard access != nil || message != nil || downloadLink != nil || checksum != nil else {
            throw ValidationError("expected --access, --message, --download-link, --checksum or --remove")
        }
        var body: JSONObject = [:]
        for (key, value) in [("access", access), ("message", message), ("downloadLink", downloadLink)] {
            body[key] = value.map(JSONValue.string)
        }
        body["checksum"] = checksum.map { .number(Double($0)) }
        let call = ManagementCall("PUT", "applications", application, environment, version, body: .object(body))
        CommandOutput.writeResult(try await options.answer(call).text)
    }
}
