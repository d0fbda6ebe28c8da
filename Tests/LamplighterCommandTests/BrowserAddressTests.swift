import Foundation
import TestSupport
import Testing

@Suite("The console's default address")
struct BrowserAddressTests {
    @Test(
        "is one that Chromium opens: the port after 10080",
        .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/chromium")))
    func chromium() async throws {
        let project = try makeProject("function run() {}")
        // A later flag wins over ServerProcess's own.
        let server = try await ServerProcess([project.path, "--port", "10080"])
        let log = await server.log(with: "; console: ")
        #expect(log.contains("console: http://127.0.0.1:10081"))
        let folder = try TemporaryFolder()
        let output = Pipe()
        let process = try ChildProcess(
            "/usr/bin/chromium",
            [
                "--headless=new", "--no-sandbox", "--disable-gpu", "--user-data-dir=\(folder.path)", "--dump-dom",
                "http://127.0.0.1:10081/",
            ],
            environment: ["TMPDIR": "/tmp"], output: output)
        let page = await output.fileHandleForReading.allText()
        _ = await process.exitStatus
        #expect(page.contains("<h1><bdi>Log in</bdi></h1>"), "\(page)")
        #expect(await server.end(with: SIGTERM) == 0)
    }
}
