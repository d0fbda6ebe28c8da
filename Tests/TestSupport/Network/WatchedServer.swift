public import Foundation

/// A server that belongs to this test process.
///
/// A shell watches over it: it stops the server and removes its files when its standard input ends, which is when this
/// process ends, however that happens.
public final class WatchedServer: Sendable {
    public let port: Int
    public let folder: URL

    /// - Parameters:
    ///   - script: starts the server with $1 = folder (also the working folder), $2 = port and what follows, sets `pid`,
    ///     and ends its output with `ready`.
    ///   - signal: ends the server at once.
    public init(_ name: String, _ arguments: [String] = [], script: String, stop signal: String) throws {
        port = try freePort()
        folder = FileManager.default.temporaryDirectory.appending(
            path: "lamplighter-\(name)-\(UUID().uuidString.prefix(8))")
        let watch = """
            trap '' INT HUP TERM
            mkdir -p "$1" && cd "$1" || exit 1
            \(script)
            cat > /dev/null
            { kill -\(signal) $pid; wait $pid; } 2> /dev/null; cd /; rm -rf "$1"
            """
        let (input, output) = (Pipe(), Pipe())
        _ = try ChildProcess(
            "/bin/sh", ["-c", watch, name, folder.path, String(port)] + arguments, input: input, output: output)
        Self.keep(input)
        var said = ""
        while !said.hasSuffix("ready\n") {
            let piece = output.fileHandleForReading.availableData
            guard !piece.isEmpty else { throw StartFailure(name: name, output: said) }
            said += String(decoding: piece, as: UTF8.self)
        }
    }

    public struct StartFailure: Error, CustomStringConvertible {
        let name: String
        let output: String
        public var description: String { "\(name) did not start; is its package installed? \(output)" }
    }

    /// The pipe's end must stay open for as long as the process lives.
    private static func keep(_ pipe: Pipe) {
        _ = Unmanaged.passRetained(pipe)
    }
}
