import AdapterRuntime
import Authentication
import Core
import Foundation
import Installation
import PollScheduler
import Push
import PushModel
import Synchronization
import WorklightProject

extension ManagementAPI {
    private static let credential = JSONSchema.object([
        .required("service", .anyText), .optional("application", .anyText), .required("credential", .anyText),
        .optional("problem", .anyText),
        .optional("expires", .time), .optional("lastSuccess", .time),
        .optional("lastRefusal", .object([.required("time", .time), .required("reason", .anyText)])),
    ])

    private static let session = JSONSchema.object([
        .required("id", .anyText), .optional("application", .anyText), .optional("environment", .anyText),
        .optional("version", .anyText), .optional("device", .anyText), .optional("model", .anyText),
        .required("users", .list(.object([.required("realm", .anyText), .required("user", .anyText)]))),
        .required("lastUsed", .time),
    ])

    /// The server that runs; absent where a command has opened the installation.
    private static let server = JSONSchema.object([
        .required("url", .anyText), .optional("consoleURL", .anyText), .required("process", .count),
        .required("version", .anyText), .required("started", .time), .required("jit", .bool),
    ])

    static let serverRoutes: [ManagementRoute] = [
        .get(
            "overview", "Show the server's state: adapters, problems, polls, devices, subscriptions and deliveries.",
            answer: .object([
                .required("mode", .choice(["development", "production"])), .required("store", .anyText),
                .required("adapters", .list(.anyText)), .required("eventSources", .list(.anyText)),
                .required("failingPolls", .list(.anyText)), .required("problems", .list(.anyText)),
                .required("variables", .list(.anyText)), .required("calls", .list(.anyText)),
                .required("state", .choice(HealthReport.HealthState.allCases.map(\.rawValue))),
                .required("alerts", .list(HealthFinding.schema)),
                .optional("server", server),
                .required("sessions", .count), .optional("devices", .count), .optional("subscriptions", .count),
                .optional("smsSubscriptions", .count), .optional("countedAt", .time),
                .optional("deliveries", deliveryStates),
            ])
        ) { api, _ in await api.overview() },
        .get(
            "activity",
            "List what the servers have done in each interval of a range, oldest first. Intervals without any server are left out.",
            [
                .query(
                    "range", .choice(ActivityRange.allCases.map(\.rawValue)),
                    "The last 15 minutes (the default) to 30 days.")
            ],
            answer: .object([
                .required("range", .anyText), .required("interval", .count), .required("items", .list(activity)),
            ])
        ) { api, input in
            try await api.activity(input.text("range").flatMap { ActivityRange(rawValue: $0) } ?? .quarterHour)
        },
        .get(
            "settings",
            "List the settings with their values and sources. Secrets have no value; 'unset' says what a missing value means.",
            answer: .page(
                of: .object([
                    .required("key", .anyText), .optional("value", .anyText), .optional("unset", .anyText),
                    .required("secret", .bool), .required("source", .anyText), .required("expected", .anyText),
                ]))
        ) { api, _ in
            let items = api.installation.settings.shown.map { setting -> JSONValue in
                var object: JSONObject = ["key": .string(setting.key)]
                object["value"] = setting.value.map(JSONValue.string)
                object["unset"] = setting.unset.map(JSONValue.string)
                object["secret"] = .bool(setting.isSecret)
                object["source"] = .string(setting.source)
                object["expected"] = .string(setting.expected)
                return .object(object)
            }
            return ["items": .array(items)]
        },
        .get(
            "credentials",
            "List the credentials of the push services, with the services' last responses since the server's start.",
            answer: .page(of: credential)
        ) { api, _ in ["items": .array(api.installation.deliveries.credentials.status.map(\.json))] },
        .change(
            "POST", "credentials/reload",
            "Read the files of the credentials again. If a valid one became invalid, all former ones stay in use.",
            role: .operator,
            audit: "CredentialReload", answer: .page(of: credential), problems: [.unprocessable]
        ) { api, _ in
            do {
                try await api.installation.deliveries.credentials.reload()
            } catch {
                throw ManagementError(.unprocessable, "\(error)")
            }
            return ManagementAnswer(["items": .array(api.installation.deliveries.credentials.status.map(\.json))])
        },
        .get(
            "sessions", "List the sessions of clients, last used first. 'count' is the number of all sessions.",
            [
                .query("user", .name, "Sessions in which this user is logged in."),
                .query("application", .name, "Sessions of this application."),
                .query("limit", .integer(1...1000), "The largest number of items; the default is 100."),
            ],
            answer: .object([.required("items", .list(session)), .required("count", .count)])
        ) { api, input in
            let sessions = api.installation.security.sessions
            let time = api.installation.time
            let (user, application) = (input.text("user"), input.text("application"))
            let items = sessions.newest().lazy.map { $0.session.json(idle: time.uptime - $0.lastUse, now: time.now) }
                .filter { item in
                    (application == nil || item["application"]?.string == application)
                        && (user == nil || item["users"]?.array?.contains { $0["user"]?.string == user } == true)
                }
            return [
                "items": .array(Array(items.prefix(input.limit))), "count": .number(Double(sessions.count)),
            ]
        },
        .change(
            "DELETE", "sessions/{id}", "End a session. Its client begins a new one with its next request.",
            role: .operator, audit: "SessionDeletion", answer: session, problems: [.notFound]
        ) { api, input in
            let (sessions, time) = (api.installation.security.sessions, api.installation.time)
            let found = sessions.newest().first { $0.session.client.id == input.required("id") }
            guard let found else { throw ManagementError(.notFound, "unknown session") }
            let json = found.session.json(idle: time.uptime - found.lastUse, now: time.now)
            sessions.end(found.session)
            input.note.set(before: json)
            return ManagementAnswer(json)
        },
        ManagementRoute(
            method: "GET", path: "openapi.json", summary: "Read this document.", role: .monitor, parameters: [],
            body: nil, status: 200, answer: .anything, problems: [], auditType: nil, isInteractive: false
        ) { _, _ in ManagementAnswer(OpenAPIDocument.json) },
    ]

