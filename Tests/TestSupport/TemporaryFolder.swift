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

    /// - Returns: the file's path.
    public func write(_ data: Data, to name: String) throws -> String {
        try data.write(to: url.appending(path: name))
        return path(name)
    }

    /// Writes a file anew in place and sets its time back, as `cp -p` and `rsync -t` do.
    ///
    /// The system's clock for files goes on in steps of some milliseconds, so this is done until it has.
    public func rewrite(_ text: String, in path: String) throws {
        let file = url.appending(path: path)
        let former = try status(of: file)
        var now: stat
        repeat {
            try Data(text.utf8).write(to: file)
            // To the nanosecond, which a Date cannot tell.
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

    /// Removes a file, or a folder with what is in it.
    public func remove(_ path: String) throws {
        try FileManager.default.removeItem(at: url.appending(path: path))
    }
}

/// The connectivity of an adapter whose back end is on this machine.
///
/// - Parameter timeout: in milliseconds.
public func httpConnectivity(port: Int, timeout: Int = 120_000) -> String {
    """
    <connectivity><connectionPolicy xsi:type="http:HTTPConnectionPolicyType">
    <domain>127.0.0.1</domain><port>\(port)</port>
    <connectionTimeoutInMilliseconds>\(timeout)</connectionTimeoutInMilliseconds>
    <socketTimeoutInMilliseconds>\(timeout)</socketTimeoutInMilliseconds>
    </connectionPolicy></connectivity>
    """
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
