import Foundation

/// The command `openssl`.
public enum OpenSSL {
    public struct RunError: Error, CustomStringConvertible {
        public let description: String
    }

    /// Runs the command.
    ///
    /// - Parameter arguments: its input and output are files.
    /// - Returns: what it prints.
    @discardableResult
    public static func run(_ arguments: [String], in folder: TemporaryFolder? = nil) async throws -> String {
        let output = Pipe()
        let process = try ChildProcess("openssl", arguments, folder: folder?.url, output: output, errors: output)
        let text = await output.fileHandleForReading.allText()
        guard await process.exitStatus == 0 else { throw RunError(description: "openssl \(arguments): \(text)") }
        return text
    }

    @discardableResult
    public static func run(_ arguments: String..., in folder: TemporaryFolder? = nil) async throws -> String {
        try await run(arguments, in: folder)
    }
}
