import AdapterRuntime
import Core
import HTTPTypes
import Hummingbird
import Installation
import Management
import NIOCore
import PollScheduler
import PrometheusExporter
import WorklightProject

/// Public pages.
extension Routes {
    /// Returns the state; to callers with a role with the findings, too.
    func health(_ request: Request, _ context: ServerRequestContext) async -> Response {
        let report = await installation.currentHealth()
        let json = await hasRole(request, context) ? report.json : ["status": .string(report.state.rawValue)]
        return Self.json(json.text, status: report.status)
    }

    /// Returns true if the request shows a token of the management API, or the cookie of a session of the console.
    private func hasRole(_ request: Request, _ context: ServerRequestContext) async -> Bool {
        let address = address(request, context)
        if console.hasSession(request, context) { return true }
        // Without the store nobody knows the tokens.
        return (try? await access.principal(request.headers[.authorization], address: address)) != nil
    }

    func start(_ request: Request) async -> Response {
        guard Self.isForPeople(request) else { return Self.json(#"{"name":"Lamplighter","health":"/health"}"#) }
        return Response(
            status: .seeOther, headers: [.location: ConsoleSite.root, .cacheControl: "no-store", .vary: "Accept"])
    }

    func healthPage(_ request: Request, _ context: ServerRequestContext) async -> Response {
        let report = await installation.currentHealth()
        var content = ""
        if await hasRole(request, context) {
            let findings = report.findings.map { finding in
                let since = finding.since.map { "since \($0.spelling): " } ?? ""
                let tried = finding.lastTried.map { "; last tried \($0.spelling)" } ?? ""
                return
                    "<li><strong>\(finding.severity.rawValue)</strong> \(Self.escaped(since + finding.line + tried)).</li>"
            }
            content = findings.isEmpty ? "<p>All checks passed.</p>" : "<ul>\(findings.joined(separator: "\n"))</ul>"
        }
        let word = report.state.rawValue
        var page = Self.page(
            word.prefix(1).uppercased() + word.dropFirst(), content + "<p><a href=\"/console\">Console</a></p>")
        page.status = report.status
        return page
    }

    private static func escaped(_ text: String) -> String {
        text.printable.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
    }

    static func isForPeople(_ request: Request) -> Bool {
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

extension HealthReport {
    fileprivate var status: HTTPResponse.Status { state == .notReady ? .serviceUnavailable : .ok }
}

extension Routes {
    /// Responds to a scrape of Prometheus: with a token of any role, or with `metrics.open` on the console's port.
    ///
    /// - Parameter isConsole: whether the request came to the console's port.
    func metrics(_ request: Request, _ context: ServerRequestContext, isConsole: Bool) async -> Response {
        if !isConsole || !installation.settings.areMetricsOpen {
            do {
                let principal = try await access.principal(
                    request.headers[.authorization], address: address(request, context))
                guard principal != nil else { return Self.unauthorized }
            } catch {
                return Self.response(ManagementError(.unavailable, "\(error)").answer)
            }
        }
        await installation.readStates()
        return Response(
            status: .ok, headers: [.contentType: PrometheusRegistry.contentType, .cacheControl: "no-store"],
            body: .init(byteBuffer: ByteBuffer(string: installation.telemetry.metrics.registry.text())))
    }
}
