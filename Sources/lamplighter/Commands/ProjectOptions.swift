import ArgumentParser
import Foundation
import Gateway
import Logging

/// Which project and which store a command is about.
struct ProjectOptions: ParsableArguments {
    @Option(help: ProjectFolder.optionHelp, completion: .directory)
    var project: String?

    @Option(
        help: ArgumentHelp("The folder of the store, if it is not PROJECT/.lamplighter.", valueName: "path"),
        completion: .directory)
    var data: String?

    @Option(
        help: ArgumentHelp("trace, debug, info, notice, warning or error.", valueName: "level"),
        completion: .list(Logger.Level.allCases.map(\.rawValue)))
    var logLevel: String?

    /// Looked at in ``Console/isJSON``, for all that is written.
    @Flag(help: "JSON without line breaks, errors included, for programs.")
    var json = false

    /// The settings, with the flags over them.
    ///
    /// - Throws: ``SettingsError``, `ValidationError`.
    func settings() throws -> Settings {
        let folder = try ProjectFolder.find(project)
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: folder.path, isDirectory: &isFolder), isFolder.boolValue else {
            throw SettingsError(description: "there is no folder \(folder.path); name a Worklight project's folder")
        }
        var settings = try Settings.read(project: folder, environment: ProcessInfo.processInfo.environment)
        if let data { settings.installation.data = URL(fileURLWithPath: data, isDirectory: true) }
        if let logLevel {
            guard let level = Logger.Level(rawValue: logLevel) else {
                throw ValidationError("--log-level \(logLevel): expected trace, debug, info, notice, warning or error")
            }
            settings.logLevel = level
        }
        return settings
    }

    /// Runs `body` with whoever answers for the project: its server, or an installation opened for the moment.
    func withBackend<Result>(_ body: (Backend) async throws -> Result) async throws -> Result {
        var settings = try settings()
        // A command's own output is its result; the log says what is wrong.
        if logLevel == nil { settings.logLevel = .warning }
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
