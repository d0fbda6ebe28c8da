import Core
import Installation
import PushModel

extension ManagementAPI {
    static let deliveryStates = JSONSchema.object(
        DeliveryState.allCases.map { .required($0.rawValue, .count) })

    private static let letters = Platform.allCases.compactMap(\.letter).sorted()

    /// Exactly one of the members.
    private static let target = JSONSchema.object([
        .optional("userIds", .list(.name)), .optional("deviceIds", .list(.name)), .optional("tagNames", .list(.name)),
        .optional("platforms", .list(.choice(letters))),
        .optional("eventSource", .name),
    ])

    /// Those for which `settings` can have something.
    private static let services = PushNotification.Block.allCases.filter { $0 != .sms }.map { $0.rawValue.lowercased() }
        .sorted()

    private static let message = JSONSchema.object([
        .optional("application", .name), .required("message", .object([.required("alert", .text(0...Int.max))])),
        .optional("target", target),
        .optional("settings", .object(services.map { .optional($0, .map(.anything)) })),
    ])

    static let messageRoutes: [ManagementRoute] = [
        .change(
            "POST", "messages",
            "Send a message to users, devices, tags, platforms, the subscribers of an event source, or everybody.",
            role: .operator, audit: "sendMessage",
            [
                ManagementRoute.Parameter(
                    name: "Idempotency-Key", place: .header, schema: .text(1...255),
                    summary: "A request that an account repeats with this key within 24 hours does not send again.")
            ],
            body: message, status: 202,
            answer: .object([
                .required("id", .anyText), .required("recipients", .count), .required("warnings", .list(.anyText)),
            ]), problems: [.notFound, .unprocessable]
        ) { api, input in
            // No account's name has a line end.
            let key = input.text("Idempotency-Key").map { "\(input.principal.account)\n\($0)" }
            let body = try await api.installation.send(input.body, idempotencyKey: key)
            input.note.set(after: body)
            return ManagementAnswer(status: 202, body)
        },
        ManagementRoute(
            method: "POST", path: "messages/preview",
            summary:
                "Count the recipients of a message by platform, with a request to each push service. Nothing is sent.",
            role: .operator, parameters: [], body: message, status: 200,
            answer: .object([
                .required("recipients", .count), .required("warnings", .list(.anyText)),
                .required(
                    "platforms",
                    .list(
                        .object([
                            .required("platform", .anyText), .required("recipients", .count),
                            .required("requests", .list(.anything)), .optional("problem", .anyText),
                        ]))),
            ]), problems: [.notFound], auditType: nil, isInteractive: true
        ) { api, input in ManagementAnswer(try await api.installation.preview(input.body)) },
        .change(
            "POST", "messages/{id}/cancel",
            "Cancel a message: no further deliveries are created, and queued deliveries are refused.", role: .operator,
            audit: "MessageCancellation", answer: .object([.required("cancelled", .count)]), problems: [.notFound]
        ) { api, input in
            let count = try await api.installation.cancelMessage(input.required("id"))
            input.note.set(after: ["cancelled": .number(Double(count))])
            return ManagementAnswer(["cancelled": .number(Double(count))])
        },
        .get(
            "messages/{id}", "Count the deliveries of a message in each state.",
            answer: .object([
                .required("id", .anyText), .optional("application", .anyText), .optional("created", .time),
                .required("isComplete", .bool), .required("deliveries", deliveryStates),
            ]), problems: [.notFound]
        ) { api, input in try await api.installation.message(input.required("id")) },
    ]
}
