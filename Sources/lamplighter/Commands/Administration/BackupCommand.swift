import ArgumentParser
import Core
import Foundation
import Installation

struct BackupCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup", abstract: "Copy a project with its store, keys, accounts and settings into one file.",
        discussion: """
            The server may run meanwhile: databases are copied as they are at one moment. The file is read back, and has a checksum of each file in \
            it. It holds secrets. A store in PostgreSQL is not in it: the command prints how to copy that.
            """)

    @Argument(
        help: ArgumentHelp("The new file, such as shop.tar.gz.", valueName: "file"),
        completion: .file(extensions: ["tar.gz"]))
    var file: String

    @OptionGroup var options: ProjectOptions

    func run() async throws {
        let settings = try options.settings().installation
        let url = URL(fileURLWithPath: file)
        let count = try BackupArchive.write(url, project: settings.project, data: settings.dataFolder)
        let size = try url.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0
        if CommandOutput.isJSON {
            let result: JSONValue = [
                "file": .string(url.path), "files": .number(Double(count)), "bytes": .number(Double(size)),
            ]
            CommandOutput.writeResult(result.text)
        } else {
            CommandOutput.writeResult(
                "\(file): \(count) files, \(size) bytes, read back without a difference".printableLine)
        }
        if let store = settings.store {
            CommandOutput.note(
                "the store is not in it: copy the database of \(store) by pg_dump --format=custom, after this command")
        }
    }
}
