import Core
import Foundation
import Installation
import Logging

/// Credentials, logs, sessions and the audit log.
extension ConsoleSite {
    static let serverPages = [
        ConsolePage("credentials", menu: ConsoleMenuEntry(group: .push, label: "Credentials")) { call in
            let items = try await call.get("credentials").items
            let now = call.api.installation.time.now
            var table = ConsoleTable(
                caption: "Credentials of the push services",
                columns: [
                    .init("Service"), .init("Application", .wrap), .init("Credential", .wrap), .init("Expires", .fixed),
                    .init("Last success", .fixed), .init("Last refusal", .fixed),
                ],
                rows: items.map { item in
                    let isExpired = item.text("expires").flatMap { Date(spelling: $0) }.map { $0 <= now } ?? false
                    return [
                        item.cell("service"), item.text("application").map { [.text($0)] } ?? [.muted("all")],
                        item.cell("credential"),
                        item.timeCell("expires") + (isExpired ? [.state("expired", .bad)] : []),
                        item.timeCell("lastSuccess"),
                        item["lastRefusal"]?.timeCell("time") ?? [],
                    ]
                },
                empty: [
                    .text("No credential is set: messages are previewed, not sent. See 'push' in the settings:"),
                    .link("settings", consolePath("settings")),
                ])
            table.notes = items.map { item in
                item["lastRefusal"].map { ConsoleNote(label: "Reason of the last refusal", values: $0.cell("reason")) }
            }
            var blocks: [ConsoleBlock] = [.table(table)]
            if call.may(.operator), !items.isEmpty {
                blocks.append(
                    .buttons([
                        .button("Read the files again", action: consolePath("credentials", "reload"), style: .quiet)
                    ]))
            }
            return ConsoleView(title: "Credentials", sections: [ConsoleSection(live: "credentials", blocks)])
        },
        ConsolePage("sessions", menu: ConsoleMenuEntry(group: .apps, label: "Sessions")) { call in
            let list = try await call.list("sessions", "user", "application", limit: 100)
            return ConsoleView(
                title: "Sessions",
                sections: [
                    ConsoleSection([
                        call.search(
                            "sessions", ConsoleField("user", "User"), ConsoleField("application", "Application"))
                    ]),
                    ConsoleSection(
                        live: "sessions",
                        [
                            .text(
                                "\(list.integer("count").counted("session")) of apps in all. The last used come first, at most 100."
                            ),
                            .table(sessionTable(list.items, call)),
                        ]),
                ])
        },
        ConsolePage("client-log", menu: ConsoleMenuEntry(group: .apps, label: "Client logs")) { call in
            let list = try await call.list("client-log", "level", "application", "device", "text", "cursor", limit: 50)
            var table = clientLogTable(list.items)
            (table.first, table.next) = call.pages(of: "\(root)/client-log", next: list.text("next"))
            return ConsoleView(
                title: "Client logs",
                sections: [
                    ConsoleSection([
                        call.search(
                            "client-log",
                            .choice(
                                "level", "Level", ["FATAL", "ERROR", "WARN", "INFO", "LOG", "DEBUG"], any: "any"),
                            ConsoleField("text", "Text"), ConsoleField("application", "Application"),
                            ConsoleField("device", "Device"))
                    ]), ConsoleSection([.table(table)]),
                ])
        },
        ConsolePage("log", menu: ConsoleMenuEntry(group: .server, label: "Log")) { call in
            let list = try await call.list("logs", "level", "adapter", limit: 100)
            return ConsoleView(
                title: "Log",
                sections: [
                    ConsoleSection([
                        call.search(
                            "log", .choice("level", "From level", Logger.Level.allCases.map(\.rawValue), any: "any"),
                            ConsoleField("adapter", "Adapter"))
                    ]),
                    ConsoleSection(
                        live: "log",
                        [
                            .table(
                                logTable(
                                    (list["entries"]?.array ?? []).reversed(),
                                    empty: [.text("No line since the server's start matches.")]))
                        ]),
                ])
        },
        ConsolePage("settings", menu: ConsoleMenuEntry(group: .server, label: "Settings")) { call in
            try await settingsPage(call)
        },
        ConsolePage("audit", menu: ConsoleMenuEntry(group: .server, label: "Audit log"), role: .admin) { call in
            let list = try await call.list("audit-log", "account", "type", "since", "until", "cursor", limit: 50)
            var table = auditTable(list.items)
            (table.first, table.next) = call.pages(of: "\(root)/audit", next: list.text("next"))
            let filter = auditFilter.compactMap { name in call.field(name).map { (name, $0) } }
            let download = consolePath("audit.csv") + (filter.isEmpty ? "" : "?\(FormFields.encode(filter))")
            return ConsoleView(
                "Audit log",
                [
                    call.search(
                        "audit", ConsoleField("account", "Account"),
                        .choice(
                            "type", "Type", Set(ManagementAPI.routes.compactMap(\.auditType)).sorted(), any: "any"),
                        ConsoleField("since", "Since", hint: "1h, 7d or a time"),
                        ConsoleField("until", "Until", hint: "1h, 7d or a time")),
                    .table(table),
                    .paragraph([
                        .go("Download CSV", download, style: .quiet),
                        .muted("At most the newest \(ManagementAPI.longestCSV) entries that match the search."),
                    ]),
                ])
        },
    ]

