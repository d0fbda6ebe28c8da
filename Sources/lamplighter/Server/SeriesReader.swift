import Core
import Foundation
import Installation
import Management

/// Reads a series from the server that runs on a project's data folder, also over restarts of that server.
struct SeriesReader: Sendable {
    /// The time that the server may wait for news before it responds, in seconds.
    private static let wait = 25
    /// The interval between searches for a server that does not run.
    private static let pause = Duration.milliseconds(300)

    let project: String
    let folder: URL
    /// In the management API.
    let path: [String]
    /// The fields of the query that choose entries.
    let filter: [(String, String?)]
    /// The reason why the command needs a server, for the error when none is running.
    let reason: String

    init(_ options: ProjectOptions, path: [String], reason: String, filter: [(String, String?)]) throws {
        let settings = try options.settings()
        project = settings.installation.project.path
        folder = settings.installation.dataFolder
        try DataFolder.checkAccess(to: folder)
        self.path = path
        self.reason = reason
        self.filter = filter
    }

    /// The newest entries.
    ///
    /// - Throws: ``CommandError`` when no server runs.
    func newest(_ limit: Int) async throws -> SeriesPage {
        guard let connection else { throw noServer }
        do {
            return try await page(connection, [("limit", "\(limit)")])
        } catch let error as CommandError where error.isUnreachable {
            // The note of a server that was killed.
            throw noServer
        }
    }

    /// Passes on all entries after a page, until the task is cancelled or reading fails.
    ///
    /// - Throws: ``CommandError`` when the server refuses the request.
    func follow(_ page: SeriesPage, _ take: (SeriesPage) -> Void) async throws -> Never {
        var (run, last) = (page.run, page.last)
        var isAway = false
        while true {
            if let next = try await next(run: run, after: last) {
                if isAway { CommandOutput.note("the server runs again") }
                isAway = false
                if next.lost > 0 { CommandOutput.note("\(next.lost) entries came too fast and are not shown") }
                take(next)
                (run, last) = (next.run, next.last)
                guard next.isStopping else { continue }
            }
            if !isAway { CommandOutput.note("the server has stopped; waiting until it runs again (Ctrl-C ends this)") }
            isAway = true
            try await Task.sleep(for: Self.pause)
        }
    }

    /// - Returns: nil when no server runs, or when it has just begun to stop.
    private func next(run: String, after: Int) async throws -> SeriesPage? {
        guard let connection else { return nil }
        do {
            let page = try await page(
                connection, [("run", run), ("after", "\(after)"), ("limit", "1000"), ("wait", "\(Self.wait)")])
            // A server that is stopping and has no news counts as stopped.
            return page.isStopping && page.entries.isEmpty ? nil : page
        } catch let error as CommandError where error.isUnreachable {
            return nil
        }
    }

    private func page(_ connection: ServerConnection, _ fields: [(String, String)]) async throws -> SeriesPage {
        let wanted = filter.compactMap { key, value in value.map { (key, $0) } }
        return try SeriesPage(try await connection.answer(ManagementCall(path: path, query: wanted + fields)).value)
    }

    /// The connection to the server, if one runs. Its timeout is longer than the server's wait for news.
    private var connection: ServerConnection? {
        DataFolder.serverNote(in: folder).map { note in
            ServerConnection(url: note.url, key: note.managementKey, timeout: .seconds(Self.wait + 35))
        }
    }

    private var noServer: CommandError {
        CommandError(
            description: "no server is running on \(folder.path), and \(reason); start it with "
                + "'lamplighter serve \(project)'")
    }
}

/// A page of a series of a running server: its log, or the changes of deliveries.
struct SeriesPage: Sendable {
    /// The run of the server to which the numbers belong.
    let run: String
    let entries: [JSONValue]
    /// The number after which the next page begins.
    let last: Int
    /// The number of entries that were dropped before they could be read.
    let lost: Int
    /// True if the server is about to end.
    let isStopping: Bool

    /// - Throws: ``CommandError`` when it is something else.
    init(_ json: JSONValue) throws {
        guard let run = json["run"]?.string, let entries = json["entries"]?.array,
            let last = json["last"]?.number.flatMap({ Int(exactly: $0) }),
            let lost = Int(exactly: json["lost"]?.number ?? 0)
        else {
            throw CommandError(
                description: "this version of lamplighter cannot read the server's response: \(json.text.prefix(200))")
        }
        self.run = run
        self.entries = entries
        self.last = last
        self.lost = lost
        isStopping = json["stopping"] == true
    }
}
