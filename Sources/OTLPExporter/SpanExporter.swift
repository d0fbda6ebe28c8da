public import Core
public import CoreMetrics
import HTTPTransfer
public import Logging
import Synchronization
import Tracing

/// Sends spans to an OpenTelemetry collector: OTLP over HTTP, in JSON.
///
/// Spans wait in memory. When the collector does not respond, the newest are dropped once ``limit`` of them wait.
public final class SpanExporter: Sendable {
    /// The largest number of spans that wait.
    static let limit = 16_384
    /// The largest number of spans in one request.
    static let batch = 512
    private static let pause = Duration.seconds(1)

    private struct State {
        var spans: [SpanRecord] = []
        var isClosed = false
    }

    private let url: String
    private let resource: JSONValue
    private let version: String
    private let client = TransferClient()
    private let gracePeriod: Duration
    private let timeout: Duration
    private let time: any TimeSource
    private let log: LogLimiter
    private let dropped: Counter
    private let state = Mutex(State())

    /// - Parameters:
    ///   - url: where the collector takes traces, such as `http://127.0.0.1:4318/v1/traces`.
    ///   - resource: attributes of the process, by the names of OpenTelemetry's semantic conventions.
    ///   - version: the version of the server.
    ///   - gracePeriod: how long the last spans may take when the server stops.
    ///   - timeout: how long the collector may take to respond.
    ///   - factory: where the number of dropped spans is counted.
    public init(
        url: String, resource: [(name: String, value: String)], version: String,
        gracePeriod: Duration = .seconds(10), timeout: Duration = .seconds(10), time: any TimeSource, logger: Logger,
        factory: any MetricsFactory
    ) {
        self.url = url
        self.resource = .array(resource.map { OTLPJSON.attribute($0.name, .string($0.value)) })
        self.version = version
        self.gracePeriod = gracePeriod
        self.timeout = timeout
        self.time = time
        log = LogLimiter(logger: logger, time: time)
        dropped = Counter(.traceSpansDropped, [], factory)
    }

    /// Takes a span that has ended.
    func add(_ span: SpanRecord) {
        let isTaken = state.withLock { state in
            guard !state.isClosed, state.spans.count < Self.limit else { return false }
            state.spans.append(span)
            return true
        }
        if !isTaken { dropped.increment() }
    }

    /// Sends spans every second until the task is cancelled, and then those that wait, as far as the collector takes them within the
    /// grace period.
    public func run() async {
        while !Task.isCancelled {
            await send()
            try? await time.sleep(untilUptime: time.uptime + Self.pause)
        }
        // The task is cancelled, so that another one waits for the responses.
        await Task { await send(until: time.uptime + gracePeriod) }.value
        state.withLock { $0.isClosed = true }
        client.close()
    }

    /// Sends the spans that wait, until the collector refuses a batch.
    ///
    /// - Parameter end: the deadline, in uptime.
    private func send(until end: Duration? = nil) async {
        while true {
            let spans = state.withLock { Array($0.spans.prefix(Self.batch)) }
            let timeout = min(end.map { $0 - time.uptime } ?? self.timeout, self.timeout)
            guard !spans.isEmpty, timeout > .zero, await send(spans, timeout: timeout) else { return }
            state.withLock { $0.spans.removeFirst(spans.count) }
        }
    }

    /// - Returns: whether the spans are done with: taken by the collector, or refused without a retry.
    private func send(_ spans: [SpanRecord], timeout: Duration) async -> Bool {
        let request = TransferRequest(
            "POST", url: url, headers: [("Content-Type", "application/json")],
            body: Array(OTLPJSON.request(spans, resource: resource, version: version).text.utf8),
            timeout: timeout, maximumSize: 1 << 20)
        let reason: String
        do {
            let answer = try await client.send(request)
            if (200..<300).contains(answer.status) { return true }
            reason = "the collector returned status \(answer.status)"
            // Those after which a sender shall try again (OTLP 1.5, "Failures").
            guard [429, 502, 503, 504].contains(answer.status) else {
                dropped.increment(by: spans.count)
                log.log("refused", at: .warning, "traces.endpoint: \(spans.count) spans were dropped: \(reason)")
                return true
            }
        } catch {
            // The server stops, and sends them once more.
            if error.kind == .cancelled { return false }
            reason = error.text
        }
        log.log("failed", at: .warning, "traces.endpoint: spans wait, since they cannot be sent to \(url): \(reason)")
        return false
    }
}
