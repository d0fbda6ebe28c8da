public import Foundation

/// A server that runs as long as this test process.
///
/// A shell supervises the server: it stops the server and removes its files when the shell's standard input ends. This happens at every end
/// of the test process, also at a crash.
public final class WatchedServer: Sendable {
    public let port: Int
    public let folder: URL

    /// Starts a server and waits until it is ready.
    ///
    /// - Parameters:
    ///   - script: a shell script that starts the server with $1 = folder (also the working folder), $2 = port and further arguments,
    ///     writes the server's output to `log`, sets `pid`, and ends with `ready_when` and a command that succeeds once the server is ready.
    ///   - signal: the signal that ends the server at once.
    /// - Throws: ``ServerStartError``.
    public init(_ name: String, _ arguments: [String] = [], script: String, stop signal: String) throws {
        port = try freePort()
        folder = FileManager.default.temporaryDirectory.appending(
            path: "lamplighter-\(name)-\(UUID().uuidString.prefix(8))")
        let watch = """
            trap '' INT HUP TERM
            # The server may run as another user, who must be let in here and may not be elsewhere.
            umask 022
            mkdir -p "$1" && cd "$1" || exit 1
            folder=$1
            export TMPDIR="$1"
            fail() { cat "$folder/log"; exit 1; }
            ready_when() {
                until "$@" > /dev/null 2>&1; do
                    kill -0 $pid 2> /dev/null || fail
                    sleep 0.1 # test: allowed, no event reports that another program accepts connections
                done
            }
            \(script)
            echo ready
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
            guard !piece.isEmpty else { throw ServerStartError(name: name, output: said) }
            said += String(decoding: piece, as: UTF8.self)
        }
    }

    public struct ServerStartError: Error, CustomStringConvertible {
        let name: String
        let output: String
        public var description: String { "\(name) did not start; is its package installed? \(output)" }
    }

    /// Keeps a pipe open until the end of this process.
    private static func keep(_ pipe: Pipe) {
        _ = Unmanaged.passRetained(pipe)
    }
}
