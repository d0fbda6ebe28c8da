import AdapterRuntime
import Core
import Foundation
import HTTPServer
import Installation
import Management
import NIOCore
import NIOPosix

/// The server that runs on the data folder, or the conditions for its start.
extension Doctor {
    /// The findings of the server's own health checks.
    func checkServer() async -> [Diagnosis] {
        guard let note = DataFolder.serverNote(in: data) else {
            return [
                .warning(
                    "server", "another lamplighter holds \(data.path), and is not ready",
                    "if it stays so, see the server's log")
            ]
        }
        let name = "\(note.url) (process \(note.processID))"
        do {
            var connection = ServerConnection(url: note.url, key: note.managementKey)
            connection.timeout = .seconds(10)
            let overview = try await connection.answer(ManagementCall("GET", "overview")).value
            let findings = (overview["alerts"]?.array ?? []).map { finding in
                Diagnosis(
                    state: finding["severity"] == "error" ? .error : .warning,
                    subject: finding["subject"]?.string ?? "server", text: finding["text"]?.string ?? "",
                    remedy: finding["remedy"]?.string)
            }
            return [.ok("server", "\(name) responds")] + findings
        } catch {
            return [
                .error(
                    "server", "\(name) does not respond: \(error)",
                    "see its log; systemd restarts a server whose loops hang, or end the process")
            ]
        }
    }

    /// The note of a server that did not stop by itself stays until the next start.
    func checkLastServer() -> Diagnosis {
        guard let note = DataFolder.serverNote(in: data) else {
            let text = "none runs on \(data.path)"
            guard settings.mode == .production else { return .ok("server", text) }
            return .warning(
                "server", text, "start it; 'journalctl -u lamplighter' has the reason of a start that failed")
        }
        return .warning(
            "server", "none runs; the last one (process \(note.processID)) was killed or crashed",
            "see the end of its log, or 'journalctl -u lamplighter'; nothing is lost, and the next start goes on")
    }

    /// The ports must be free for a server that starts.
    func checkPorts() async -> [Diagnosis] {
        var ports = [(host: settings.host, port: settings.port, setting: "port")]
        if let port = settings.consolePort, !settings.mayMoveConsole {
            ports.append((settings.consoleHost, port, "console.port"))
        }
        var lines: [Diagnosis] = []
        for entry in ports where entry.port != 0 {
            lines.append(await Self.check(port: entry.port, of: entry.host, setting: entry.setting))
        }
        return lines
    }

    private static func check(port: Int, of host: String, setting: String) async -> Diagnosis {
        let place = "\(Authority(host: host, port: port))"
        do {
            // As the server opens it.
            let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .serverChannelOption(.socketOption(.so_reuseaddr), value: 1).bind(host: host, port: port).get()
            try await channel.close()
            return .ok(setting, "\(place) is free")
        } catch let error as IOError where error.errnoCode == EADDRINUSE {
            return .error(
                setting, "another program, perhaps a server of another data folder, listens on \(place)",
                "end it, or set another port; as root, ss -ltnp 'sport = :\(port)' names it")
        } catch let error as IOError {
            return .error(
                setting, "the server cannot listen on \(place): \(String(cString: strerror(error.errnoCode)))",
                "set another address or port")
        } catch {
            return .error(
                setting, "the server cannot listen on \(place): there is no such host", "correct the host's name")
        }
    }

    /// The rule of the server's start: 200 for itself, two for each machine, one for each connection.
    func checkOpenFiles() -> Diagnosis {
        guard let limit = FileDescriptorLimit.raiseLimit() else { return .ok("files", "the system has no limit") }
        let needed = 200 + 2 * settings.runtime.scopes.machines + settings.transport.maximumConnections
        guard limit < needed else { return .ok("files", "a process may open \(limit)") }
        return .warning(
            "files",
            "a process of this shell may open \(limit) files, and \(settings.transport.maximumConnections) connections (limits.connections) need \(needed)",
            "raise the limit (ulimit -n, LimitNOFILE in systemd), or lower limits.connections")
    }
}
