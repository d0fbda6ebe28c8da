import AdapterRuntime
import Authentication
import Foundation
import PushModel
import Storage
import WorklightProject

extension Installation {
    /// Answers a request.
    ///
    /// - Throws: ``ManagementError``, `UnknownNameError`, `DeviceTokenError`, `StoreError`.
    public func answer(_ request: ManagementRequest) async throws -> ManagementReply {
        switch request {
        case .invoke(let adapter, let procedure, let parameters, let isAttended):
            let result =
                if isAttended {
                    await Self.caller.untilCancelled { caller in
                        await runtime.invoke(
                            adapter: adapter, procedure: procedure, parameters: parameters, caller: caller)
                    }
                } else {
                    await runtime.invoke(
                        adapter: adapter, procedure: procedure, parameters: parameters, caller: Self.caller)
                }
            return ManagementReply(body: result.json, isSuccessful: result.isSuccessful)
        case .traceInvocation(let adapter, let procedure, let parameters):
            return await trace(adapter: adapter, procedure: procedure, parameters: parameters)
        case .tracePoll(let adapter, let source):
            return await tracePoll(EventSourceID(adapter: adapter, name: source))
        case .evaluate(let form):
            return try await evaluate(form)
        case .traceEvent(let adapter, let kind, let event):
            return try await traceEvent(AdapterEvent(kind: kind, json: event), adapter: adapter)
        case .subscribe(let form):
            let subscription = try deviceSubscription(form)
            return try await withCallbacks(traced: form.trace) { caller in
                Self.reply(try await runtime.subscribe(subscription, caller: caller))
            }
        case .unsubscribe(let form):
            let (source, application) = (try eventSource(form.eventSource), try application(form.application))
            return try await withCallbacks(traced: form.trace) { caller in
                let wasThere = try await runtime.unsubscribe(
                    eventSource: source, userID: form.user, deviceID: form.device, applicationID: application,
                    caller: caller)
                return ManagementReply(
                    body: JSONValue(dictionaryLiteral: ("isSuccessful", .bool(wasThere))).text, isSuccessful: wasThere)
            }
        case .subscriptions(let source, let user, let application):
            var filter = SubscriptionFilter(userID: user, applicationID: application)
            if let source { filter.eventSource = try eventSource(source) }
            let list = try await offLoop { [filter, store] in
                try store.deviceSubscriptions(matching: filter).map(\.json)
                    + store.smsSubscriptions(matching: filter).map(\.json)
            }
            return ManagementReply(body: JSONValue.array(list).text, isSuccessful: true)
        case .deliveries(let state, let limit):
            let state = try Self.deliveryState(state)
            guard (1...100_000).contains(limit) else {
                throw ManagementError(field: "limit", reason: "\(limit) is not between 1 and 100000")
            }
            let list = try await offLoop { [store] in try store.deliveries(state: state, limit: limit).map(\.json) }
            return ManagementReply(body: JSONValue.array(list).text, isSuccessful: true)
        case .status:
            return ManagementReply(body: try await offLoop { try self.status() }.text, isSuccessful: true)
        case .applicationRules:
            let list = try await offLoop { [rules = security.rules] in try rules.all.map(\.json) }
            return ManagementReply(body: JSONValue.array(list).text, isSuccessful: true)
        case .setApplicationRule(let form):
            let given = try applicationRule(form)
            let rule = try await offLoop { [rules = security.rules] in try rules.set(given) }
            return ManagementReply(body: rule.json.text, isSuccessful: true)
        case .removeApplicationRule(let form):
            let wasThere = try await offLoop { [rules = security.rules] in try rules.remove(form.clientApplication) }
            return ManagementReply(
                body: JSONValue(dictionaryLiteral: ("isSuccessful", .bool(wasThere))).text, isSuccessful: wasThere)
        case .clientLog(let form):
            guard (1...1000).contains(form.limit) else {
                throw ManagementError(field: "limit", reason: "\(form.limit) is not between 1 and 1000")
            }
            let filter = ClientLogFilter(
                levels: form.level.map { [ClientLogLevel($0)] } ?? [], applicationID: form.application,
                deviceID: form.device, text: form.text, before: form.before)
            let list = try await offLoop { [clientLog] in
                try clientLog.clientLog(matching: filter, limit: form.limit).map(\.json)
            }
            return ManagementReply(body: JSONValue.array(list).text, isSuccessful: true)
        case .send(let body, let key): return try await send(body, idempotencyKey: key)
        case .message(let id): return try await message(id)
        case .adapters:
            return ManagementReply(
                body: JSONValue.array(runtime.adapterNames.map(adapterJSON)).text, isSuccessful: true)
        case .deploy(let adapter): return Self.reply(await deploy(adapter: adapter))
        case .undeploy(let adapter): return Self.reply(await undeploy(adapter: adapter, dropsCallbacks: true))
        }
    }

