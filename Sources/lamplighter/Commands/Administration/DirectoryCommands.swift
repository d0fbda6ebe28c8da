import ArgumentParser
import Core
import Management
import PushModel

struct DevicesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "devices", abstract: "List registered devices, or show or remove one.")

    @Argument(help: "A device's id; shows the device with its tags and subscriptions.")
    var device: String?

    @Option(
        help: "Only devices of this application; required in a project with several to show a device.",
        completion: ProjectCompletion.applications)
    var application: String?

    @Option(help: "Only devices whose last user this is.")
    var user: String?

    @Option(help: "Only devices of this platform.", completion: .list(Platform.allCases.map(\.rawValue)))
    var platform: String?

    @Option(help: "Only devices that subscribed to this tag.")
    var tag: String?

    @Option(help: "Only devices whose id begins with this prefix.")
    var prefix: String?

    @Flag(help: "Remove the device with its tags and subscriptions.")
    var remove = false

    @Option(help: "The largest number of devices.")
    var limit = 100

    @OptionGroup var options: ProjectOptions

    func validate() throws {
        try ProjectOptions.check(limit: limit)
        if device == nil, remove { throw ValidationError("--remove: expected a device's id") }
        if device != nil, user != nil || platform != nil || tag != nil || prefix != nil {
            throw ValidationError("a device's id can be combined with --application and --remove only")
        }
        if let platform, Platform(platform) == nil {
            throw ValidationError(
                "--platform \(platform): expected \(Platform.list(Platform.allCases))")
        }
    }

    func run() async throws {
        guard let device else { return try await list() }
        var application = application
        if application == nil { application = try await onlyApplication() }
        guard let application else {
            throw ValidationError("--application: missing; the project has several applications")
        }
        let call = ManagementCall(remove ? "DELETE" : "GET", "devices", application, device)
        CommandOutput.writePretty(try await options.answer(call).text)
    }

    private func list() async throws {
        let devices = try await options.list(
            "devices",
            query: [
                "application": application, "user": user, "platform": platform.flatMap { Platform($0)?.rawValue },
                "tag": tag, "prefix": prefix,
            ],
            limit: limit)
        CommandOutput.writeList(
            devices,
            columns: [
                .init("application", isFlexible: true), .init("device", isFlexible: true),
                .init("user", isFlexible: true), .init("platform"), .init("token"),
            ])
    }

    private func onlyApplication() async throws -> String? {
        let items = try await options.answer(ManagementCall("GET", "applications")).items
        let ids = Set(items.filter { $0["isDeclared"] == true }.compactMap { $0["application"]?.string })
        // As 'subscribe' does in a project without descriptors.
        return ids.isEmpty ? "PushApp" : ids.count == 1 ? ids.first : nil
    }
}

struct UsersCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "users", abstract: "List the users who have registered or subscribed.")

    @Option(help: "Only users whose id begins with this prefix.")
    var prefix: String?

    @Option(help: "The largest number of users.")
    var limit = 100

    @OptionGroup var options: ProjectOptions

    func validate() throws { try ProjectOptions.check(limit: limit) }

    func run() async throws {
        let users = try await options.list("users", query: ["prefix": prefix], limit: limit)
        CommandOutput.writeList(users, columns: [.init("user", isFlexible: true)])
    }
}
