import ArgumentParser
import Foundation
import Installation

/// The server to call instead of the project's own, with its token and authorities.
struct RemoteServerOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Call this server instead of the project's own: http:// or https://, host, port and context root.",
            valueName: "url"))
    var server: ServerAddress?

    @Option(
        help: ArgumentHelp(
            "The file with the server's backEnds.token, instead of that of the settings; - for standard input.",
            valueName: "file"),
        completion: .file())
    var tokenFile: String?

    @Option(
        help: ArgumentHelp(
            "A file in PEM with the authorities whose certificates are believed, instead of the system's.",
            valueName: "file"),
        completion: .file())
    var cacert: String?

    @Option(help: ArgumentHelp("The longest wait for the server's response; default: 600.", valueName: "seconds"))
    var timeout: Int?

    func validate() throws {
        if server == nil {
            for (value, name) in [
                (tokenFile, "--token-file"), (cacert, "--cacert"), (timeout.map(String.init), "--timeout"),
            ]
            where value != nil {
                throw ValidationError("\(name) needs --server")
            }
        }
        if let timeout, !(1...86_400).contains(timeout) {
            throw ValidationError("--timeout \(timeout): expected 1 to 86400 seconds")
        }
    }

    /// The server that was named; `nil` when none was.
    ///
    /// - Throws: ``CommandError``, ``SettingsError``.
    func connection(_ options: ProjectOptions) throws -> ServerConnection? {
        guard let server else { return nil }
        let token = try tokenFile.map(Self.token) ?? options.settings().installation.backEnds.token
        return ServerConnection(
            url: server.url, key: nil, token: token, trust: cacert.map { .authorities(file: $0) } ?? .system,
            timeout: .seconds(timeout ?? 600))
    }

    /// A file's first line.
    private static func token(_ file: String) throws -> String {
        let data =
            file == "-" ? FileHandle.standardInput.readDataToEndOfFile() : FileManager.default.contents(atPath: file)
        guard let data else {
            throw CommandError(description: "--token-file \(file): there is no such file, or it may not be read")
        }
        let text = String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        guard !text.isEmpty, !text.contains(where: \.isWhitespace) else {
            throw CommandError(description: "--token-file \(file): expected one token and nothing else")
        }
        return text
    }
}
