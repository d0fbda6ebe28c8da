import ArgumentParser
import Foundation
import Installation
import Storage

struct MigrateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "migrate", abstract: "Copy the store from its file into an empty PostgreSQL database.",
        discussion: """
            Stop the server first. A migration that was interrupted goes on when the command is run again. Each table is compared \
            after it was copied. Afterwards no server uses the file; set 'store' to the address, and the server uses the database.
            """)

    @Option(
        name: .customLong("to"),
        help: ArgumentHelp(
            "postgres://user:password@host/database; default: the setting 'store'.", valueName: "address"))
    var address: String?

    @Flag(help: "Let servers use the file again after a migration. Nothing is copied back.")
    var undo = false

    @OptionGroup var options: ProjectOptions

    func validate() throws {
        if undo, address != nil { throw ValidationError("--undo and --to cannot be combined") }
    }

    func run() async throws {
        let settings = try options.settings().installation
        if undo { return try undoMigration(settings) }
        guard let address = address.map(PostgreSQLAddress.init) ?? settings.store else {
            throw ValidationError(
                self.address == nil
                    ? "no database is named: pass --to ADDRESS, or set 'store'"
                    : "--to: expected postgres://user:password@host/database, with special characters in percent-encoding"
            )
        }
        let folder = try DataFolder(locking: settings.dataFolder)
        defer { folder.unlock() }
        let migration = try StoreMigration(from: folder.url.path, to: address)
        let isShown = StandardError.isTerminal && !CommandOutput.isJSON
        defer { if isShown { StandardError.show(nil) } }
        let tables = try migration.run { progress in
            guard isShown else { return }
            StandardError.show("… \(progress.phase) \(progress.table): \(progress.rows) of \(progress.total)")
        }
        if isShown { StandardError.show(nil) }
        if CommandOutput.isJSON {
            let members = tables.map { "\"\($0.table)\":\($0.rows)" }
            CommandOutput.writeResult("{\"rows\":{\(members.joined(separator: ","))}}")
        } else {
            for (table, rows) in tables where rows > 0 { CommandOutput.writeResult("\(table): \(rows)") }
            CommandOutput.note(
                "copied to \(address), and compared; set 'store' to this address before you start the server")
        }
    }

    private func undoMigration(_ settings: InstallationSettings) throws {
        let folder = try DataFolder(locking: settings.dataFolder)
        defer { folder.unlock() }
        guard try StoreMigration.undo(in: folder.url.path) else {
            throw CommandError(
                description: "nothing to undo: the store in \(folder.url.path) was not moved to a database")
        }
        CommandOutput.note(
            "servers may use the store in \(folder.url.path) again; remove the setting 'store' before you start one")
    }
}
