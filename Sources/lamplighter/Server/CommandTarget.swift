import Foundation
import Installation
import Logging
import Management
import Storage

/// The part that performs a command: the server that runs on the data folder, or else an installation opened for the moment.
enum CommandTarget {
    case server(ServerConnection, dataFolder: URL)
    case local(Installation)

    /// Finds the server of the project's data folder; without one, opens the folder itself.
    ///
    /// - Parameter mayCreateStore: whether a store is created where there is none; `false` for commands that only read.
    /// - Throws: ``CommandError`` when the store does not exist and may not be created; the errors of opening an installation.
    static func find(_ settings: Settings, mayCreateStore: Bool, logger: Logger) async throws -> CommandTarget {
        // Without permission, the store would seem not to exist.
        try DataFolder.checkAccess(to: settings.installation.dataFolder)
        if !mayCreateStore, !hasStore(settings.installation) {
            let folder = settings.installation.dataFolder
            // A server whose store is a database needs no file here.
            guard let note = DataFolder.serverNote(in: folder) else {
                throw CommandError(
                    description:
                        "there is no store in the data folder \(folder.path): no server has used this folder; start one with "
                        + "'lamplighter serve \(settings.installation.project.path)', or pass --data with the folder of the "
                        + "store")
            }
            return .server(ServerConnection(url: note.url, key: note.managementKey), dataFolder: folder)
        }
        do {
            return .local(try await Installation(opening: settings.installation, logger: logger))
        } catch DataFolderError.inUse(_, let note?) {
            return .server(
                ServerConnection(url: note.url, key: note.managementKey),
                dataFolder: settings.installation.dataFolder)
        }
    }

    /// Returns whether a server or a command has used the data folder.
    private static func hasStore(_ settings: InstallationSettings) -> Bool {
        let file = settings.store == nil ? SQLStore.fileName : "server-name"
        return FileManager.default.fileExists(atPath: settings.dataFolder.appending(path: file).path)
    }

    /// The server that runs on the data folder now; `nil` as long as it is the one that is known, and for an installation of our
    /// own.
    var successor: CommandTarget? {
        guard case .server(let connection, let folder) = self, let note = DataFolder.serverNote(in: folder),
            note.url != connection.url || note.managementKey != connection.key
        else { return nil }
        return .server(ServerConnection(url: note.url, key: note.managementKey), dataFolder: folder)
    }

    /// - Throws: ``CommandError`` when the response is a problem.
    func answer(_ call: ManagementCall, timeout: Duration? = nil) async throws -> JSONReply {
        switch self {
        case .server(var connection, _):
            if let timeout { connection.timeout = timeout }
            return try await connection.answer(call)
        case .local(let installation):
            let answer = await ManagementAPI(installation).answer(call, as: .commandLine)
            if answer.isProblem { throw CommandError(problem: answer.body, status: answer.status) }
            return JSONReply(answer.body)
        }
    }

    /// Lets go of the data folder.
    func close() async {
        if case .local(let installation) = self { await installation.close() }
    }

    var isLocal: Bool {
        if case .local = self { true } else { false }
    }
}
