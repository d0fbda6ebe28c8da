import Core
import Synchronization
public import Tracing

/// Makes spans and continues traces by W3C Trace Context. ``SpanExporter`` sends the spans that are sampled.
public final class OTLPTracer: Tracer {
    private let ratio: Double?
    private let exporter: SpanExporter?

    /// - Parameters:
    ///   - ratio: the share of traces that are exported, from 0 to 1.
    ///   - exporter: takes the spans; `nil` to pass trace ids on and to export nothing.
    public init(ratio: Double = 1, exporter: SpanExporter?) {
        self.ratio = exporter == nil ? nil : ratio
        self.exporter = exporter
    }

    public func startSpan<Instant: TracerInstant>(
        _ operationName: String, context: @autoclosure () -> ServiceContext, ofKind kind: SpanKind,
        at instant: @autoclosure () -> Instant, function: String, file fileID: String, line: UInt
    ) -> OTLPSpan {
        var context = context()
        let parent = context.trace
        let trace = TraceContext(continuing: parent, ratio: ratio)
        context.trace = trace
        let record = SpanRecord(
            trace: trace, parent: parent?.spanID, name: operationName, kind: kind,
            start: instant().nanosecondsSinceEpoch)
        return OTLPSpan(context: context, record: record, exporter: trace.isSampled ? exporter : nil)
    }

    public func extract<Carrier, Extract: Extractor>(
        _ carrier: Carrier, into context: inout ServiceContext, using extractor: Extract
    ) where Extract.Carrier == Carrier {
        guard let parent = extractor.extract(key: "traceparent", from: carrier) else { return }
        context.trace = TraceContext(
            traceparent: parent, tracestate: extractor.extract(key: "tracestate", from: carrier))
    }

    public func inject<Carrier, Inject: Injector>(
        _ context: ServiceContext, into carrier: inout Carrier, using injector: Inject
    ) where Inject.Carrier == Carrier {
        for (name, value) in context.trace?.headers ?? [] { injector.inject(value, forKey: name, into: &carrier) }
    }

    /// Does nothing: ``SpanExporter/run()`` sends the spans, also the last ones.
    public func forceFlush() {}
}

/// One operation of a trace.
public final class OTLPSpan: Tracing.Span {
    public let context: ServiceContext
    /// Gets the span when it ends; `nil` when the trace is not sampled, or the span has ended.
    private let state: Mutex<(record: SpanRecord, exporter: SpanExporter?)>

    init(context: ServiceContext, record: SpanRecord, exporter: SpanExporter?) {
        self.context = context
        state = Mutex((record, exporter))
    }

    public var isRecording: Bool { state.withLock { $0.exporter != nil } }

    public var operationName: String {
        get { state.withLock { $0.record.name } }
        set { state.withLock { $0.record.name = newValue } }
    }

    public var attributes: SpanAttributes {
        get { state.withLock { $0.record.attributes } }
        set { state.withLock { if $0.exporter != nil { $0.record.attributes = newValue } } }
    }

    public func setStatus(_ status: SpanStatus) { state.withLock { $0.record.status = status } }

    public func addEvent(_ event: SpanEvent) {
        state.withLock { if $0.exporter != nil { $0.record.events.append(event) } }
    }

    public func recordError<Instant: TracerInstant>(
        _ error: any Error, attributes: SpanAttributes, at instant: @autoclosure () -> Instant
    ) {
        // Only the class of the error: its message may quote a user's data.
        var attributes = attributes
        attributes["exception.type"] = "\(type(of: error))"
        addEvent(SpanEvent(name: "exception", at: instant(), attributes: attributes))
    }

    public func addLink(_ link: SpanLink) {
        state.withLock { if $0.exporter != nil { $0.record.links += [link.context.trace].compactMap(\.self) } }
    }

    public func end<Instant: TracerInstant>(at instant: @autoclosure () -> Instant) {
        let end = instant().nanosecondsSinceEpoch
        let (record, exporter) = state.withLock { state in
            defer { state.exporter = nil }
            state.record.end = end
            return state
        }
        exporter?.add(record)
    }
}

/// The data of a span.
struct SpanRecord: Sendable {
    let trace: TraceContext
    let parent: String?
    var name: String
    let kind: SpanKind
    /// Nanoseconds since 1970, as ``end``.
    let start: UInt64
    var end: UInt64 = 0
    var attributes: SpanAttributes = [:]
    var status: SpanStatus?
    var events: [SpanEvent] = []
    var links: [TraceContext] = []
}
