import Foundation

/// Chromium without a window.
public enum Browser {
    public static let program = "/usr/bin/chromium"

    public static var isInstalled: Bool { FileManager.default.isExecutableFile(atPath: program) }

    /// Returns a page's document after its scripts have run.
    public static func document(at url: String) async throws -> String {
        let folder = try TemporaryFolder()
        let output = Pipe()
        let process = try ChildProcess(
            program,
            [
                "--headless=new", "--no-sandbox", "--disable-gpu", "--user-data-dir=\(folder.path)",
                "--virtual-time-budget=3000", "--dump-dom", url,
            ],
            // It puts a socket there, whose path may be 107 bytes long.
            environment: ["TMPDIR": "/tmp"], output: output)
        let text = await output.fileHandleForReading.allText()
        _ = await process.exitStatus
        return text
    }
}
