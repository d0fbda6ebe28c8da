import ArgumentParser
import Core
import Foundation
import Installation
import Management
import PushModel

struct StatusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Show the server's state and contents.",
        discussion: """
            Exit status: 0 when all works, 1 when something does not work, 2 when the server is not ready or does not run.
            """)

    /// The server is not ready or does not run.
    private static let isDown = ExitCode(2)

    @OptionGroup var options: ProjectOptions

    func run() async throws {
        let answer: JSONReply
        do {
            answer = try await options.answer(ManagementCall("GET", "overview"), timeout: .seconds(10))
        } catch let error as any Error & CustomStringConvertible where error is CommandError || error is DataFolderError
        {
            CommandOutput.error(error.description)
            throw Self.isDown
        }
        let value = try answer.value
        if CommandOutput.isJSON { CommandOutput.writeResult(answer.text) } else { show(value) }
        guard value["server"] != nil else { throw Self.isDown }
        switch value["state"]?.string {
        case "ready": return
        case "degraded": throw ExitCode(1)
        default: throw Self.isDown
        }
    }

    private func show(_ value: JSONValue) {
        func number(_ key: String) -> String { value[key]?.text ?? "unknown" }
        func names(_ key: String) -> String {
            let names = value[key]?.array?.compactMap(\.string) ?? []
            return names.isEmpty ? "none" : names.joined(separator: ", ")
        }
        let deliveries = value["deliveries"]?.object?.members.map { "\($0.value.text) \($0.key)" } ?? []
        let scopes = value["variables"]?.array?.compactMap(\.string) ?? []
        let server = value["server"]
        let counted = value["countedAt"]?.string.map { " (counted at \($0))" } ?? ""
        let rows: [(String, String)] = [
            ("State", server == nil ? "not running" : value["state"]?.string ?? ""),
            ("Server", server.map(Self.line) ?? "none on this data folder"),
            ("Mode", value["mode"]?.string ?? ""), ("Store", value["store"]?.string ?? ""),
            ("Adapters", names("adapters")), ("Event sources", names("eventSources")),
            ("Calls", names("calls")),
            ("Scopes", scopes.isEmpty ? "each session has its own" : scopes.joined(separator: "\n")),
            ("Failing polls", names("failingPolls")), ("Devices", number("devices") + counted),
            ("Subscriptions", "\(number("subscriptions")), and \(number("smsSubscriptions")) by SMS"),
            ("Sessions", number("sessions")), ("Deliveries", deliveries.joined(separator: ", ")),
        ]
        let findings = (value["alerts"]?.array ?? []).map { finding in
            func text(_ key: String) -> String { finding[key]?.string ?? "" }
            let times = [("since", "since"), ("lastTried", "last tried")].compactMap { key, word in
                finding[key]?.string.map { "\(word) \($0)" }
            }
            let suffix = times.isEmpty ? "" : " (\(times.joined(separator: ", ")))"
            return (text("severity").capitalized, "\(text("text")); \(text("remedy"))\(suffix)")
        }
        CommandOutput.writeFields(rows + findings)
        let errors = Set((value["alerts"]?.array ?? []).compactMap { $0["text"]?.string })
        for problem in value["problems"]?.array ?? [] where !errors.contains(problem.string ?? "") {
            CommandOutput.writeResult((problem.string ?? "").printable)
        }
    }

    /// The server in a line: address, process, version, time since its start, and whether the JIT works.
    private static func line(_ server: JSONValue) -> String {
        let age = server["started"]?.string.flatMap { try? Date($0, strategy: .iso8601) }.map { started in
            ", up \(Duration.seconds(max(Date().timeIntervalSince(started), 0)).inWords)"
        }
        let jit = server["jit"] == .bool(false) ? ", JIT off" : ", JIT on"
        return "\(server["url"]?.string ?? ""), process \(server["process"]?.text ?? ""), "
            + "version \(server["version"]?.string ?? "")\(age ?? "")\(jit)"
    }
}

extension Duration {
    /// The two largest units, such as "3 d 4 h".
    fileprivate var inWords: String {
        let seconds = components.seconds
        return switch seconds {
        case ..<60: "\(seconds) s"
        case ..<3600: "\(seconds / 60) min \(seconds % 60) s"
        case ..<86_400: "\(seconds / 3600) h \(seconds % 3600 / 60) min"
        default: "\(seconds / 86_400) d \(seconds % 86_400 / 3600) h"
        }
    }
}
