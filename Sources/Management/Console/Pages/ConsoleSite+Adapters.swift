import Core
import Foundation
import Installation

/// Adapters, and the form that invokes a procedure.
extension ConsoleSite {
    static let adapterPages = [
        ConsolePage("adapters", menu: ConsoleMenuEntry(group: .adapters, label: "Adapters")) { call in
            let overview = try await call.get("overview")
            let adapters = try await call.get("adapters").items
            var sections = [ConsoleSection(live: "adapters", [.table(adapterTable(adapters))])]
            let problems = overview.texts("problems")
            if !problems.isEmpty {
                sections.append(
                    ConsoleSection("Problems of the project", live: "problems", [.list(problems.map { [.text($0)] })]))
            }
            if call.may(.deployer) { sections.append(uploadSection) }
            return ConsoleView(title: "Adapters", sections: sections)
        },
        ConsolePage("adapters/{adapter}") { call in
            let name = call.path("adapter")
            let adapter = try await call.get("adapters", name)
            var sections = [
                ConsoleSection(
                    "Procedures",
                    [
                        .list(
                            adapter.texts("procedures").map { procedure in
                                guard call.may(.operator) else { return [.text(procedure)] }
                                return [
                                    .link(procedure, consoleAddress("invoke", ["procedure": "\(name)/\(procedure)"]))
                                ]
                            })
                    ]),
                ConsoleSection("Calls", live: "calls", [.text(calls(of: adapter, withTimes: true))]),
                ConsoleSection("Variables", live: "variables", [.text(adapter.text("variables") ?? "")]),
                ConsoleSection("Event sources", live: "sources", [.table(sourceTable(adapter, name, call))]),
                ConsoleSection("Newest errors", live: "errors", errorBlocks(adapter["errors"]?.array ?? [])),
            ]
            if call.may(.deployer) {
                let remark = call.api.isWatching ? " The server does so itself when they change." : ""
                sections.append(
                    ConsoleSection(
                        "Deploy",
                        [
                            .text("Deploying takes the files in the adapter's folder on the server.\(remark)"),
                            .buttons([
                                .button("Deploy again", action: consolePath("adapters", name, "deploy"), style: .quiet),
                                .button("Undeploy", action: consolePath("adapters", name, "undeploy"), style: .danger),
                            ]),
                        ]))
            }
            return ConsoleView(title: name, sections: sections)
        },
        ConsolePage("invoke", menu: ConsoleMenuEntry(group: .adapters, label: "Invoke procedure"), role: .operator) {
            call in
            try await invokePage(call)
        },
    ]

    static let adapterActions = [
        ConsoleAction("invoke", form: invokePage) { call in
            let result = try await invoke(call)
            var view = try await invokePage(call)
            view.sections.insert(result, at: 0)
            return .view(view)
        },
        ConsoleAction("adapters/{adapter}/deploy") { call in
            let report = try await call.change("POST", "adapters", call.path("adapter"))
            return .done(
                "\(call.path("adapter")): \(report.text("outcome") ?? "").",
                at: consolePath("adapters", call.path("adapter")))
        },
        ConsoleAction(
            "adapters/{adapter}/undeploy",
            asking: { call in
                ConsoleConfirmation(
                    title: "Undeploy the adapter?",
                    text: """
                        '\(call.path("adapter"))' stops: apps that call its procedures get errors, its polls end, and callbacks that \
                        have not run are dropped. Subscriptions and its files stay: it runs again when you deploy its folder, or \
                        after a restart.
                        """,
                    answer: "Undeploy the adapter", cancel: consolePath("adapters", call.path("adapter")))
            }
        ) { call in
            try await call.change("DELETE", "adapters", call.path("adapter"))
            return .done("\(call.path("adapter")) was undeployed.", at: consolePath("adapters"))
        },
        ConsoleAction("adapters/upload") { call in
            let content = call.field("content") ?? ""
            guard let bytes = Data(base64Encoded: content), !bytes.isEmpty else {
                throw ConsoleError(
                    status: 400, detail: "expected an adapter file; uploading needs JavaScript")
            }
            let name: String
            do {
                guard let found = try ManagementAPI.adapterName(ofArchive: Array(bytes)) else {
                    throw ZipError(
                        "expected one XML file at the top of the archive or in its only folder, the adapter's")
                }
                name = found
            } catch {
                throw ConsoleError(status: 400, detail: "\(call.field("file") ?? "the file"): \(error)")
            }
            let report = try await call.change("PUT", "adapters", name, body: ["archive": .string(content)])
            return .done("\(name): \(report.text("outcome") ?? "").", at: consolePath("adapters", name))
        },
        ConsoleAction("adapters/deploy") { call in
            let name = call.field("adapter") ?? ""
            let report = try await call.change("POST", "adapters", name)
            return .done("\(name): \(report.text("outcome") ?? "").", at: consolePath("adapters", name))
        },
        ConsoleAction("adapters/{adapter}/event-sources/{eventSource}/poll") { call in
            let (adapter, source) = (call.path("adapter"), call.path("eventSource"))
            let answer = try await call.change("POST", "adapters", adapter, "event-sources", source, "poll")
            return .view(
                ConsoleView(
                    title: "Poll of \(adapter).\(source)",
                    sections: [
                        resultSection(answer, time: nil),
                        ConsoleSection([
                            .buttons([.go("Back to \(adapter)", consolePath("adapters", adapter), style: .quiet)])
                        ]),
                    ]))
        },
    ]

