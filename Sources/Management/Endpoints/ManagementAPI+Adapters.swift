import AdapterRuntime
import Core
import Foundation
import Installation
import Logging
import PollScheduler
import PushModel
import WorklightProject

extension ManagementAPI {
    /// The schema of a JavaScript result with its trace.
    private static let traced = JSONSchema.object([.required("result", .anything), .optional("trace", .anything)])

    static let resultSchema = traced

    private static let eventSource = JSONSchema.object([
        .required("name", .anyText), .optional("interval", .number(0...Double.greatestFiniteMagnitude)),
        .optional("nextDue", .time), .optional("runningSince", .time), .optional("lastEnded", .time),
        .optional("consecutiveFailures", .count), .optional("failingSince", .time), .optional("failure", .anyText),
    ])

    private static let callPart = JSONSchema.object([.required("count", .count), .optional("since", .time)])

    private static let calls = JSONSchema.object(
        ActiveCalls.Phase.allCases.map { .required($0.rawValue, callPart) })

    private static let problem = JSONSchema.object([
        .required("file", .anyText), .optional("line", .count), .optional("column", .count),
        .required("severity", .choice(["error", "warning", "note"])), .required("message", .anyText),
    ])

    private static let adapter = JSONSchema.object([
        .required("name", .anyText), .required("procedures", .list(.anyText)),
        .required("parameters", .map(.list(.anyText))), .required("eventSources", .list(eventSource)),
        .required("variables", .anyText), .required("calls", calls),
    ])

    private static let deployment = JSONSchema.object([
        .required("adapter", .anyText), .required("outcome", .choice(["deployed", "unchanged", "undeployed"])),
        .required("isRunning", .bool), .required("procedures", .list(.anyText)),
        .required("eventSources", .list(.anyText)), .required("problems", .list(problem)),
    ])

    static let adapterRoutes: [ManagementRoute] = [
        .get("adapters", "List the adapters that run.", answer: .page(of: adapter)) { api, _ in
            let polls = await api.polls
            let names = api.installation.runtime.adapterNames
            return ["items": .array(names.map { .object(api.adapter($0, polls)) })]
        },
        .get(
            "adapters/{adapter}", "Show an adapter, with its newest errors in the server's log.",
            answer: .object([
                .required("name", .anyText), .required("procedures", .list(.anyText)),
                .required("parameters", .map(.list(.anyText))), .required("eventSources", .list(eventSource)),
                .required("variables", .anyText), .required("calls", calls),
                .required("errors", .list(.anything)),
            ]), problems: [.notFound]
        ) { api, input in
            let name = input.required("adapter")
            guard api.installation.runtime.adapterNames.contains(name) else { throw api.unknown(adapter: name) }
            var object = api.adapter(name, await api.polls)
            let errors = api.logs.page(after: nil, matching: LogBuffer.Filter(level: .error, adapter: name), limit: 10)
            object["errors"] = .array(errors.entries.map(\.json))
            return .object(object)
        },
        .change(
            "POST", "adapters/{adapter}", "Deploy what the adapter's folder in the project holds.", role: .deployer,
            audit: "AdapterDeployment", answer: deployment, problems: [.unprocessable]
        ) { api, input in
            try Self.answer(to: await api.installation.deployments.deploy(input.required("adapter")), input)
        },
        .change(
            "PUT", "adapters/{adapter}",
            "Replace the adapter's folder in the project by the files of a zip archive in Base64, and deploy it.",
            role: .deployer, audit: "AdapterDeployment", body: .object([.required("archive", .text(1...Int.max))]),
            answer: deployment, problems: [.conflict, .unprocessable]
        ) { api, input in
            guard let archive = Data(base64Encoded: input.body["archive"]?.string ?? "") else {
                throw ManagementError(.badRequest, "expected Base64", field: "archive")
            }
            let hash = ManagementAccess.hash(archive)
            // Also when it fails before it is deployed.
            input.note.set(after: ["upload": .string(hash)])
            let report = try await api.upload(Array(archive), adapter: input.required("adapter"))
            return try Self.answer(to: report, input, upload: hash)
        },
        .change(
            "DELETE", "adapters/{adapter}", "Remove an adapter and drop its callbacks that have not run.",
            role: .deployer, audit: "AdapterDeletion", answer: deployment, problems: [.notFound, .unprocessable]
        ) { api, input in
            let report = await api.installation.deployments.undeploy(input.required("adapter"), dropsCallbacks: true)
            return try Self.answer(to: report, input)
        },
        .change(
            "POST", "adapters/{adapter}/invoke", "Call a procedure.", role: .operator, audit: "ProcedureInvocation",
            body: .object([
                .required("procedure", .name), .optional("parameters", .anything), .optional("trace", .bool),
                .optional("user", .name),
            ]), answer: traced, isInteractive: true
        ) { api, input in try await api.invoke(input) },
        .change(
            "POST", "adapters/{adapter}/event-sources/{eventSource}/poll",
            "Run an event source's poll once, in addition to its schedule.", role: .operator, audit: "PollInvocation",
            answer: traced, isInteractive: true
        ) { api, input in
            let source = EventSourceID(adapter: input.required("adapter"), name: input.required("eventSource"))
            return Self.answer(to: await api.installation.tracePoll(source), input)
        },
        .change(
            "POST", "adapters/{adapter}/events", "Pass an event to the adapter's event handlers.", role: .operator,
            audit: "EventInvocation",
            body: .object([.required("kind", .choice(["client", "sms", "ussd"])), .required("event", .anything)]),
            answer: traced, problems: [.notFound], isInteractive: true
        ) { api, input in
            let event = try AdapterEvent(kind: input.body["kind"]?.string ?? "", input.body["event"] ?? .null)
            return Self.answer(
                to: try await api.installation.traceEvent(event, adapter: input.required("adapter")), input)
        },
        .change(
            "POST", "adapters/{adapter}/evaluate",
            "Evaluate JavaScript in the adapter's scope; in development mode only.", role: .deployer,
            audit: "CodeEvaluation",
            body: .object([
                .required("code", .text(0...Int.max)), .optional("line", .integer(1...1_000_000)),
                .optional("isCompletion", .bool),
            ]), answer: .anything, problems: [.forbidden, .notFound], isInteractive: true
        ) { api, input in
            try await api.installation.evaluate(
                input.body["code"]?.string ?? "", adapter: input.required("adapter"),
                line: input.body["line"]?.number.flatMap { Int(exactly: $0) } ?? 1,
                isCompletion: input.body["isCompletion"] == true, note: input.note)
        },
    ]

