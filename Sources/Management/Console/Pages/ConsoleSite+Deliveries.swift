import Core
import Installation
import PushModel

/// Deliveries.
extension ConsoleSite {
    static let deliveryPages = [
        ConsolePage("deliveries", menu: ConsoleMenuEntry(group: .push, label: "Deliveries")) { call in
            let list = try await call.list(
                "deliveries", "state", "user", "device", "application", "message", "since", "until", "cursor", limit: 50
            )
            let search = call.search(
                "deliveries", .choice("state", "State", DeliveryState.allCases.map(\.rawValue), any: "any"),
                ConsoleField("user", "User id"), ConsoleField("device", "Device id"),
                ConsoleField("application", "Application"), ConsoleField("since", "Since", hint: "1h, 7d or a time"),
                ConsoleField("until", "Until", hint: "1h, 7d or a time"),
                keeping: "message")
            var table = deliveryTable(list.items, call)
            (table.first, table.next) = call.pages(of: "\(root)/deliveries", next: list.text("next"))
            return ConsoleView(
                title: "Deliveries",
                sections: [
                    ConsoleSection([search]),
                    ConsoleSection(live: call.field("cursor") == nil ? "deliveries" : nil, [.table(table)]),
                ])
        },
        ConsolePage("deliveries/{number}") { call in
            let delivery = try await call.get("deliveries", call.path("number"))
            var sections = [
                ConsoleSection(live: "delivery", [.facts(facts(of: delivery)), .buttons(buttons(of: delivery, call))])
            ]
            sections.append(ConsoleSection("Failed attempts", live: "attempts", failedAttempts(of: delivery)))
            let requests = delivery["requests"]?.array ?? []
            sections.append(
                ConsoleSection(
                    "Requests to the push service", live: "requests",
                    requests.isEmpty
                        ? [.text(missingRequests(delivery))]
                        : requests.flatMap(requestBlocks)))
            sections.append(
                ConsoleSection(
                    "Notification",
                    [.code(caption: "Options of the notification", text: delivery["options"]?.prettyText ?? "")]))
            return ConsoleView(title: "Delivery \(call.path("number"))", sections: sections)
        },
    ]

    static let deliveryActions = [
        ConsoleAction("deliveries/{number}/retry") { call in
            let new = try await call.change("POST", "deliveries", call.path("number"), "retry")
            let number = new.text("number") ?? ""
            return .done(
                "Delivery \(call.path("number")) was queued again as delivery \(number).",
                at: consolePath("deliveries", number))
        },
        ConsoleAction(
            "deliveries/{number}/cancel",
            asking: { call in
                let delivery = try await call.get("deliveries", call.path("number"))
                return ConsoleConfirmation(
                    title: "Cancel delivery \(call.path("number"))?",
                    text: "The notification to \(delivery.recipient) will not be sent.",
                    answer: "Cancel the delivery", cancel: consolePath("deliveries", call.path("number")))
            }
        ) { call in
            try await call.change("POST", "deliveries", call.path("number"), "cancel")
            return .done(
                "Delivery \(call.path("number")) was cancelled.", at: consolePath("deliveries", call.path("number")))
        },
    ]

    /// The reason for which a delivery has no request.
    private static func missingRequests(_ delivery: JSONValue) -> String {
        if delivery.integer("attempts") == 0 { return "It has not been attempted." }
        return delivery["serviceID"] == nil
            ? "The last attempt ended before a request was sent."
            : "The push service took it under the id above. Requests that a service took and named are not kept."
    }

    /// A table of deliveries.
    static func deliveryTable(_ items: [JSONValue], _ call: ConsoleCall) -> ConsoleTable {
        ConsoleTable(
            caption: "Deliveries, newest first",
            columns: [
                .init("Number", .fixed), .init("State", .fixed), .init("Text", .line), .init("User", .line),
                .init("Device", .line), .init("Created", .fixed), .init("Reason", .line), .init("Action", .act),
            ],
            rows: items.map { item in
                let number = item.text("number") ?? ""
                return [
                    [.link(number, consolePath("deliveries", number))], [item.stateValue], item.cell("text"),
                    userCell(item), deviceCell(item), item.agoCell("created"),
                    waitingCell(item) + item.cell("reason"), buttons(of: item, call),
                ]
            },
            empty: [
                .text("No delivery matches. Deliveries appear when an adapter notifies somebody, or when you"),
                .link("send a message", consolePath("send")),
            ])
    }

