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

/// A folder for a test, which goes when this object does.
final class TestFolder: Sendable {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appending(path: "tokens-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    func path(_ name: String) -> String { url.appending(path: name).path }

    func write(_ data: Data, to name: String) throws -> String {
        try data.write(to: url.appending(path: name))
        return path(name)
    }
}
