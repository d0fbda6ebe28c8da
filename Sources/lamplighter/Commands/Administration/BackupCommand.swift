import ArgumentParser
import Core
import Foundation
import Installation
import Storage

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
        let all = try options.settings()
        let settings = all.installation
        let url = URL(fileURLWithPath: file)
        try DataFolder.checkAccess(to: settings.dataFolder)
        let store = settings.dataFolder.appending(path: settings.store == nil ? SQLStore.fileName : "server-name")
        guard FileManager.default.fileExists(atPath: store.path) else {
            throw CommandError(
                description:
                    "there is no store in the data folder \(settings.dataFolder.path): no server has used this folder; pass --data with the folder of the store"
            )
        }
        let outcome = try BackupArchive.write(url, project: settings.project, data: settings.dataFolder)
        let size = try url.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0
        if CommandOutput.isJSON {
            let result: JSONValue = [
                "file": .string(url.path), "files": .number(Double(outcome.files)), "bytes": .number(Double(size)),
            ]
            CommandOutput.writeResult(result.text)
        } else {
            CommandOutput.writeResult(
                "\(file): \(outcome.files) files, \(size) bytes, read back without a difference".printableLine)
        }
        for link in outcome.foreignLinks {
            CommandOutput.note("\(link.printable) is a link out of the project: its target is not in the copy")
        }
        let folders = [settings.project, settings.dataFolder].map { $0.resolvingSymlinksInPath().path + "/" }
        for key in all.secrets.keyFiles(project: settings.project)
        where !folders.contains(where: key.resolvingSymlinksInPath().path.hasPrefix) {
            CommandOutput.note("\(key.path.printable) is outside of the project: it is not in the copy")
        }
        if let store = settings.store {
            CommandOutput.note(
                "the store is not in it: copy the database of \(store) by pg_dump --format=custom, after this command")
        }
    }
}
