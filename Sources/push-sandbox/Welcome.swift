import PushSandbox

/// What the program says when it is ready.
enum Welcome {
    static func text(_ sandbox: PushSandbox, host: String, folder: String?) -> String {
        let name = host == "127.0.0.1" ? "localhost" : host
        var lines: [String] = ["push-sandbox is ready"]
        if let port = sandbox.pagePort { lines.append("  phones      http://\(name):\(port)/") }
        lines += [
            "  APNs        https://\(name):\(sandbox.apnsPort)",
            "  FCM, WNS    https://\(name):\(sandbox.httpPort)",
            "  Web Push    https://\(name):\(sandbox.httpPort)/push/ID",
            "  SMS         http://\(name):\(sandbox.smsPort)/?to=NUMBER&text=TEXT",
        ]
        if let folder {
            lines.append("  settings    \(folder)/lamplighter.yaml, with the keys and certificates beside it")
        } else {
            lines.append("  settings    none written: --folder FOLDER writes keys, certificates and a lamplighter.yaml")
        }
        for fault in sandbox.faults { lines.append("  fault       \(fault)") }
        return lines.joined(separator: "\n") + "\n"
    }
}
