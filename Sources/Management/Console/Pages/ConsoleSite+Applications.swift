import Authentication
import Core
import Installation

/// The versions of applications.
extension ConsoleSite {
    static let applicationPages = [
        ConsolePage("applications", menu: ConsoleMenuEntry(group: .apps, label: "Applications")) { call in
            let list = try await call.get("applications").items
            let table = ConsoleTable(
                caption: "Versions of applications",
                columns: [
                    .init("Application"), .init("Environment"), .init("Version"), .init("Access"), .init("Message"),
                    .init("Changed", .fixed), .init("Action", .act),
                ],
                rows: list.map { item in
                    let version = versionPath(item)
                    return [
                        item.cell("application"), item.cell("environment"), item.cell("version"),
                        [.state(item.text("access") ?? "", style(ofAccess: item.text("access")))],
                        item.cell("message") + (item.text("downloadLink").map { [.mono($0)] } ?? []),
                        item.timeCell("updated"),
                        call.may(.operator) && version != nil
                            ? [.go("Change", version ?? "", name: item.versionName, style: .quiet)] : [],
                    ]
                },
                empty: [
                    .text("The project has no application. Put its descriptor at apps/NAME/application-descriptor.xml.")
                ])
            return ConsoleView("Applications", [.table(table)])
        },
        ConsolePage("applications/{application}/{environment}/{version}", role: .operator) { call in
            try await versionPage(call)
        },
    ]

    static let applicationActions = [
        ConsoleAction(
            "applications/{application}/{environment}/{version}", form: versionPage
        ) { call in
            let item = try await version(call)
            if call.field("access") == "disabled", item.text("access") != "disabled", call.fields["confirmed"] == nil {
                return .view(
                    .question(
                        ConsoleConfirmation(
                            title: "Disable \(item.versionName)?",
                            text: "Nobody can use this version of the app any more, until you make it active again.",
                            answer: "Disable the version", cancel: consolePath("applications")), call))
            }
            var body: JSONObject = ["access": .string(call.field("access") ?? "")]
            body["message"] = call.field("message").map(JSONValue.string) ?? .null
            body["downloadLink"] = call.field("downloadLink").map(JSONValue.string) ?? .null
            let (application, environment) = (call.path("application"), call.path("environment"))
            // A rule that says nothing is removed.
            let isEmpty =
                call.field("access") == "active" && call.field("message") == nil && call.field("downloadLink") == nil
                && item["checksum"] == nil
            if isEmpty, item["updated"] != nil {
                try await call.change("DELETE", "applications", application, environment, call.path("version"))
            } else if !isEmpty {
                try await call.change(
                    "PUT", "applications", application, environment, call.path("version"), body: .object(body))
            }
            return .done("\(item.versionName) is \(call.field("access") ?? "") now.", at: consolePath("applications"))
        }
    ]

    private static func versionPage(_ call: ConsoleCall) async throws -> ConsoleView {
        let item = try await version(call)
        return ConsoleView(
            item.versionName,
            [
                .form(
                    ConsoleForm(
                        action: "\(root)/\(call.address)",
                        fields: [
                            ConsoleField(
                                "access", "Access",
                                .choice([
                                    ("active", "Active", nil),
                                    ("notify", "Active, with the message at each start", nil),
                                    ("disabled", "Disabled: the server refuses the app", nil),
                                ]), value: call.field("access") ?? item.text("access")),
                            ConsoleField(
                                "message", "Message to the user", .lines(3),
                                value: call.field("message") ?? item.text("message")),
                            ConsoleField(
                                "downloadLink", "Address of the new version", .input(type: "url"),
                                value: call.field("downloadLink") ?? item.text("downloadLink")),
                        ], submits: [ConsoleForm.Submit("Save")], cancel: consolePath("applications")))
            ])
    }

    private static func style(ofAccess access: String?) -> ConsoleStyle {
        switch access {
        case "disabled": .bad
        case "notify": .warn
        default: .good
        }
    }

    private static func versionPath(_ item: JSONValue) -> String? {
        guard let version = item.text("version") else { return nil }
        return consolePath("applications", item.text("application") ?? "", item.text("environment") ?? "", version)
    }

    /// - Throws: ``ConsoleError``.
    private static func version(_ call: ConsoleCall) async throws -> JSONValue {
        let items = try await call.get("applications").items
        let found = items.first { item in
            ["application", "environment", "version"].allSatisfy { item.text($0) == call.path($0) }
        }
        guard let found else {
            throw ConsoleError(status: 404, detail: "unknown version of an application")
        }
        return found
    }
}

extension JSONValue {
    fileprivate var versionName: String {
        ["application", "environment", "version"].compactMap { text($0) }.joined(separator: " ")
    }
}
