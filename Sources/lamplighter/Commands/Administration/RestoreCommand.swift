import ArgumentParser
import Core
import Foundation
import Installation
import PushModel
import Storage

struct RestoreCommand: AsyncParsableCommand {
    /// The treatment of deliveries that waited when the copy was made.
    enum Deliveries: String, CaseIterable, ExpressibleByArgument {
        case send, expire, hold
    }

    static let configuration = CommandConfiguration(
        commandName: "restore", abstract: "Make a project of a file of 'lamplighter backup'.",
        discussion: """
            The folder must be new or empty. The file is checked before anything is written. Deliveries that waited when the copy was made are sent \
            when a server starts on the folder (send), or end as refused (expire): the devices may have had them in the meantime. With hold the project \
            gets the setting deliveries.hold: its server sends nothing until you remove it.
            """)

    @Argument(help: ArgumentHelp("The file of 'lamplighter backup'.", valueName: "file"), completion: .file())
    var file: String

    @Option(
        name: .customLong("to"), help: ArgumentHelp("The project's folder.", valueName: "folder"),
        completion: .directory)
    var folder: String

    @Option(help: "send, expire or hold the deliveries that waited when the copy was made.")
    var deliveries: Deliveries

    @Flag(help: "Print the result as JSON.")
    var json = false

    private static let reason = "it waited when the backup was made from which the store was restored"

    func run() async throws {
        let (source, target) = (URL(fileURLWithPath: file), URL(fileURLWithPath: folder, isDirectory: true))
        try Self.check(target)
        try BackupArchive.check(source)
        let isNew = !FileManager.default.fileExists(atPath: target.path)
        let staging = (isNew ? target.deletingLastPathComponent() : target).appending(
            path: ".restore-\(UUID().uuidString)")
        do {
            try FileManager.default.createDirectory(
                at: staging, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw CommandError(description: "\(staging.path) cannot be created: \(error.localizedDescription)")
        }
        defer { try? FileManager.default.removeItem(at: staging) }
        try BackupArchive.unpack(source, into: staging)
        let data = staging.appending(path: ".lamplighter")
        let hasStore = FileManager.default.fileExists(atPath: data.appending(path: SQLStore.fileName).path)
        guard hasStore || deliveries != .expire else {
            throw CommandError(
                description:
                    "\(file) has no store, as when it is in PostgreSQL: restore that by pg_restore, and pass --deliveries send or hold"
            )
        }
        let expired = deliveries == .expire ? try Self.expire(in: data) : 0
        if deliveries == .hold { try Self.hold(in: staging) }
        if isNew {
            try Self.move(staging, to: target)
        } else {
            for name in try FileManager.default.contentsOfDirectory(atPath: staging.path) {
                try Self.move(staging.appending(path: name), to: target.appending(path: name))
            }
        }
        if CommandOutput.isJSON {
            let result: JSONValue = ["folder": .string(target.path), "expired": .number(Double(expired))]
            CommandOutput.writeResult(result.text)
        } else {
            CommandOutput.writeResult(
                "\(folder): restored"
                    + (deliveries == .expire
                        ? "; deliveries that end as refused: \(expired)"
                        : deliveries == .hold ? "; deliveries.hold is set, and its server sends nothing" : ""))
        }
        if !hasStore { CommandOutput.note("there is no store in it: if it is in PostgreSQL, restore it by pg_restore") }
    }

    private static func check(_ folder: URL) throws {
        if let note = DataFolder.serverNote(in: folder.appending(path: ".lamplighter")) {
            throw CommandError(
                description: "the server \(note.url) (process \(note.processID)) uses \(folder.path); stop it first")
        }
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        guard names.isEmpty else {
            throw CommandError(
                description: "\(folder.path) is not empty; move it away, or name a new folder: nothing is overwritten")
        }
    }

    /// Ends all deliveries that wait, and the broadcasts that would make more.
    ///
    /// - Returns: the number of deliveries.
    private static func expire(in data: URL) throws -> Int {
        let store = try SQLStore(folder: data.path)
        let name = (try? String(contentsOf: data.appending(path: "server-name"), encoding: .utf8)) ?? ""
        _ = try store.outbox.release(worker: name.trimmingCharacters(in: .whitespacesAndNewlines))
        for broadcast in try store.outbox.unfinishedBroadcasts() { try store.outbox.endBroadcast(broadcast) }
        var count = 0
        while true {
            let page = try store.outbox.deliveries(
                matching: DeliveryFilter(state: .queued), before: nil, limit: 1000)
            guard !page.items.isEmpty else { return count }
            let ended = try store.outbox.cancelDeliveries(
                page.items.compactMap(\.number.value), reason: reason, at: Date())
            guard ended > 0 else {
                throw CommandError(
                    description: "\(store.path): deliveries are still being sent by another server's name")
            }
            count += ended
        }
    }

    /// Sets `deliveries.hold` in the project's settings.
    private static func hold(in project: URL) throws {
        let existing = Settings.files(in: project).first
        let file = existing ?? project.appending(path: "lamplighter.yaml")
        let line =
            "# The deliveries that waited when the backup was made are held: see docs/operating/backup.md.\n"
            + "deliveries.hold: true\n"
        var text = try existing.map { try String(contentsOf: $0, encoding: .utf8) } ?? ""
        if !text.isEmpty, !text.hasSuffix("\n") { text += "\n" }
        try Data((text + line).utf8).write(to: file)
        let isHeld = try? Settings.read(project: project, environment: [:]).installation.holdsDeliveries
        guard isHeld == true else {
            throw CommandError(
                description:
                    "\(file.lastPathComponent) cannot be extended by 'deliveries.hold: true'; restore with another value of --deliveries, or set it in the project before the backup"
            )
        }
    }

    private static func move(_ source: URL, to target: URL) throws {
        do {
            try FileManager.default.moveItem(at: source, to: target)
        } catch {
            throw CommandError(description: "\(target.path) cannot be created: \(error.localizedDescription)")
        }
    }
}