    private static var uploadSection: ConsoleSection {
        var file = ConsoleField(
            "archive", "Adapter file", .input(type: "file"), value: "",
            hint: """
                An .adapter or .zip file with the adapter's XML file and scripts. It replaces the adapter of the same name, also its \
                files on the server.
                """, isRequired: true)
        file.accept = ".adapter,.zip"
        let form = ConsoleForm(
            action: "\(root)/adapters/upload", fields: [file], submits: [ConsoleForm.Submit("Deploy")],
            hidden: [("content", ""), ("file", "")])
        let folder = ConsoleForm(
            action: "\(root)/adapters/deploy",
            fields: [
                ConsoleField(
                    "adapter", "Name of an adapter on the server", value: nil,
                    hint: "A folder in the project's folder 'adapters', also of an adapter that does not run.",
                    isRequired: true)
            ], submits: [ConsoleForm.Submit("Deploy this folder", style: .quiet)])
        return ConsoleSection("Deploy an adapter", [.form(form), .form(folder)])
    }

    private static func adapterTable(_ adapters: [JSONValue]) -> ConsoleTable {
        ConsoleTable(
            caption: "Adapters",
            columns: [
                .init("Adapter"), .init("Procedures", .number), .init("Event sources", .number), .init("Polls"),
                .init("Calls"),
            ],
            rows: adapters.map { adapter in
                let name = adapter.text("name") ?? ""
                let sources = adapter["eventSources"]?.array ?? []
                let polls = sources.filter { $0["interval"] != nil }
                let failing = polls.count { $0.integer("consecutiveFailures") > 0 }
                let state: [ConsoleValue] =
                    polls.isEmpty
                    ? [.muted("none")]
                    : failing > 0 ? [.state("\(failing) failing", .bad)] : [.state("\(polls.count) working", .good)]
                return [
                    [.link(name, consolePath("adapters", name))],
                    [.text("\(adapter.texts("procedures").count)")], [.text("\(sources.count)")], state,
                    [.text(calls(of: adapter, withTimes: false))],
                ]
            },
            empty: [
                .text("No adapter runs. Put the folder of one into the project's folder 'adapters', or run"),
                .mono("lamplighter new"),
            ])
    }

    /// The calls that have come and not ended, in words.
    private static func calls(of adapter: JSONValue, withTimes: Bool) -> String {
        let phases = [
            ("running", "running"), ("waiting", "waiting for a back end"), ("queued", "waiting for their session"),
        ]
        let parts = phases.compactMap { phase, words -> String? in
            guard let part = adapter["calls"]?[phase], part.integer("count") > 0 else { return nil }
            guard withTimes else { return "\(part.integer("count")) \(phase)" }
            return "\(part.integer("count")) \(words)" + (part.text("since").map { ", since \($0)" } ?? "")
        }
        return parts.isEmpty ? "none" : parts.joined(separator: withTimes ? "; " : ", ")
    }

    private static func sourceTable(_ adapter: JSONValue, _ name: String, _ call: ConsoleCall) -> ConsoleTable {
        ConsoleTable(
            caption: "Event sources",
            columns: [
                .init("Event source"), .init("Poll", .fixed), .init("Last run"), .init("Next run"), .init("State"),
                .init("Action", .act),
            ],
            rows: (adapter["eventSources"]?.array ?? []).map { source in
                let text = source.text("name") ?? ""
                let interval = source.text("interval")
                let failures = source.integer("consecutiveFailures")
                var state: [ConsoleValue] = []
                if failures > 0 {
                    state.append(.state("failed \(failures == 1 ? "once" : "\(failures) times")", .bad))
                    if let since = source.text("failingSince") { state += [.text("since"), .time(since)] }
                    if let failure = source.text("failure") {
                        state.append(.folded("Why", text: failure, id: "why-\(text)"))
                    }
                } else if interval != nil {
                    state.append(source["runningSince"] == nil ? .state("working", .good) : .state("running", .plain))
                }
                let poll =
                    interval == nil || !call.may(.operator)
                    ? []
                    : [
                        ConsoleValue.button(
                            "Poll now", action: consolePath("adapters", name, "event-sources", text, "poll"),
                            name: text,
                            style: .quiet)
                    ]
                return [
                    [.link(text, consoleAddress("subscriptions", ["eventSource": "\(name).\(text)"]))],
                    [interval.map { .text("every \($0) s") } ?? .muted("none")], source.timeCell("lastEnded"),
                    source.timeCell("nextDue"), state, poll,
                ]
            },
            empty: [.text("The adapter declares none. It would with"), .mono("WL.Server.createEventSource")])
    }

