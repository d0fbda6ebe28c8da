import AdapterRuntime
import HTTPTypes
import Hummingbird
import NIOCore
import PollScheduler
import PushModel
import WorklightProject

/// Public pages.
extension Routes {
    /// Whether the server is ready, and what else load balancers and people want to know.
    struct State {
        /// `nil` when it is ready.
        var reason: String?
        var counts: [(name: String, label: String, count: Int)] = []

        var response: Response {
            var object: JSONObject = ["status": reason == nil ? "ready" : "not ready"]
            object["reason"] = reason.map(JSONValue.string)
            for (name, _, count) in counts { object[name] = .number(Double(count)) }
            return json(JSONValue.object(object).text, status: reason == nil ? .ok : .serviceUnavailable)
        }
    }

    func readiness() async -> State {
        guard readiness.value else { return State(reason: "the server is starting or stopping") }
        do {
            _ = try await offLoop { [store = installation.store] in try store.counts() }
        } catch {
            return State(reason: "the store does not answer; the log says why")
        }
        let failing = await installation.deployments.scheduler.status().count { $0.consecutiveFailures > 0 }
        return State(counts: [
            ("adapters", "adapters", installation.runtime.adapterNames.count),
            ("problems", "problems of the project", installation.problems.count { $0.severity == .error }),
            ("failingPolls", "failing polls", failing),
        ])
    }

    func start(_ request: Request) async -> Response {
        guard Self.isForPeople(request) else { return Self.json(#"{"name":"Lamplighter","health":"/health"}"#) }
        return Response(
            status: .seeOther, headers: [.location: ConsoleSite.root, .cacheControl: "no-store", .vary: "Accept"])
    }

    func health(_ request: Request) async -> Response {
        let state = await readiness()
        guard Self.isForPeople(request) else { return state.response }
        let counts = state.counts.map { "<tr><th scope=\"row\">\($0.label)</th><td>\($0.count)</td></tr>" }
        let title = state.reason == nil ? "Ready" : "Not ready"
        var page = Self.page(
            title,
            """
            \(state.reason.map { "<p>\($0).</p>" } ?? "")
            \(counts.isEmpty ? "" : "<table>\(counts.joined(separator: "\n"))</table>")
            <p><a href="/console">Console</a></p>
            """)
        if state.reason != nil { page.status = .serviceUnavailable }
        return page
    }

    private static func isForPeople(_ request: Request) -> Bool {
        request.headers[.accept]?.contains("text/html") == true
    }

    /// - Parameter content: trusted HTML.
    private static func page(_ title: String, _ content: String) -> Response {
        let html = """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <title>\(title) – Lamplighter</title>
            <style>
            :root { color-scheme: light dark; }
            body { font: 1rem/1.5 system-ui, sans-serif; max-width: 40rem; margin: 2rem auto; padding: 0 1rem; }
            th { text-align: left; font-weight: normal; padding-right: 2rem; }
            td { text-align: right; }
            </style>
            </head>
            <body>
            <main>
            <h1>\(title)</h1>
            \(content)
            </main>
            </body>
            </html>
            """
        var headers: HTTPFields = [
            .contentType: "text/html; charset=utf-8", .cacheControl: "no-store", .vary: "Accept",
        ]
        headers[.contentSecurityPolicy] = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"
        return Response(status: .ok, headers: headers, body: .init(byteBuffer: ByteBuffer(string: html)))
    }
}
