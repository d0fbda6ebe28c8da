import Hummingbird
import Logging

/// A server that says hello and nothing else: what HTTP alone costs here. Peer of `benchmarks/query-over-http`.
enum HelloServer {
    /// Serves on a port of this machine until a signal ends the process.
    static func run(port: Int) async throws {
        let router = Router()
        for method in [HTTPRequest.Method.get, .post] {
            router.on("**", method: method) { _, _ in "hello" }
        }
        var logger = Logger(label: "hello")
        logger.logLevel = .critical
        let application = Application(
            router: router, configuration: .init(address: .hostname("127.0.0.1", port: port)), logger: logger)
        try await application.runService()
    }
}
