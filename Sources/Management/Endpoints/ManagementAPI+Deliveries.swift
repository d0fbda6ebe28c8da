import Core
import Foundation
import Installation
import Push
import PushModel
import Synchronization

extension ManagementAPI {
    private static let delivery = JSONSchema.object([
        .required("number", .count), .required("id", .anyText), .required("message", .anyText),
        .required("state", .choice(DeliveryState.allCases.map(\.rawValue))), .optional("eventSource", .anyText),
        .optional("user", .anyText), .optional("device", .anyText), .optional("application", .anyText),
        .required("platform", .anyText), .optional("text", .anyText), .required("created", .time),
        .required("expires", .time), .required("attempts", .count),
        .required("failedAttempts", .list(.object([.required("time", .time), .required("reason", .anyText)]))),
        .optional("due", .time), .optional("waitsFor", .count),
        .optional("ended", .time), .optional("reason", .anyText), .optional("serviceID", .anyText),
        .required("options", .anything), .required("requests", .list(.anything)),
    ])

    static let deliveryRoutes: [ManagementRoute] = [
        .get(
            "deliveries", "List deliveries, newest first.",
            [
                .query("state", .choice(DeliveryState.allCases.map(\.rawValue)), "Deliveries in this state."),
                .query("user", .name, "Deliveries to this user."),
                .query("device", .name, "Deliveries to this device."),
                .query("application", .name, "Deliveries to this application."),
                .query("message", .text(36...36), "Deliveries of this message or notification, by its id."),
                .query("since", .pastTime, "Deliveries created at this time or later."),
                .query("until", .pastTime, "Deliveries created before this time."),
            ] + pageParameters, answer: .page(of: delivery)
        ) { api, input in
            let now = api.installation.time.now
            let (since, until) = (input.time("since", now: now), input.time("until", now: now))
            if let since, let until, until <= since {
                throw ManagementError(.badRequest, "expected a time after 'since'", field: "until")
            }
            var filter = DeliveryFilter(
                state: input.text("state").flatMap { DeliveryState(rawValue: $0) }, userID: input.text("user"),
                deviceID: input.text("device"), applicationID: input.text("application"), since: since, until: until)
            if let text = input.text("message") {
                guard let id = UUID(uuidString: text) else {
                    throw ManagementError(.badRequest, "expected a UUID", field: "message")
                }
                filter.notificationID = id
            }
            let before = try input.cursor().map { try $0.integer(0) }
            let page = try await runBlocking { [filter, store = api.store, limit = input.limit] in
                try store.outbox.deliveries(matching: filter, before: before, limit: limit)
            }
            let showsToken = input.principal.role >= .operator
            return Self.page(
                page.items.map { $0.json(showsToken: showsToken) }, next: page.next.map { [.number(Double($0))] })
        },
        .get("deliveries/{number}", "Show a delivery.", answer: delivery, problems: [.notFound]) { api, input in
            try await api.delivery(input).json(showsToken: input.principal.role >= .operator)
        },
        .change(
            "POST", "deliveries/{number}/retry",
            "Queue a refused, expired or previewed delivery again, as a new delivery of the same message.",
            role: .operator, audit: "DeliveryRetry", status: 202, answer: delivery,
            problems: [.notFound, .conflict]
        ) { api, input in
            let old = try await api.delivery(input)
            guard [.refused, .expired, .previewed].contains(old.state) else {
                throw ManagementError(
                    .conflict, "the delivery is \(old.state.rawValue); expected refused, expired or previewed")
            }
            let new = try await api.retry(old)
            input.note.set(before: ["id": .string(old.id.spelling)], after: ["id": .string(new.id.spelling)])
            return ManagementAnswer(status: 202, new.json)
        },
        .change(
            "POST", "deliveries/{number}/cancel",
            "Cancel a queued delivery: it is refused with the reason 'cancelled by an operator'.", role: .operator,
            audit: "DeliveryCancellation", answer: delivery, problems: [.notFound, .conflict]
        ) { api, input in
            let number = Int64(input.integer("number") ?? 0)
            let wasQueued = try await runBlocking { [store = api.store, time = api.installation.time] in
                try store.outbox.cancelDeliveries([number], reason: Installation.cancellation, at: time.now) > 0
            }
            let delivery = try await api.delivery(input)
            guard wasQueued else {
                throw ManagementError(.conflict, "the delivery is \(delivery.state.rawValue); expected queued")
            }
            input.note.set(before: ["state": "queued"], after: ["state": .string(delivery.state.rawValue)])
            return ManagementAnswer(delivery.json)
        },
        followingRoute(
            "deliveries/changes", "Follow what becomes of deliveries.",
            [.query("state", .choice(DeliveryState.allCases.map(\.rawValue)), "Changes to this state.")],
            bell: { $0.store.outbox.changeSignal }, run: { $0.store.outbox.run }
        ) { api, input, poll in
            let state = input.text("state").flatMap { DeliveryState(rawValue: $0) }
            let page = try await poll.page { after in
                let page = try await runBlocking { [store = api.store, limit = poll.query.limit] in
                    try store.outbox.deliveryChanges(after: after, state: state, limit: limit)
                }
                return FollowPage(entries: page.changes, last: page.last, lost: page.lost)
            }
            let showsToken = input.principal.role >= .operator
            return poll.json(page) { $0.json(showsToken: showsToken) }
        },
    ]

    private func delivery(_ input: ManagementInput) async throws -> Delivery {
        let number = Int64(input.integer("number") ?? 0)
        guard let delivery = try await runBlocking({ [store] in try store.outbox.delivery(number) }) else {
            throw ManagementError(
                .notFound, "unknown delivery \(number); deliveries are purged after their retention")
        }
        return delivery
    }
}

extension ManagementAPI {
    /// Queues an ended delivery again, as a new one with the same content, target and time to live.
    ///
    /// - Returns: the new delivery.
    /// - Throws: ``ManagementError`` with status 409 when the device is not registered any more, or when the message has a newer
    ///   delivery to it; `StoreError`.
    func retry(_ old: Delivery) async throws -> Delivery {
        let now = installation.time.now
        let delivery = Delivery(
            notificationID: old.notificationID, content: old.content, target: old.target, createdAt: now,
            expiresAt: now.addingTimeInterval(old.expiresAt.timeIntervalSince(old.createdAt)))
        let stored = try await runBlocking { [store, state] in
            // Two retries at once would both find no newer delivery.
            try state.retries.withLock { _ in
                if let device = old.target.deviceID, let application = old.target.applicationID,
                    try store.registration(applicationID: application, deviceID: device) == nil
                {
                    throw ManagementError(.conflict, "the device '\(device)' is not registered any more")
                }
                let filter = DeliveryFilter(
                    userID: old.target.userID, deviceID: old.target.deviceID, notificationID: old.notificationID)
                let newest = try store.outbox.deliveries(matching: filter, before: nil, limit: 1).items.first
                guard newest?.number.value == old.number.value else {
                    throw ManagementError(
                        .conflict, "delivery \(newest?.number.value ?? 0) of this message to the device is newer")
                }
                try store.outbox.enqueue([delivery])
                try store.outbox.flush()
                return try store.outbox.deliveries(matching: filter, before: nil, limit: 1).items.first
            }
        }
        installation.deliveries.worker.wake()
        return stored ?? delivery
    }
}
