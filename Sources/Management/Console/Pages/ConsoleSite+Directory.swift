import Core
import Installation
import PushModel

/// Users, devices and subscriptions.
extension ConsoleSite {
    static let directoryPages = [
        ConsolePage("users", menu: ConsoleMenuEntry(group: .push, label: "Users")) { call in
            let list = try await call.list("users", "prefix", "cursor", limit: 50)
            var table = ConsoleTable(
                caption: "Users", columns: [.init("User"), .init("Action", .act)],
                rows: list.items.map { item in
                    let user = item.text("user") ?? ""
                    return [
                        [.link(user, consolePath("users", user))],
                        [.link("Deliveries", consoleAddress("deliveries", ["user": user]))],
                    ]
                },
                empty: [.text("No user matches. Users appear when their apps register or subscribe for notifications.")]
            )
            (table.first, table.next) = call.pages(of: "\(root)/users", next: list.text("next"))
            return ConsoleView(
                "Users",
                [
                    call.search(
                        "users", ConsoleField("prefix", "User id begins with", hint: "Upper and lower case differ.")),
                    .table(table),
                ])
        },
        ConsolePage("users/{user}") { call in
            let user = call.path("user")
            async let devices = call.get("devices", query: ["user": user, "limit": "50"])
            async let subscriptions = call.get("subscriptions", query: ["user": user, "limit": "50"])
            async let deliveries = call.get("deliveries", query: ["user": user, "limit": "10"])
            async let sessions = call.get("sessions", query: ["user": user, "limit": "20"])
            return ConsoleView(
                title: user,
                sections: [
                    ConsoleSection(
                        "Devices",
                        [
                            .table(
                                deviceTable(
                                    try await devices.items,
                                    empty: "No device is registered with this user as its last user."))
                        ]),
                    ConsoleSection("Subscriptions", [.table(subscriptionTable(try await subscriptions.items, call))]),
                    ConsoleSection(
                        "Newest deliveries", live: "deliveries",
                        [.table(deliveryTable(try await deliveries.items, call))]),
                    ConsoleSection("Sessions", [.table(sessionTable(try await sessions.items, call))]),
                ])
        },
        ConsolePage("devices", menu: ConsoleMenuEntry(group: .push, label: "Devices")) { call in
            let list = try await call.list(
                "devices", "prefix", "user", "application", "platform", "tag", "cursor", limit: 50)
            var table = deviceTable(
                list.items, empty: "No device matches. Devices appear when their apps register for notifications."
            )
            (table.first, table.next) = call.pages(of: "\(root)/devices", next: list.text("next"))
            return ConsoleView(
                "Devices",
                [
                    call.search(
                        "devices", ConsoleField("prefix", "Device id begins with"), ConsoleField("user", "Last user"),
                        ConsoleField("application", "Application"),
                        .choice("platform", "Platform", Platform.allCases.map(\.rawValue), any: "any"),
                        ConsoleField("tag", "Tag")),
                    .table(table),
                ])
        },
        ConsolePage("devices/{application}/{device}") { call in
            let (application, device) = (call.path("application"), call.path("device"))
            let json = try await call.get("devices", application, device)
            let deliveries = try await call.get(
                "deliveries", query: ["device": device, "application": application, "limit": "10"])
            var buttons: [ConsoleValue] = []
            if call.may(.operator) {
                buttons = [
                    .go(
                        "Send a message", consoleAddress("send", ["application": application, "device": device]),
                        style: .quiet),
                    json["blocked"] == nil
                        ? .button(
                            "Block", action: consolePath("devices", application, device, "block"), name: "the device",
                            style: .danger)
                        : .button(
                            "Unblock", action: consolePath("devices", application, device, "unblock"),
                            name: "the device",
                            style: .quiet),
                    .button(
                        "Remove", action: consolePath("devices", application, device, "remove"), name: "the device",
                        style: .danger),
                ]
            }
            let tags = json.texts("tags")
            let facts: [(label: String, values: [ConsoleValue])] = [
                ("Application", json.cell("application")), ("Platform", json.cell("platform")),
                ("Last user", userCell(json)), ("Token", json.text("token").map { [.mono($0)] } ?? []),
                ("Last seen", json.timeCell("lastSeen")),
                (
                    "Blocked",
                    json.text("blocked").map { [.state("blocked", .bad), .text("since"), .time($0)] } ?? [.muted("no")]
                ),
                ("Tags", tags.isEmpty ? [.muted("none")] : tags.map { .state($0, .plain) }),
            ]
            let subscriptions = subscriptionTable(json["subscriptions"]?.array ?? [], call)
            return ConsoleView(
                title: device,
                sections: [
                    ConsoleSection([.facts(facts), .buttons(buttons)]),
                    ConsoleSection("Subscriptions", [.table(subscriptions)]),
                    ConsoleSection(
                        "Newest deliveries", live: "deliveries", [.table(deliveryTable(deliveries.items, call))]),
                ])
        },
        ConsolePage("subscriptions", menu: ConsoleMenuEntry(group: .push, label: "Subscriptions")) { call in
            let list = try await call.list("subscriptions", "eventSource", "user", "device", "cursor", limit: 50)
            var table = subscriptionTable(list.items, call)
            (table.first, table.next) = call.pages(of: "\(root)/subscriptions", next: list.text("next"))
            var source = ConsoleField("eventSource", "Event source", hint: "Adapter.EventSource")
            source.suggestions = try await call.get("overview").texts("eventSources")
            return ConsoleView(
                "Subscriptions",
                [
                    call.search(
                        "subscriptions", source, ConsoleField("user", "User"), ConsoleField("device", "Device")),
                    .table(table),
                ])
        },
    ]