    private static func reply(_ report: DeploymentReport) -> ManagementReply {
        ManagementReply(body: report.json.text, isSuccessful: report.isSuccessful)
    }

    private func adapterJSON(_ name: String) -> JSONValue {
        [
            "name": .string(name), "procedures": .array(runtime.procedures(ofAdapter: name).map { .string($0) }),
            "eventSources": .array(
                runtime.eventSources.filter { $0.id.adapter == name }.map { .string($0.id.description) }),
        ]
    }

    /// A rule keeps what the form says nothing of.
    private func applicationRule(_ form: ApplicationRuleForm) throws -> ApplicationRule {
        let current = security.rules[form.clientApplication]
        let access = try form.access.map { text throws(ManagementError) in
            guard let access = ApplicationRule.Access(rawValue: text) else {
                throw ManagementError(
                    field: "access",
                    reason: "'\(text.prefix(100))' is none of "
                        + ApplicationRule.Access.allCases.map(\.rawValue).joined(separator: ", "))
            }
            return access
        }
        do {
            return try ApplicationRule(
                applicationID: form.application, environment: form.environment, version: form.version,
                access: access ?? current?.access ?? .active, message: form.message ?? current?.message,
                downloadLink: form.downloadLink ?? current?.downloadLink, checksum: form.checksum ?? current?.checksum,
                updatedAt: time.now)
        } catch {
            throw ManagementError(field: error.field, reason: "expected \(error.expected), found \(error.found)")
        }
    }

    /// - Throws: ``ManagementError`` for a word that is none.
    static func deliveryState(_ text: String?) throws(ManagementError) -> DeliveryState? {
        guard let text else { return nil }
        guard let state = DeliveryState(rawValue: text) else {
            let known = DeliveryState.allCases.map(\.rawValue).joined(separator: ", ")
            throw ManagementError(field: "state", reason: "'\(text.prefix(100))' is none of \(known)")
        }
        return state
    }

    private func eventSource(_ text: String) throws(ManagementError) -> EventSourceID {
        guard let source = EventSourceID(text) else {
            throw ManagementError(
                field: "eventSource", reason: "'\(text.prefix(100))' is not of the form Adapter.EventSource")
        }
        return source
    }

    /// What is taken for the application of a project without any.
    private static let standInApplication = "PushApp"

    /// The application that was named, or the project's only one.
    func application(_ given: String?) throws(ManagementError) -> String {
        if let given { return given }
        let known = security.policy.applicationIDs
        guard known.count < 2 else {
            throw ManagementError(
                field: "application",
                reason: "it must be said, since the project has several: \(known.joined(separator: ", "))")
        }
        return known.first ?? Self.standInApplication
    }

    private func deviceSubscription(_ form: SubscriptionForm) throws -> DeviceSubscription {
        let source = try eventSource(form.eventSource)
        let application = try application(form.application)
        for (field, value) in [("user", form.user), ("device", form.device), ("application", application)]
        where value.isEmpty || value.utf8.count > 512 {
            throw ManagementError(field: field, reason: "expected a text of 1 to 512 bytes, got \(value.utf8.count)")
        }
        guard let platform = form.platform.flatMap({ Platform($0) }) else {
            throw ManagementError(
                field: "platform",
                reason: "'\(form.platform ?? "")' is no platform; expected Apple, Android, Windows, WindowsPhone or Web"
            )
        }
        return DeviceSubscription(
            eventSource: source, userID: form.user, deviceID: form.device, applicationID: application,
            alias: form.alias ?? source.name, platform: platform,
            token: try DeviceToken(form.token ?? "", platform: platform),
            options: ["alert": true, "badge": true, "sound": true])
    }

    private static func reply(_ reply: SubscribeReply) -> ManagementReply {
        switch reply {
        case .subscribed(let change, var object):
            object["isSuccessful"] = true
            object["subscription"] = .string("\(change)")
            return ManagementReply(body: JSONValue.object(object).text, isSuccessful: true)
        case .refused(var object, let errors):
            object["isSuccessful"] = false
            object["errors"] = .array(errors.map { .string($0) })
            return ManagementReply(body: JSONValue.object(object).text, isSuccessful: false)
        }
    }

    /// The adapters, the event sources and the outbox at a glance.
    private func status() throws -> JSONValue {
        var outbox = JSONObject()
        let counts = try store.counts()
        for state in DeliveryState.allCases { outbox[state.rawValue] = .number(Double(counts[state] ?? 0)) }
        return [
            "adapters": .array(runtime.adapterNames.map { .string($0) }),
            "eventSources": .array(runtime.eventSources.map { .string($0.id.description) }),
            "problems": .array(problems.map { .string($0.description) }),
            "deliveries": .object(outbox),
        ]
    }
}
