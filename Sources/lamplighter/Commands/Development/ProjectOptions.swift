import ArgumentParser
import Core
import Installation
import Logging
import Management

/// Which project and which store a command is about.
struct ProjectOptions: ParsableArguments {
    @Option(help: ProjectFolder.optionHelp, completion: .directory)
    var project: String?

    @OptionGroup var store: StoreOptions

    /// Read in ``CommandOutput/isJSON``, for all that is written.
    @Flag(help: "JSON without line breaks, errors included, for programs.")
    var json = false

    /// The settings, with the flags over them.
    ///
    /// - Throws: ``SettingsError``, `ValidationError`.
    func settings() throws -> Settings { try store.settings(of: project) }

    /// Runs `body` with the project's server, or with an installation opened for the moment.
    ///
    /// - Parameter mayCreateStore: whether a store is created where there is none; `false` for commands that only read.
    func withBackend<Result>(
        mayCreateStore: Bool = true, _ body: (CommandTarget) async throws -> Result
    ) async throws -> Result {
        var settings = try settings()
        // A command's own output is its result; the log says what is wrong.
        if store.logLevel == nil { settings.logLevel = .warning }
        let level = settings.logLevel
        let logger = Logger(label: "lamplighter") { _ in ConsoleLogHandler(level: level) }
        let backend = try await CommandTarget.find(settings, mayCreateStore: mayCreateStore, logger: logger)
        do {
            let result = try await body(backend)
            await backend.close()
            return result
        } catch {
            await backend.close()
            throw error
        }
    }

    /// Performs one call of the management API.
    ///
    /// - Parameter timeout: the timeout of a running server's response; `nil` for the default.
    func answer(_ call: ManagementCall, timeout: Duration? = nil) async throws -> JSONReply {
        try await withProgress("waiting for a response") {
            try await withBackend(mayCreateStore: call.method != "GET") { try await $0.answer(call, timeout: timeout) }
        }
    }

    /// - Throws: `ValidationError` when a list cannot be that long.
    static func check(limit: Int) throws {
        guard (1...10_000_000).contains(limit) else {
            throw ValidationError("--limit \(limit): expected 1 to 10000000")
        }
    }

    /// Reads the pages of a list.
    ///
    /// - Parameters:
    ///   - query: fields without a value are left out.
    ///   - limit: the largest number of items.
    func list(
        _ path: String..., query: KeyValuePairs<String, String?> = [:], limit: Int
    ) async throws -> [JSONValue] {
        let fields = query.compactMap { field in field.value.map { (field.key, $0) } }
        return try await withProgress("waiting for a response") {
            try await withBackend(mayCreateStore: false) { backend in
                var items: [JSONValue] = []
                var cursor: String?
                repeat {
                    let size = min(limit - items.count, 1000)
                    let page = try await backend.answer(
                        ManagementCall(
                            path: path,
                            query: fields + [("limit", "\(size)")] + (cursor.map { [("cursor", $0)] } ?? [])))
                    items += try page.items
                    cursor = try page.value["next"]?.string
                } while cursor != nil && items.count < limit
                return items
            }
        }
    }
}