    static let directoryActions = [
        ConsoleAction(
            "devices/{application}/{device}/block",
            asking: { call in
                // Apps of all devices with this id or a suffix of the server's name the same id.
                let named = DeviceClaim.named(call.path("device"))
                return ConsoleConfirmation(
                    title: "Block the device?",
                    text: """
                        The server refuses the app '\(call.path("application"))' on every device that names the id '\(named)', and \
                        sends it no notifications, until you unblock the device. These devices are '\(named)' and, if there are any, '\(named)~…'. Its user \
                        sees: \(DeviceBlocks.message)
                        """,
                    answer: "Block the device",
                    cancel: consolePath("devices", call.path("application"), call.path("device")))
            }
        ) { call in
            let (application, device) = (call.path("application"), call.path("device"))
            try await call.change("PUT", "devices", application, device, "block")
            return .done("The device is blocked.", at: consolePath("devices", application, device))
        },
        ConsoleAction("devices/{application}/{device}/unblock") { call in
            let (application, device) = (call.path("application"), call.path("device"))
            try await call.change("DELETE", "devices", application, device, "block")
            return .done("The device is not blocked any more.", at: consolePath("devices", application, device))
        },
        ConsoleAction(
            "devices/{application}/{device}/remove",
            asking: { call in
                ConsoleConfirmation(
                    title: "Remove the device?",
                    text: """
                        The registration of '\(call.path("device"))' in '\(call.path("application"))' is removed with its tags and \
                        subscriptions. It gets no notifications until its app registers again.
                        """,
                    answer: "Remove the device",
                    cancel: consolePath("devices", call.path("application"), call.path("device")))
            }
        ) { call in
            try await call.change("DELETE", "devices", call.path("application"), call.path("device"))
            return .done("The device '\(call.path("device"))' was removed.", at: consolePath("devices"))
        },
        ConsoleAction(
            "subscriptions/remove",
            asking: { call in
                ConsoleConfirmation(
                    title: "Remove the subscription?",
                    text: """
                        The device '\(call.field("device") ?? "")' of the user '\(call.field("user") ?? "")' gets no notifications of \
                        '\(call.field("eventSource") ?? "")' until its app subscribes again.
                        """,
                    answer: "Remove the subscription", cancel: consolePath("subscriptions"))
            }
        ) { call in
            let names = ["eventSource", "user", "device", "application"]
            _ = try await call.send(
                ManagementCall(
                    "DELETE", segments: ["subscriptions"],
                    query: names.compactMap { name in call.field(name).map { (name, $0) } }))
            return .done("The subscription was removed.", at: consolePath("subscriptions"))
        },
    ]

    /// A user as a link to its page.
    static func userCell(_ item: JSONValue) -> [ConsoleValue] {
        item.text("user").map { [.link($0, consolePath("users", $0))] } ?? []
    }

    private static func deviceTable(_ items: [JSONValue], empty: String) -> ConsoleTable {
        ConsoleTable(
            caption: "Devices",
            columns: [
                .init("Device"), .init("Last user"), .init("Application"), .init("Platform"), .init("Token"),
                .init("Last seen", .fixed),
            ],
            rows: items.map { item in
                let device = item.text("device") ?? ""
                let link = ConsoleValue.link(device, consolePath("devices", item.text("application") ?? "", device))
                return [
                    item["blocked"] == nil ? [link] : [link, .state("blocked", .bad)], userCell(item),
                    item.cell("application"),
                    item.cell("platform"), item.text("token").map { [.mono($0)] } ?? [],
                    item.timeCell("lastSeen"),
                ]
            }, empty: [.text(empty)])
    }

    private static func subscriptionTable(_ items: [JSONValue], _ call: ConsoleCall) -> ConsoleTable {
        ConsoleTable(
            caption: "Subscriptions",
            columns: [
                .init("Event source"), .init("User"), .init("Device"), .init("Application"), .init("Alias"),
                .init("Action", .act),
            ],
            rows: items.map { item in
                var buttons: [ConsoleValue] = []
                if call.may(.operator), let device = item.text("device") {
                    let fields = ["eventSource", "user", "device", "application"].compactMap { name in
                        item.text(name).map { (name, $0) }
                    }
                    buttons = [
                        .button(
                            "Remove", action: "\(root)/subscriptions/remove?\(FormFields.encode(fields))",
                            name: "the subscription of \(device)", style: .quiet)
                    ]
                }
                return [
                    item.cell("eventSource"), userCell(item),
                    deviceCell(item), item.cell("application"), item.cell("alias"), buttons,
                ]
            },
            empty: [.text("No subscription. Apps subscribe; for a test, run"), .mono("lamplighter subscribe --help")])
    }
}
