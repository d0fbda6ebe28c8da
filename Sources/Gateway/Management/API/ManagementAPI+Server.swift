import AdapterRuntime
import Authentication
import PollScheduler
import PushModel
import WorklightProject

extension ManagementAPI {
    static let serverRoutes: [ManagementRoute] = [
        .get(
            "overview", "Show the server's state: adapters, problems, polls, devices, subscriptions and deliveries.",
            answer: .object([
                .required("mode", .choice(["development", "production"])), .required("store", .anyText),
                .required("adapters", .list(.anyText)), .required("eventSources", .list(.anyText)),
                .required("failingPolls", .list(.anyText)), .required("problems", .list(.anyText)),
                .required("sessions", .count), .optional("devices", .count), .optional("subscriptions", .count),
                .optional("smsSubscriptions", .count), .optional("countedAt", .time),
                .required("deliveries", deliveryStates),
            ])
        ) { api, _ in try await api.overview() },
        ManagementRoute(
            method: "GET", path: "openapi.json", summary: "Read this document.", role: .monitor, parameters: [],
            body: nil, status: 200, answer: .anything, problems: [], auditType: nil, isAttended: false
        ) { _, _ in ManagementAnswer(OpenAPIDocument.json) },
    ]

    private func overview() async throws -> JSONValue {
        let runtime = installation.runtime
        let failing = await installation.deployments.scheduler.status().filter { $0.consecutiveFailures > 0 }
        let counts = try await offLoop { [store] in try store.counts() }
        var states = JSONObject()
        for state in DeliveryState.allCases { states[state.rawValue] = .number(Double(counts[state] ?? 0)) }
        var object: JSONObject = [
            "mode": .string(installation.settings.mode.rawValue),
            "store": installation.settings.store == nil ? "SQLite" : "PostgreSQL",
            "adapters": .array(runtime.adapterNames.map { .string($0) }),
            "eventSources": .array(runtime.eventSources.map { .string($0.id.description) }),
            "failingPolls": .array(failing.map { .string($0.eventSource.description) }),
            "problems": .array(installation.problems.map { .string($0.description) }),
            "sessions": .number(Double(installation.security.sessions.count)),
        ]
        if let (counts, time) = try await installation.registrationCounts() {
            object["devices"] = .number(Double(counts.devices))
            object["subscriptions"] = .number(Double(counts.subscriptions))
            object["smsSubscriptions"] = .number(Double(counts.smsSubscriptions))
            object["countedAt"] = .string(time.spelling)
        }
        object["deliveries"] = .object(states)
        return .object(object)
    }
}
