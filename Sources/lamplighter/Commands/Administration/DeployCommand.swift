import ArgumentParser
import Core
import Foundation
import Installation
import Management

struct DeployCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "deploy",
        abstract: "Have the running server take over an adapter's folder or archive, without a restart.",
        discussion: """
            With NAME.adapter, the adapter's folder in the project is replaced by the files of that archive first. \
            The problems of the new version are printed one to a line, as file:line:column. A version with an error is refused, \
            and the one before goes on.
            """)

    @Argument(
        help: "The adapter's name, which is also its folder's, or the path of an archive, NAME.adapter.",
        completion: ProjectCompletion.adapters)
    var adapter: String

    private var isArchive: Bool { adapter.lowercased().hasSuffix(".adapter") }

    @Flag(
        help: """
            Remove the adapter instead, and drop its callbacks that have not run. Subscriptions to its event sources stay.
            """)
    var remove = false

    @OptionGroup var options: ProjectOptions

    func validate() throws {
        if isArchive {
            guard !remove else { throw ValidationError("--remove expects an adapter's name, not an archive") }
            return
        }
        guard adapter.wholeMatch(of: /[A-Za-z][A-Za-z0-9_]*/) != nil else {
            throw ValidationError(
                "'\(adapter)' is not an adapter's name: expected a letter, then letters, digits and '_', or the path of an "
                    + "archive, NAME.adapter; name the project's folder with --project")
        }
    }

    func run() async throws {
        let folder = try options.settings().installation.dataFolder
        try DataFolder.checkAccess(to: folder)
        guard let note = DataFolder.serverNote(in: folder) else {
            throw CommandError(
                description:
                    "no server runs on \(folder.path); start it with 'lamplighter serve', which loads all adapters at "
                    + "its start")
        }
        let server = ServerConnection(url: note.url, key: note.managementKey)
        do {
            try write(try await server.answer(try call()).value)
        } catch let error as CommandError {
            guard let report = error.problem, report["outcome"] != nil else { throw error }
            try write(report)
            throw ExitCode.failure
        }
    }

    private func call() throws -> ManagementCall {
        guard isArchive else { return ManagementCall(remove ? "DELETE" : "POST", "adapters", adapter) }
        guard let archive = FileManager.default.contents(atPath: adapter) else {
            throw CommandError(description: "\(adapter): there is no such file, or it cannot be read; check the path")
        }
        return ManagementCall(
            "PUT", "adapters", try ManagementAPI.adapterName(in: Array(archive), file: adapter),
            body: ["archive": .string(archive.base64EncodedString())])
    }

    private func write(_ report: JSONValue) throws {
        guard !CommandOutput.isJSON else { return CommandOutput.writeResult(report.text) }
        for problem in report["problems"]?.array ?? [] {
            let place = [problem["line"], problem["column"]].compactMap { $0?.number == nil ? nil : $0 }.map {
                ":\($0.text)"
            }
            let text =
                "\(problem["file"]?.string ?? "")\(place.joined()): \(problem["severity"]?.string ?? ""): "
                + (problem["message"]?.string ?? "")
            CommandOutput.writeResult(text.printable)
        }
        CommandOutput.note("\(adapter): \(remark(report))")
    }

    private func remark(_ report: JSONValue) -> String {
        switch report["outcome"]?.string {
        case "refused":
            "not deployed; "
                + (report["isRunning"] == true ? "the version before it goes on" : "no version of it runs")
        case "unknown": "no adapter of this name runs"
        case let outcome: outcome ?? ""
        }
    }
}
