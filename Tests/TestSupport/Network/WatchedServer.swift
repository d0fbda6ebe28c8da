public import Foundation

/// A server that belongs to this test process.
///
/// A shell watches over it: it stops the server and removes its files when its standard input ends, which is when this
/// process ends, however that happens.
public final class WatchedServer: Sendable {
    public let port: Int
    public let folder: URL

    /// - Parameters:
    ///   - script: starts the server with $1 = folder (also the working folder), $2 = port and what follows, writes what
    ///     it has to say to `log`, sets `pid`, and ends with `ready_when` and a command that succeeds once the server runs.
    ///   - signal: ends the server at once.
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
                # Five minutes: longer than any machine takes, so that only a fault takes as long.
                tries=0
                until "$@" > /dev/null 2>&1; do
                    tries=$((tries + 1))
                    if ! kill -0 $pid 2> /dev/null || [ $tries -ge 3000 ]; then fail; fi
                    sleep 0.1
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

    /// The pipe's end must stay open for as long as the process lives.
    private static func keep(_ pipe: Pipe) {
        _ = Unmanaged.passRetained(pipe)
    }
}