    /// The delivery that a queued one waits for.
    private static func waitingCell(_ item: JSONValue) -> [ConsoleValue] {
        item.text("waitsFor").map { [.text("waits for delivery"), .link($0, consolePath("deliveries", $0))] } ?? []
    }

    /// A device as a link to its page.
    static func deviceCell(_ item: JSONValue) -> [ConsoleValue] {
        guard let device = item.text("device") else { return item.cell("phoneNumber") }
        let platform = item.text("platform").map { [ConsoleValue.muted($0)] } ?? []
        guard let application = item.text("application") else { return [.text(device)] + platform }
        return [.link(device, consolePath("devices", application, device))] + platform
    }

    private static func buttons(of delivery: JSONValue, _ call: ConsoleCall) -> [ConsoleValue] {
        guard call.may(.operator), let number = delivery.text("number") else { return [] }
        switch delivery.text("state") {
        case "refused", "expired", "previewed":
            return [
                .button(
                    "Retry", action: consolePath("deliveries", number, "retry"), name: "delivery \(number)",
                    style: .quiet)
            ]
        case "queued":
            return [
                .button(
                    "Cancel", action: consolePath("deliveries", number, "cancel"), name: "delivery \(number)",
                    style: .quiet)
            ]
        default: return []
        }
    }

    private static func facts(of delivery: JSONValue) -> [(label: String, values: [ConsoleValue])] {
        let message = delivery.text("message").map { [ConsoleValue.link($0, consolePath("messages", $0))] } ?? []
        return [
            ("State", [delivery.stateValue] + waitingCell(delivery) + delivery.cell("reason")),
            ("Text", delivery.cell("text")),
            ("User", userCell(delivery)),
            ("Device", deviceCell(delivery)),
            ("Application", delivery.cell("application")), ("Event source", delivery.cell("eventSource")),
            ("Created", delivery.timeCell("created")), ("Due", delivery.timeCell("due")),
            ("Ended", delivery.timeCell("ended")), ("Expires", delivery.timeCell("expires")),
            ("Attempts", delivery.cell("attempts")), ("Id at the push service", delivery.cell("serviceID")),
            ("Message", message),
        ]
    }

    /// The failed attempts of a delivery, oldest first.
    private static func failedAttempts(of delivery: JSONValue) -> [ConsoleBlock] {
        let attempts = delivery["failedAttempts"]?.array ?? []
        let table = ConsoleTable(
            caption: "Failed attempts, oldest first", columns: [.init("Time", .fixed), .init("Answer")],
            rows: attempts.map { [$0.timeCell("time"), $0.cell("reason")] }, empty: [.text("No attempt has failed.")])
        guard attempts.count == DeliveryFailure.limit else { return [.table(table)] }
        return [.text("Only the newest \(DeliveryFailure.limit) failed attempts are kept."), .table(table)]
    }

    static func requestBlocks(_ request: JSONValue) -> [ConsoleBlock] {
        let headers = request["headers"]?.object?.members.map { "\($0.key): \($0.value.string ?? $0.value.text)" } ?? []
        let body = request["body"].map { $0.string ?? $0.prettyText } ?? ""
        return [
            .paragraph([
                .text(request.text("service") ?? ""),
                .mono("\(request.text("method") ?? "") \(request.text("url") ?? "")"),
            ]),
            .code(caption: "Request", text: (headers + ["", body]).joined(separator: "\n")),
        ]
    }
}

extension JSONValue {
    /// A delivery's state with its colour.
    var stateValue: ConsoleValue {
        let state = text("state") ?? ""
        return .state(state, Self.stateStyle(state))
    }

    static func stateStyle(_ state: String) -> ConsoleStyle {
        switch state {
        case "delivered": .good
        case "refused", "expired": .bad
        case "previewed": .warn
        default: .plain
        }
    }

    /// A delivery's recipient in words.
    fileprivate var recipient: String {
        [text("user").map { "user '\($0)'" }, text("device").map { "device '\($0)'" }].compactMap(\.self)
            .joined(separator: ", ")
    }
}
