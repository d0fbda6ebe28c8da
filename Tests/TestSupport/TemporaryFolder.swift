public import Foundation

/// A folder with files for a test. It is removed with this object.
public final class TemporaryFolder: Sendable {
    public let url: URL

    /// Creates a folder.
    ///
    /// - Parameter files: the contents of files, keyed by their paths.
    public init(_ files: [String: String] = [:]) throws {
        url = FileManager.default.temporaryDirectory.appending(path: "lamplighter-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        for (path, text) in files { try write(text, to: path) }
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }

    public var path: String { url.path }

    /// Returns the path of a file in the folder.
    public func path(_ name: String) -> String { url.appending(path: name).path }

    /// Writes a file, and creates its folders.
    ///
    /// - Returns: the file's URL.
    @discardableResult
    public func write(_ text: String, to path: String) throws -> URL {
        let file = url.appending(path: path)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
        return file
    }

    /// Writes a file.
    ///
    /// - Returns: the file's path.
    public func write(_ data: Data, to name: String) throws -> String {
        try data.write(to: url.appending(path: name))
        return path(name)
    }

    /// Overwrites a file and restores its modification time, as `cp -p` and `rsync -t` do.
    ///
    /// The system's clock for files advances in steps of some milliseconds, so this is repeated until the change time differs.
    public func rewrite(_ text: String, in path: String) throws {
        let file = url.appending(path: path)
        let former = try status(of: file)
        var now: stat
        repeat {
            try Data(text.utf8).write(to: file)
            // The time has nanoseconds, which a Date cannot represent.
            guard utimensat(AT_FDCWD, file.path, [former.st_atim, former.st_mtim], 0) == 0 else {
                throw CocoaError(.fileWriteUnknown)
            }
            now = try status(of: file)
        } while (now.st_ctim.tv_sec, now.st_ctim.tv_nsec) == (former.st_ctim.tv_sec, former.st_ctim.tv_nsec)
    }

    private func status(of file: URL) throws -> stat {
        var status = stat()
        guard stat(file.path, &status) == 0 else { throw CocoaError(.fileNoSuchFile) }
        return status
    }

    /// Removes a file, or a folder with its contents.
    public func remove(_ path: String) throws {
        try FileManager.default.removeItem(at: url.appending(path: path))
    }
}

/// Returns the connectivity element of an adapter whose back end is on this machine.
///
/// - Parameter timeout: the timeout of the connection and of the socket, in milliseconds.
public func httpConnectivity(port: Int, timeout: Int = Duration.noLimitMilliseconds) -> String {
    """
    <connectivity><connectionPolicy xsi:type="http:HTTPConnectionPolicyType">
    <domain>127.0.0.1</domain><port>\(port)</port>
    <connectionTimeoutInMilliseconds>\(timeout)</connectionTimeoutInMilliseconds>
    <socketTimeoutInMilliseconds>\(timeout)</socketTimeoutInMilliseconds>
    </connectionPolicy></connectivity>
    """
}

/// Returns the XML of an adapter.
public func adapterXML(_ name: String, procedures: [String] = ["run"], connectivity: String = "") -> String {
    """
    <wl:adapter xmlns:wl="http://www.worklight.com/integration" xmlns:http="http://www.worklight.com/integration/http"
        xmlns:sql="http://www.worklight.com/integration/sql" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" name="\(name)">
    \(connectivity)
    \(procedures.map { "<procedure name=\"\($0)\"/>" }.joined(separator: "\n"))
    </wl:adapter>
    """
}
