import ArgumentParser
import Core
import Foundation
import HTTPTransfer
import Installation

struct CompareCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "compare",
        abstract: "Call procedures on the old server and on this one, and list the differences.",
        discussion: """
            Connects to both servers as an app does, logs in, and makes the calls of the file, one after the other. Compares statuses, and JSON \
            member by member. It calls only the procedures that you list: list those that only read. The status is 1 if a result differs.
            """)

    @Option(help: ArgumentHelp("The old server: http:// or https://, host, port and context root.", valueName: "url"))
    var old: String

    @Option(help: ArgumentHelp("The new server; default: the project's running one.", valueName: "url"))
    var new: String?

    @Option(
        help: ArgumentHelp("A YAML file with the app, its login and the calls.", valueName: "file"),
        completion: .file(extensions: ["yaml", "yml"]))
    var calls: String

    @Option(
        help: ArgumentHelp("Also the calls in an access log; only those of --procedure.", valueName: "file"),
        completion: .file())
    var log: String?

    @Option(
        help: ArgumentHelp(
            "A procedure whose calls are taken from the log; may be repeated.", valueName: "adapter/procedure"),
        completion: ProjectCompletion.procedures)
    var procedure: [String] = []

    @Flag(help: "Accept any certificate of the servers.")
    var insecure = false

    @OptionGroup var options: ProjectOptions

    func validate() throws {
        for url in [old, new].compactMap(\.self) where URL(string: url)?.user != nil || url.contains("@") {
            throw ValidationError(
                "an address has a user or a password; expected http:// or https://, host, port and context root")
        }
        if (log == nil) != procedure.isEmpty {
            throw ValidationError(
                "--log and --procedure belong together: name the procedures whose calls are taken from the log")
        }
    }

    func run() async throws {
        var compared = ComparedCalls()
        try compared.read(yaml: try Self.text(calls, "--calls"), named: calls)
        if let log { compared.read(log: try Self.text(log, "--log"), only: Set(procedure)) }
        guard !compared.calls.isEmpty else { throw CommandError(description: "\(calls): there are no calls to make") }
        let trust = insecure ? TransferClient.Trust.everybody : .system
        let before = ComparedServer(old, compared, trust: trust)
        // The project's own server is known by its note, whatever its certificate's name.
        let after = ComparedServer(try new ?? ownServer(), compared, trust: new == nil ? .everybody : trust)
        defer {
            before.close()
            after.close()
        }
        let logins = (try await before.connect(), try await after.connect())
        if let (left, right) = logins.0.flatMap({ left in logins.1.map { (left, $0) } }) {
            // Only the owner knows which result means that the user is logged in.
            CommandOutput.note(
                "results of the login, old and new: \(compared.shown(left.body.text).prefix(200)) and \(compared.shown(right.body.text).prefix(200))"
            )
        }
        var (different, failed) = (0, 0)
        var results: [JSONValue] = []
        for call in compared.calls {
            let (left, right) = (try await before.call(call), try await after.call(call))
            var differences = JSONDifference.all(left.body, right.body, ignoring: Set(compared.ignored + call.ignored))
            if left.status != right.status {
                differences.insert(
                    JSONDifference(
                        path: "status", old: .number(Double(left.status)), new: .number(Double(right.status))), at: 0)
            }
            if !differences.isEmpty { different += 1 }
            let isFailure = differences.isEmpty && left.isFailure
            if isFailure { failed += 1 }
            if CommandOutput.isJSON {
                results.append(Self.json(call, differences, isFailure: isFailure))
            } else {
                CommandOutput.writeResult(
                    "\(isFailure ? "failed   " : differences.isEmpty ? "same     " : "different") "
                        + "\(call.name) \(call.parameters)".printableLine)
                for difference in differences { CommandOutput.writeResult("  " + compared.shown(difference.line)) }
            }
        }
        if CommandOutput.isJSON { CommandOutput.writeResult(compared.shown(JSONValue.array(results).text)) }
        CommandOutput.note(
            "calls: \(compared.calls.count), different: \(different)"
                + (failed > 0 ? ", failed on both servers: \(failed)" : ""))
        if different + failed > 0 { throw ExitCode.failure }
    }

    private static func text(_ path: String, _ option: String) throws -> String {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw ValidationError("\(option) \(path): there is no such file, or it cannot be read")
        }
        return String(decoding: data, as: UTF8.self)
    }

    private func ownServer() throws -> String {
        let settings = try options.settings().installation
        guard let note = DataFolder.serverNote(in: settings.dataFolder) else {
            throw CommandError(
                description:
                    "no server runs on \(settings.dataFolder.path); start it with 'lamplighter serve', or name one with --new"
            )
        }
        return note.url
            + (settings.contextRoot.hasSuffix("/") ? String(settings.contextRoot.dropLast()) : settings.contextRoot)
    }

    private static func json(_ call: ComparedCalls.Call, _ differences: [JSONDifference], isFailure: Bool) -> JSONValue
    {
        [
            "adapter": .string(call.adapter), "procedure": .string(call.procedure),
            "parameters": .string(call.parameters), "failed": .bool(isFailure),
            "differences": .array(
                differences.map { difference in
                    var object: JSONObject = ["path": .string(difference.path)]
                    object["old"] = difference.old
                    object["new"] = difference.new
                    return .object(object)
                }),
        ]
    }
}
