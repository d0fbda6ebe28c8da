import Foundation
import TestSupport

/// The command `openssl`.
enum OpenSSL {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// - Parameter arguments: its input and output are files.
    /// - Returns: what it prints.
    @discardableResult
    static func run(_ arguments: [String], in folder: TemporaryFolder) async throws -> String {
        let output = Pipe()
        let process = try ChildProcess("openssl", arguments, folder: folder.url, output: output, errors: output)
        let text = await output.fileHandleForReading.allText()
        guard await process.exitStatus == 0 else { throw Failure(description: "openssl \(arguments): \(text)") }
        return text
    }
}
