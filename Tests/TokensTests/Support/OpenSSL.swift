import Foundation
import TestSupport

/// The command `openssl`, as a second opinion.
enum OpenSSL {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// - Parameter arguments: its input and output are files.
    /// - Returns: what it prints.
    @discardableResult
    static func run(_ arguments: String...) async throws -> String {
        let output = Pipe()
        let process = try ChildProcess("openssl", arguments, output: output, errors: output)
        let text = await output.fileHandleForReading.allText()
        guard await process.exitStatus == 0 else { throw Failure(description: "openssl \(arguments): \(text)") }
        return text
    }
}

extension TemporaryFolder {
    /// - Returns: the file's path.
    func write(_ data: Data, to name: String) throws -> String {
        try data.write(to: url.appending(path: name))
        return path(name)
    }
}