    /// The fields of the search of the audit log.
    static let auditFilter = ["account", "type", "since", "until"]

    static let serverActions = [
        ConsoleAction("credentials/reload") { call in
            try await call.change("POST", "credentials", "reload")
            return .done("The files of the credentials were read again.", at: consolePath("credentials"))
        },
        ConsoleAction(
            "sessions/{id}/end",
            asking: { _ in
                ConsoleConfirmation(
                    title: "End the session?",
                    text: "The app begins a new one with its next request; its user has to log in again.",
                    answer: "End the session", cancel: consolePath("sessions"))
            }
        ) { call in
            try await call.change("DELETE", "sessions", call.path("id"))
            return .done("The session was ended.", at: consolePath("sessions"))
        },
    ]

    static func sessionTable(_ items: [JSONValue], _ call: ConsoleCall) -> ConsoleTable {
        ConsoleTable(
            caption: "Sessions of apps",
            columns: [
                .init("Users"), .init("Application"), .init("Version"), .init("Device"), .init("Last used", .fixed),
                .init("Action", .act),
            ],
            rows: items.map { item in
                let users = (item["users"]?.array ?? []).flatMap { user -> [ConsoleValue] in
                    [
                        .link(user.text("user") ?? "", consolePath("users", user.text("user") ?? "")),
                        .muted(user.text("realm") ?? ""),
                    ]
                }
                let device = item.text("device") ?? ""
                let id = item.text("id") ?? ""
                return [
                    users.isEmpty ? [.muted("none")] : users, item.cell("application"),
                    [
                        .text(
                            [item.text("environment"), item.text("version")].compactMap(\.self).joined(separator: " "))
                    ],
                    [.text(device)] + (item.text("model").map { [.muted($0)] } ?? []), item.timeCell("lastUsed"),
                    call.may(.operator)
                        ? [
                            .button(
                                "End", action: consolePath("sessions", id, "end"),
                                name: "the session of \(device.isEmpty ? "an unknown device" : device)", style: .quiet)
                        ] : [],
                ]
            }, empty: [.text("No session. Sessions begin when apps connect; which need the address of this server.")])
    }

    private static func clientLogTable(_ items: [JSONValue]) -> ConsoleTable {
        ConsoleTable(
            caption: "Log entries of apps, newest first",
            columns: [
                .init("Received", .fixed), .init("Level", .fixed), .init("Package"), .init("Message"),
                .init("App and device"),
            ],
            rows: items.map { item in
                let level = item.text("level") ?? ""
                let style: ConsoleStyle = ["FATAL", "ERROR"].contains(level) ? .bad : level == "WARN" ? .warn : .plain
                var message: [ConsoleValue] = item.cell("message")
                if let metadata = item["metadata"] {
                    message.append(.folded("More", text: metadata.prettyText, id: "entry-\(item.text("number") ?? "")"))
                }
                let client = ["application", "version", "environment", "device", "model", "os"].compactMap {
                    item.text($0)
                }
                return [
                    item.timeCell("received"), [.state(level, style)], item.cell("package"), message,
                    [.muted(client.joined(separator: " "))],
                ]
            },
            empty: [
                .text(
                    "No entry matches. Apps send what they log with WL.Logger.send; the setting clientLog.level asks them to."
                )
            ])
    }

    private static func auditTable(_ items: [JSONValue]) -> ConsoleTable {
        ConsoleTable(
            caption: "Audit log, newest first",
            columns: [
                .init("Time", .fixed), .init("Type"), .init("Account"), .init("Address"), .init("Resource"),
                .init("Outcome", .fixed),
                .init("Change"),
            ],
            rows: items.map { item in
                let change = ["before", "after"].compactMap { key in item[key].map { "\(key): \($0.prettyText)" } }
                let (isFailure, status) = (item.text("outcome") == "FAILURE", item.integer("status"))
                let target = item.text("target") ?? ""
                return [
                    item.timeCell("time"), item.cell("type"), item.cell("account"), item.cell("address"),
                    [.mono(PercentEncoding.decode(target[...], plusIsBlank: false) ?? target)],
                    [
                        .state(
                            isFailure ? status < 400 ? "failure" : "failure \(status)" : "success",
                            isFailure ? .bad : .good)
                    ],
                    change.isEmpty
                        ? []
                        : [
                            .folded(
                                "Show", text: change.joined(separator: "\n"), id: "entry-\(item.text("number") ?? "")")
                        ],
                ]
            },
            empty: [.text("No entry matches. Every change by the console, the API or the command line makes one.")])
    }
}