    private static func errorBlocks(_ lines: [JSONValue]) -> [ConsoleBlock] {
        lines.isEmpty
            ? [.text("None since the server's start.")]
            : [.table(logTable(lines.reversed(), empty: []))]
    }

    /// Lines of the server's log.
    static func logTable(_ lines: [JSONValue], empty: [ConsoleValue]) -> ConsoleTable {
        ConsoleTable(
            caption: "Lines of the server's log, newest first",
            columns: [.init("Time", .fixed), .init("Level", .fixed), .init("Adapter"), .init("Message")],
            rows: lines.map { line in
                let message = line.text("message") ?? ""
                let metadata =
                    line["metadata"]?.object?.members.map { "\($0.key)=\($0.value.string ?? $0.value.text)" } ?? []
                let parts = message.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
                var cell: [ConsoleValue] = [.text(String(parts.first ?? ""))]
                if !metadata.isEmpty { cell.append(.muted(metadata.joined(separator: " "))) }
                if parts.count > 1 {
                    cell.append(.folded("Stack", text: String(parts[1]), id: "line-\(line.text("number") ?? "")"))
                }
                let level = line.text("level") ?? ""
                let style: ConsoleStyle =
                    level == "error" || level == "critical" ? .bad : level == "warning" ? .warn : .plain
                let adapter = line.text("adapter").map { [ConsoleValue.link($0, consolePath("adapters", $0))] } ?? []
                return [line.timeCell("time"), [.state(level, style)], adapter, cell]
            }, empty: empty)
    }

    // MARK: Invoking

    private static func invokePage(_ call: ConsoleCall) async throws -> ConsoleView {
        let adapters = try await call.get("adapters").items
        let procedures = adapters.flatMap { adapter -> [(value: String, label: String, data: String?)] in
            let name = adapter.text("name") ?? ""
            let parameters = adapter["parameters"]
            return adapter.texts("procedures").map {
                ("\(name)/\($0)", "\(name)/\($0)", parameters?[$0]?.array?.compactMap(\.string).joined(separator: ", "))
            }
        }
        guard !procedures.isEmpty else {
            let text: ConsoleBlock = .paragraph([.text("No adapter runs."), .link("Adapters", consolePath("adapters"))])
            return ConsoleView("Invoke procedure", [text])
        }
        let form = ConsoleForm(
            action: "\(root)/invoke",
            fields: [
                ConsoleField("procedure", "Procedure", .choice(procedures), value: call.field("procedure")),
                ConsoleField(
                    "parameters", "Parameters", .lines(4), value: call.field("parameters"),
                    hint: #"Values separated by commas, such as "bjones", 3, or one JSON array."#),
                ConsoleField(
                    "user", "As user", value: call.field("user"),
                    hint: "The user that WL.Server.getActiveUser returns; empty for none."),
            ], submits: [ConsoleForm.Submit("Run")], id: "invoke")
        return ConsoleView("Invoke procedure", [.form(form)])
    }

    /// Calls the procedure that the form names.
    private static func invoke(_ call: ConsoleCall) async throws -> ConsoleSection {
        let parts = (call.field("procedure") ?? "").split(separator: "/", maxSplits: 1).map(String.init)
        guard parts.count == 2 else {
            throw ConsoleError(status: 400, detail: "expected Adapter/procedure")
        }
        var body: JSONObject = [
            "procedure": .string(parts[1]), "parameters": try parameters(call.field("parameters") ?? ""),
            "trace": true,
        ]
        body["user"] = call.field("user").map(JSONValue.string)
        let start = ContinuousClock.now
        let answer = try await call.change("POST", "adapters", parts[0], "invoke", body: .object(body))
        return resultSection(answer, time: ContinuousClock.now - start)
    }

    /// Values separated by commas, or one JSON array.
    ///
    /// - Throws: ``ConsoleError``.
    private static func parameters(_ text: String) throws -> JSONValue {
        if let array = try? JSONValue(parsing: text), array.array != nil { return array }
        guard let array = try? JSONValue(parsing: "[\(text)]") else {
            throw ConsoleError(
                status: 400,
                detail:
                    "Parameters: expected JSON values separated by commas, with strings in double quotes, such as \"bjones\", 3"
            )
        }
        return array
    }

    private static func resultSection(_ answer: JSONValue, time: Duration?) -> ConsoleSection {
        let result = answer["result"] ?? .null
        let isSuccessful = result["isSuccessful"] != false
        var state: [ConsoleValue] = [
            .state(isSuccessful ? "successful" : "failed", isSuccessful ? .good : .bad)
        ]
        if let time { state.append(.muted("in \(Int((time / .milliseconds(1)).rounded())) ms, with trace")) }
        var blocks: [ConsoleBlock] = [
            .paragraph(state), .code(caption: "Answer", text: result.prettyText(indentation: 2, shortest: 0)),
        ]
        if let trace = answer["trace"] {
            blocks.append(.paragraph([.folded("Trace", text: trace.prettyText, id: "trace")]))
        }
        return ConsoleSection("Result", blocks)
    }
}
