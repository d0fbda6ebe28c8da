import Core
import HTTPTypes
import Hummingbird
import Installation
import Logging
import Management
import ServiceContextModule

/// Logs one line for each request, with the setting `log.access`.
///
/// It shows no query, body, cookie or token.
struct AccessLog: Sendable {
    /// The status of a request whose client has closed the connection before the response, as nginx logs it.
    static let closedByClient = 499
    /// In bytes.
    private static let longestRoute = 500

    private let logger: Logger
    private let time: any TimeSource

    /// - Returns: `nil` without `log.access`.
    init?(_ installation: Installation) {
        guard installation.settings.logsRequests else { return nil }
        (logger, time) = (installation.logger, installation.time)
    }

    /// Returns the record of a request, in the trace of the task.
    ///
    /// - Parameter start: when the request's head arrived; `nil` for now.
    func begin(at start: Duration? = nil) -> RequestRecord {
        RequestRecord(traceID: ServiceContext.current?.trace?.traceID, start: start ?? time.uptime)
    }

    /// Logs a request that has ended: at debug for health probes and scrapes, else at info.
    ///
    /// - Parameters:
    ///   - path: without the query, percent-encoded as it came.
    ///   - bytes: the length of the response's body; `nil` when it is not known.
    ///   - address: the client's.
    func log(
        _ record: RequestRecord, method: String, path: some StringProtocol, status: Int, bytes: Int?, address: String
    ) {
        let isProbe = path == "/metrics" || path == "/health" || path.hasPrefix("/health/")
        let milliseconds = (time.uptime - record.start) / .milliseconds(1)
        var fields = record.metadata
        fields["method"] = "\(method)"
        fields["route"] = "\(Self.route(of: String(path)))"
        fields["status"] = .stringConvertible(status)
        fields["duration"] = .stringConvertible((milliseconds * 10).rounded() / 10)
        fields["bytes"] = bytes.map { .stringConvertible($0) }
        fields["address"] = "\(address)"
        logger.log(level: isProbe ? .debug : .info, "request answered", metadata: fields)
    }

    // MARK: Routes

    private static let managementPatterns = ManagementAPI.routes.map { PathPattern($0.path) }
    private static let consolePatterns = ConsoleSite.pages.map(\.pattern) + ConsoleSite.actions.map(\.pattern)

    /// A path as the log shows it: without parameters such as `;jsessionid=…`, and with `{user}` for a user's name and the like
    /// in paths of the management API and of the console. An unknown path of theirs is cut after the first word.
    static func route(of path: String) -> String {
        let segments = [""] + path.split(separator: "/").map { $0.prefix { $0 != ";" } }
        let words = segments.map { PercentEncoding.decode($0, plusIsBlank: false) ?? String($0) }
        switch words.dropFirst().first?.lowercased() {
        case "management":
            if let pattern = pattern(of: Array(words.dropFirst(3)), in: managementPatterns) {
                return (["", "management", "v1"] + pattern).joined(separator: "/")
            }
            return "/management/…"
        case "console":
            let root = words.dropFirst(2).first == "live" ? ["", "console", "live"] : ["", "console"]
            let page = Array(words.dropFirst(root.count))
            if let pattern = pattern(of: page, in: consolePatterns) {
                return (root + pattern).joined(separator: "/")
            }
            // Pages and files that are not in the table.
            if let name = page.first, page.count == 1, ConsoleSite.otherNames.contains(name) {
                return (root + page).joined(separator: "/")
            }
            return "/console/…"
        default: break
        }
        guard segments.count > 1 else { return "/" }
        return String(decoding: segments.joined(separator: "/").utf8.prefix(longestRoute), as: UTF8.self)
    }

    /// The pattern of a path; the one with the fewest parameters when several match.
    private static func pattern(of path: [String], in patterns: [PathPattern]) -> [String]? {
        let found = patterns.compactMap { pattern in pattern.match(path).map { (pattern, $0.count) } }
        return found.min { $0.1 < $1.1 }?.0.segments
    }
}

/// Logs the requests that the router serves.
struct AccessLogMiddleware: RouterMiddleware {
    let log: AccessLog
    /// The client's address.
    let address: @Sendable (Request, ServerRequestContext) -> String

    func handle(
        _ request: Request, context: ServerRequestContext,
        next: (Request, ServerRequestContext) async throws -> Response
    ) async throws -> Response {
        let record = log.begin()
        let (method, path) = (request.method.knownName, request.uri.path)
        let client = address(request, context)
        let log = log
        var response: Response
        do {
            response = try await RequestRecord.$current.withValue(record) { try await next(request, context) }
        } catch {
            log.log(
                record, method: method, path: path, status: AccessLog.closedByClient, bytes: nil, address: client)
            throw error
        }
        let status = response.status.code
        if let bytes = response.body.contentLength {
            log.log(record, method: method, path: path, status: status, bytes: bytes, address: client)
            return response
        }
        // A live page, which ends when the browser closes it.
        let body = response.body
        response.body = ResponseBody { writer in
            defer { log.log(record, method: method, path: path, status: status, bytes: nil, address: client) }
            try await body.write(writer)
        }
        return response
    }
}

/// A log that a server opens again at SIGHUP, so that programs such as logrotate can rename its file.
public protocol ReopenableLog: Sendable {
    /// Opens the log's file again. When that fails, the former file stays in use.
    func reopen() throws
}
