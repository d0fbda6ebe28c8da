import AdapterRuntime
import Core
import Installation
import PushModel

extension ManagementAPI {
    static let subscription = JSONSchema.object([
        .required("eventSource", .anyText), .required("user", .anyText), .optional("device", .anyText),
        .optional("application", .anyText), .optional("alias", .anyText), .required("platform", .anyText),
        .optional("token", .anyText), .optional("options", .anything), .optional("phoneNumber", .anyText),
        .optional("gateway", .anyText),
    ])

    /// A parameter or field that identifies a device's subscription.
    private static let key: [(name: String, isRequired: Bool, summary: String)] = [
        ("eventSource", true, "Adapter.EventSource."), ("user", true, "The user's id."),
        ("device", true, "The device's id."),
        ("application", false, "The application's id; can be left out when the project has only one application."),
    ]

    static let subscriptionRoutes: [ManagementRoute] = [
        .get(
            "subscriptions", "List the subscriptions of devices, then those of phone numbers (platform SMS).",
            [
                .query("eventSource", .name, "Subscriptions to this event source, as Adapter.EventSource."),
                .query("user", .name, "Subscriptions of this user."),
                .query("device", .name, "Subscriptions of this device."),
                .query("application", .name, "Subscriptions of this application."),
            ] + pageParameters, answer: .page(of: subscription), problems: [.notFound]
        ) { api, input in
            var filter = SubscriptionFilter(
                userID: input.text("user"), deviceID: input.text("device"), applicationID: input.text("application"))
            filter.eventSource = try input.text("eventSource").map(Installation.eventSource)
            let after = try input.cursor().map(SubscriptionPosition.init)
            let page = try await runBlocking { [filter, store = api.store, limit = input.limit] in
                try store.subscriptions(matching: filter, after: after, limit: limit)
            }
            // Event sources of adapters that were removed may still have subscriptions.
            if page.items.isEmpty, after == nil, let source = filter.eventSource {
                try api.installation.checkEventSource(source)
            }
            return Self.page(
                page.items.map { item in
                    switch item {
                    case .device(let subscription): subscription.json
                    case .sms(let subscription): subscription.json
                    }
                }, next: page.next?.values)
        },
        .change(
            "POST", "subscriptions", "Subscribe a device to an event source, as its app would.", role: .operator,
            audit: "SubscriptionCreation",
            body: .object([
                .required("eventSource", .name), .required("user", .name), .required("device", .name),
                .required("platform", .choice(Platform.allCases.map(\.rawValue))),
                .required("token", .text(1...8192)), .optional("alias", .name), .optional("application", .name),
                .optional("trace", .bool),
            ]), answer: resultSchema, problems: [.notFound]
        ) { api, input in
            let subscription = try api.installation.deviceSubscription(input.body)
            input.note.set(after: subscription.json)
            return Self.answer(
                to: try await api.installation.withCallbacks(traced: input.body["trace"] == true) { caller in
                    Self.result(try await api.installation.runtime.subscribe(subscription, caller: caller))
                }, input)
        },
        .change(
            "DELETE", "subscriptions", "Remove a device's subscription to an event source.", role: .operator,
            audit: "DeleteSubscriptions",
            key.map { .query($0.name, .name, $0.summary, isRequired: $0.isRequired) } + [
                .query("trace", .bool, "Adds what the adapter's callbacks did.")
            ], answer: resultSchema, problems: [.notFound]
        ) { api, input in
            let source = try Installation.eventSource(input.required("eventSource"))
            let application = try api.installation.application(input.text("application"))
            let (user, device) = (input.required("user"), input.required("device"))
            input.note.set(before: [
                "eventSource": .string(source.description), "user": .string(user), "device": .string(device),
            ])
            return Self.answer(
                to: try await api.installation.withCallbacks(traced: input.isSet("trace")) { caller in
                    let wasThere = try await api.installation.runtime.unsubscribe(
                        eventSource: source, userID: user, deviceID: device, applicationID: application,
                        caller: caller)
                    guard wasThere else {
                        throw ManagementError(
                            .notFound, "unknown subscription; 'lamplighter subscriptions' lists all")
                    }
                    return TracedResult(result: #"{"isSuccessful":true}"#)
                }, input)
        },
    ]

    private static func result(_ reply: SubscribeReply) -> TracedResult {
        switch reply {
        case .subscribed(let change, var object):
            object["isSuccessful"] = true
            object["subscription"] = .string("\(change)")
            return TracedResult(result: JSONValue.object(object).text)
        case .refused(var object, let errors):
            object["isSuccessful"] = false
            object["errors"] = .array(errors.map { .string($0) })
            return TracedResult(result: JSONValue.object(object).text, isSuccessful: false)
        }
    }
}

extension SubscriptionPosition {
    /// - Throws: ``ManagementError`` for values that ``values`` does not return.
    fileprivate init(_ cursor: PageCursor) throws(ManagementError) {
        let source = EventSourceID(adapter: try cursor.text(1), name: try cursor.text(2))
        switch try cursor.text(0) {
        case "device":
            self = .device(
                source, userID: try cursor.text(3), deviceID: try cursor.text(4), applicationID: try cursor.text(5))
        case "sms": self = .sms(source, digits: try cursor.text(3))
        default: throw PageCursor.problem
        }
    }

    fileprivate var values: [JSONValue] {
        switch self {
        case .device(let source, let user, let device, let application):
            ["device", source.adapter, source.name, user, device, application].map(JSONValue.string)
        case .sms(let source, let digits): ["sms", source.adapter, source.name, digits].map(JSONValue.string)
        }
    }
}
