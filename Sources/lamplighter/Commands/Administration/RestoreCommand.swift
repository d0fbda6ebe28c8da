import ArgumentParser
import Core
import Foundation
import Installation
import PushModel
import Storage
import Yams

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
        // Folders with secrets are only for this user.
        umask(0o077)
        let (source, target) = (URL(fileURLWithPath: file), URL(fileURLWithPath: folder, isDirectory: true))
        try Self.check(target)
        guard access(source.path, R_OK) == 0 else {
            throw CommandError(
                description: "\(file) cannot be read by the user '\(NSUserName())': \(String(cString: strerror(errno)))"
            )
        }
        try BackupArchive.check(source)
        let isNew = !FileManager.default.fileExists(atPath: target.path)
        let parent = isNew ? target.deletingLastPathComponent() : target
        let scratch: ScratchFolder
        do {
            scratch = try ScratchFolder(parent.appending(path: ".restore-\(UUID().uuidString)"))
        } catch {
            throw CommandError(description: "\(target.path) cannot be created: \(error.localizedDescription)")
        }
        defer { scratch.remove() }
        let staging = scratch.url
        try BackupArchive.unpack(source, into: staging)
        let data = staging.appending(path: ".lamplighter")
        let hasStore = FileManager.default.fileExists(atPath: data.appending(path: SQLStore.fileName).path)
        guard hasStore && !Self.namesDatabase(in: staging) || deliveries != .expire else {
            throw CommandError(
                description:
                    "the store is not in \(file), as when it is in PostgreSQL: restore that by pg_restore, and pass --deliveries send or hold"
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
        if let other = (try? Settings.read(project: target, environment: ProcessInfo.processInfo.environment))?
            .installation.data
        {
            CommandOutput.note(
                "the settings name the data folder \(other.path): move \(target.path)/.lamplighter there before a server starts"
            )
        }
        if !hasStore { CommandOutput.note("there is no store in it: if it is in PostgreSQL, restore it by pg_restore") }
    }

    private static func check(_ folder: URL) throws {
        if let note = DataFolder.serverNote(in: folder.appending(path: ".lamplighter")) {
            throw CommandError(
                description: "the server \(note.url) (process \(note.processID)) uses \(folder.path); stop it first")
        }
        var names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        if names.allSatisfy({ $0.hasPrefix(".restore-") }) {
            // Of a restore that was killed.
            for name in names { try? FileManager.default.removeItem(at: folder.appending(path: name)) }
            names = []
        }
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
        try store.releaseDeliveries()
        for broadcast in try store.outbox.unfinishedBroadcasts() { try store.outbox.endBroadcast(broadcast) }
        var count = 0
        while true {
            let page = try store.outbox.deliveries(
                matching: DeliveryFilter(state: .queued), before: nil, limit: 1000)
            guard !page.items.isEmpty else { break }
            let ended = try store.outbox.cancelDeliveries(
                page.items.compactMap(\.number.value), reason: reason, at: Date())
            guard ended > 0 else { break }
            count += ended
        }
        let waiting = try store.outbox.depth().waiting
        guard waiting == 0 else {
            throw CommandError(description: "\(store.path): \(waiting) deliveries could not be ended")
        }
        return count
    }

    /// Returns whether the settings of a project name a database as the store.
    private static func namesDatabase(in project: URL) -> Bool {
        guard let file = Settings.files(in: project).first, let text = try? String(contentsOf: file, encoding: .utf8)
        else { return false }
        return (try? Yams.compose(yaml: text))?.mapping?[Node("store")] != nil
    }

    /// Sets `deliveries.hold` in the project's settings.
    private static func hold(in project: URL) throws {
        let existing = Settings.files(in: project).first
        let file = existing ?? project.appending(path: "lamplighter.yaml")
        var bytes = try existing.map { try Data(contentsOf: $0) } ?? Data()
        if let last = bytes.last, last != UInt8(ascii: "\n") { bytes.append(UInt8(ascii: "\n")) }
        bytes += Data(
            """
            # The deliveries that waited when the backup was made are held: see docs/operating/backup.md.
            \(holdKey): true

            """.utf8)
        let text = String(decoding: bytes, as: UTF8.self)
        guard let mapping = (try? Yams.compose(yaml: text))?.mapping, mapping[Node(holdKey)]?.bool == true else {
            throw CommandError(
                description:
                    "\(file.lastPathComponent) in the copy cannot be extended by '\(holdKey): true', since it is not a plain YAML mapping or sets it already; restore with --deliveries expire, or correct the file and make a new copy"
            )
        }
        try bytes.write(to: file)
    }

    private static let holdKey = "deliveries.hold"

    private static func move(_ source: URL, to target: URL) throws {
        do {
            try FileManager.default.moveItem(at: source, to: target)
        } catch {
            throw CommandError(description: "\(target.path) cannot be created: \(error.localizedDescription)")
        }
    }
}
