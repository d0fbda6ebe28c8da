public import Foundation

/// A folder of files for a test, which goes when this object does.
public final class TemporaryFolder: Sendable {
    public let url: URL

    /// - Parameter files: their paths and their texts.
    public init(_ files: [String: String] = [:]) throws {
        url = FileManager.default.temporaryDirectory.appending(path: "lamplighter-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        for (path, text) in files { try write(text, to: path) }
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }

    public var path: String { url.path }

    /// The path of a file in it.
    public func path(_ name: String) -> String { url.appending(path: name).path }

    /// - Returns: the file.
    @discardableResult
    public func write(_ text: String, to path: String) throws -> URL {
        let file = url.appending(path: path)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
        return file
    }

    /// Removes a file, or a folder with what is in it.
    public func remove(_ path: String) throws {
        try FileManager.default.removeItem(at: url.appending(path: path))
    }
}

/// The XML of an adapter.
public func adapterXML(_ name: String, procedures: [String] = ["run"], connectivity: String = "") -> String {
    """
    <wl:adapter xmlns:wl="http://www.worklight.com/integration" xmlns:http="http://www.worklight.com/integration/http"
        xmlns:sql="http://www.worklight.com/integration/sql" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" name="\(name)">
    \(connectivity)
    \(procedures.map { "<procedure name=\"\($0)\"/>" }.joined(separator: "\n"))
    </wl:adapter>
    """
}