    private func overview() async -> JSONValue {
        let runtime = installation.runtime
        let failing = await installation.deployments.scheduler.status().filter { $0.consecutiveFailures > 0 }
        let health = await installation.currentHealth()
        // Without the store, the numbers are missing, and the findings say why.
        let counts = health.isStoreFailing ? nil : try? await runBlocking { [store] in try store.outbox.counts() }
        var object: JSONObject = [
            "mode": .string(installation.settings.mode.rawValue),
            "store": installation.settings.store == nil ? "SQLite" : "PostgreSQL",
            "adapters": .array(runtime.adapterNames.map { .string($0) }),
            "eventSources": .array(runtime.eventSources.map { .string($0.id.description) }),
            "state": .string(health.state.rawValue),
            "alerts": .array(health.findings.map(\.json)),
            "failingPolls": .array(failing.map { .string($0.eventSource.description) }),
            "problems": .array(installation.problems.map { .string($0.description) }),
            "variables": .array(runtime.scopeNotes.map { .string($0) }),
            "calls": .array(
                runtime.activeCalls.sorted { $0.key < $1.key }.map { .string("\($0.key): \($0.value.summary)") }),
            "sessions": .number(Double(installation.security.sessions.count)),
        ]
        if counts != nil, let (counts, time) = try? await registrationCounts() {
            object["devices"] = .number(Double(counts.devices))
            object["subscriptions"] = .number(Double(counts.subscriptions))
            object["smsSubscriptions"] = .number(Double(counts.smsSubscriptions))
            object["countedAt"] = .string(time.spelling)
        }
        if let counts {
            var states = JSONObject()
            for state in DeliveryState.allCases { states[state.rawValue] = .number(Double(counts[state] ?? 0)) }
            object["deliveries"] = .object(states)
        }
        object["server"] = installation.server.json
        return .object(object)
    }
}

extension ManagementAPI {
    /// The numbers of devices and subscriptions, counted once a minute at most.
    ///
    /// - Returns: the numbers, and when they were counted.
    /// - Throws: `StoreError`.
    func registrationCounts() async throws -> (RegistrationCounts, Date)? {
        let now = installation.time.uptime
        let (known, isDue) = state.registrations.withLock { counted -> ((RegistrationCounts, Date)?, Bool) in
            let isDue = counted.nextCount <= now
            if isDue { counted.nextCount = now + .seconds(60) }
            return (counted.counts, isDue)
        }
        guard isDue else { return known }
        let count: @Sendable () async throws -> (RegistrationCounts, Date) = {
            [store, state, time = installation.time] in
            let counts = (try await runBlocking { try store.registrationCounts() }, time.now)
            state.registrations.withLock { $0.counts = counts }
            return counts
        }
        guard let known else { return try await count() }
        // The next call gets the new numbers.
        Task { try? await count() }
        return known
    }
}

extension CredentialStatus {
    fileprivate var json: JSONValue {
        var object: JSONObject = ["service": .string(service.rawValue)]
        object["application"] = applicationID.map(JSONValue.string)
        object["credential"] = .string(credential)
        object["problem"] = problem.map(JSONValue.string)
        object["expires"] = (expires?.spelling).map(JSONValue.string)
        object["lastSuccess"] = (answers.lastSuccess?.spelling).map(JSONValue.string)
        object["lastRefusal"] = answers.lastRefusal.map {
            ["time": .string($0.date.spelling), "reason": .string($0.reason)]
        }
        return .object(object)
    }
}

extension ServerSession {
    /// Without anything by which a client proves its session.
    fileprivate func json(idle: Duration, now: Date) -> JSONValue {
        var object: JSONObject = ["id": .string(client.id)]
        object["application"] = (application?.id).map(JSONValue.string)
        object["environment"] = (application?.environment.name).map(JSONValue.string)
        object["version"] = (application?.version).map(JSONValue.string)
        object["device"] = (device?.id).map(JSONValue.string)
        object["model"] = (device?.model).map(JSONValue.string)
        let users = client.realms.sorted().compactMap { realm -> JSONValue? in
            guard let user = client.identity(in: realm)?["userId"]?.string else { return nil }
            return ["realm": .string(realm), "user": .string(user)]
        }
        object["users"] = .array(users)
        object["lastUsed"] = .string(now.addingTimeInterval(-(idle / .seconds(1))).spelling)
        return .object(object)
    }
}

extension HealthFinding {
    fileprivate static let schema = JSONSchema.object([
        .required("severity", .choice(Severity.allCases.map(\.rawValue))),
        .required("subject", .choice(HealthCheck.Name.allCases.map(\.rawValue))), .optional("name", .anyText),
        .required("text", .anyText), .required("remedy", .anyText), .optional("since", .time),
        .optional("lastTried", .time),
    ])
}
