import ArgumentParser
import Gateway
import Logging

/// Which project and which store a command is about.
struct ProjectOptions: ParsableArguments {
    @Option(help: ProjectFolder.optionHelp, completion: .directory)
    var project: String?

    @OptionGroup var store: StoreOptions

    /// Looked at in ``Console/isJSON``, for all that is written.
    @Flag(help: "JSON without line breaks, errors included, for programs.")
    var json = false

    /// The settings, with the flags over them.
    ///
    /// - Throws: ``SettingsError``, `ValidationError`.
    func settings() throws -> Settings { try store.settings(of: project) }

    /// Runs `body` with whoever answers for the project: its server, or an installation opened for the moment.
    func withBackend<Result>(_ body: (Backend) async throws -> Result) async throws -> Result {
        var settings = try settings()
        // A command's own output is its result; the log says what is wrong.
        if store.logLevel == nil { settings.logLevel = .warning }
        let level = settings.logLevel
        let logger = Logger(label: "lamplighter") { _ in ConsoleLogHandler(level: level) }
        let backend = try await Backend.find(settings, logger: logger)
        do {
            let result = try await body(backend)
            await backend.close()
            return result
        } catch {
            await backend.close()
            throw error
        }
    }

    /// Answers one request.
    func answer(_ request: ManagementRequest) async throws -> ManagementReply {
        try await withProgress("waiting for an answer") { try await withBackend { try await $0.answer(request) } }
    }
}