    private var polls: [EventSourceID: PollStatus] {
        get async {
            let status = await installation.deployments.scheduler.status()
            return Dictionary(status.map { ($0.eventSource, $0) }) { first, _ in first }
        }
    }

    private func adapter(_ name: String, _ polls: [EventSourceID: PollStatus]) -> JSONObject {
        let sources = installation.runtime.eventSources.map(\.id).filter { $0.adapter == name }
        var parameters = JSONObject()
        for (procedure, names) in installation.runtime.parameterNames(ofAdapter: name).sorted(by: { $0.key < $1.key }) {
            parameters[procedure] = .array(names.map { .string($0) })
        }
        return [
            "name": .string(name),
            "procedures": .array(installation.runtime.procedures(ofAdapter: name).map { .string($0) }),
            "parameters": .object(parameters),
            "variables": .string(installation.runtime.scopeUse(ofAdapter: name)),
            "calls": Self.json(installation.runtime.activeCalls[name] ?? ActiveCalls()),
            "eventSources": .array(
                sources.map { source in
                    var object: JSONObject = ["name": .string(source.name)]
                    if let poll = polls[source] {
                        object["interval"] = .number(poll.interval)
                        object["nextDue"] = (poll.nextDue?.spelling).map(JSONValue.string)
                        object["runningSince"] = (poll.runningSince?.spelling).map(JSONValue.string)
                        object["lastEnded"] = (poll.lastEnded?.spelling).map(JSONValue.string)
                        object["consecutiveFailures"] = .number(Double(poll.consecutiveFailures))
                        object["failingSince"] = (poll.failingSince?.spelling).map(JSONValue.string)
                        object["failure"] = poll.failure.map(JSONValue.string)
                    }
                    return .object(object)
                }),
        ]
    }

    private static func json(_ calls: ActiveCalls) -> JSONValue {
        var object = JSONObject()
        for phase in ActiveCalls.Phase.allCases {
            var part: JSONObject = ["count": .number(Double(calls[phase].count))]
            part["since"] = (calls[phase].since?.spelling).map(JSONValue.string)
            object[phase.rawValue] = .object(part)
        }
        return .object(object)
    }

    private func unknown(adapter name: String) -> UnknownNameError {
        UnknownNameError(kind: "adapter", name: name, known: installation.runtime.adapterNames)
    }

    private func invoke(_ input: ManagementInput) async throws -> ManagementAnswer {
        let (adapter, procedure) = (input.required("adapter"), input.body["procedure"]?.string ?? "")
        let user = input.body["user"]?.string
        var note: JSONObject = ["procedure": .string(procedure)]
        note["user"] = user.map(JSONValue.string)
        input.note.set(after: .object(note))
        let caller = installation.caller(ofProcedure: procedure, adapter: adapter, as: user)
        let parameters =
            switch input.body["parameters"] {
            case nil: "[]"
            case .string(let text): text
            case .some(let value): value.text
            }
        if input.body["trace"] == true {
            return Self.answer(
                to: await installation.trace(
                    adapter: adapter, procedure: procedure, parameters: parameters, caller: caller), input)
        }
        let result = await caller.withTaskCancellation { caller in
            await installation.runtime.invoke(
                adapter: adapter, procedure: procedure, parameters: parameters, caller: caller)
        }
        return Self.answer(to: TracedResult(result: result.json, isSuccessful: result.isSuccessful), input)
    }

    /// Notes a result that is not successful as a failure.
    static func answer(to traced: TracedResult, _ input: ManagementInput) -> ManagementAnswer {
        if !traced.isSuccessful { input.note.setFailed() }
        let trace = traced.trace.map { #","trace":\#($0)"# } ?? ""
        return ManagementAnswer(body: #"{"result":\#(traced.result)\#(trace)}"#)
    }

    /// - Throws: ``ManagementError`` with the report's members when the deployment failed.
    ///
    /// - Parameter upload: the SHA-256 hash of the archive, for the audit log; `nil` for files that were there.
    private static func answer(
        to report: DeploymentReport, _ input: ManagementInput, upload: String? = nil
    ) throws -> ManagementAnswer {
        var note: JSONObject = ["outcome": .string(report.outcome.rawValue)]
        note["upload"] = upload.map(JSONValue.string)
        input.note.set(after: .object(note))
        guard report.isSuccessful else {
            throw ManagementError(
                report.outcome == .unknown ? .notFound : .unprocessable, report.summary, more: report.json)
        }
        return ManagementAnswer(.object(report.json))
    }
}
