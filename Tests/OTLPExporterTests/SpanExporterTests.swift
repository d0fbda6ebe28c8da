import Core
import CoreMetrics
import Foundation
import Logging
import OTLPExporter
import Synchronization
import TestSupport
import Testing
import Tracing

@Suite("Span exporter", .defaultTimeLimit)
struct SpanExporterTests {
    /// So long that no response comes too late on a busy machine.
    /// Runs an exporter against a collector that sends these responses, one after the other, the last one again and again.
    private func export(
        answers: [LoopbackServer.Reply], spans: @Sendable (OTLPTracer) -> Void,
        until isDone: @escaping @Sendable ([JSONValue]) -> Bool
    ) async throws -> (bodies: [JSONValue], log: LogRecorder) {
        let bodies = AwaitableValue<[JSONValue]>([])
        let collector = try LoopbackServer { request in
            let body = (try? JSONValue(parsing: request.body)) ?? .null
            let number = bodies.update { bodies in
                bodies.append(body)
                return bodies.count
            }
            return answers[min(number, answers.count) - 1]
        }
        let log = LogRecorder()
        let exporter = SpanExporter(
            url: "http://127.0.0.1:\(collector.port)/v1/traces", resource: [("service.name", "lamplighter")],
            version: "1", gracePeriod: .noLimit, timeout: .noLimit, time: SystemTime(), logger: log.logger,
            factory: NOOPMetricsHandler.instance)
        spans(OTLPTracer(exporter: exporter))
        let running = Task { await exporter.run() }
        try await bodies.wait(until: isDone)
        running.cancel()
        await running.value
        await collector.stop()
        return (bodies.value, log)
    }

    private static func spans(_ body: JSONValue) -> [JSONValue] {
        body["resourceSpans"]?.array?.first?["scopeSpans"]?.array?.first?["spans"]?.array ?? []
    }

    @Test("sends a span with its parent, kind, times, attributes and status")
    func span() async throws {
        let (bodies, _) = try await export(answers: [.ok("{}")]) { tracer in
            let parent = tracer.startSpan("outer", context: .topLevel, ofKind: .server)
            let child = tracer.startSpan("inner", context: parent.context, ofKind: .client)
            child.attributes["http.response.status_code"] = 503
            child.attributes["server.address"] = "back.example.com"
            child.setStatus(SpanStatus(code: .error))
            child.attributes["error.type"] = "error"
            child.end()
            parent.end()
        } until: {
            !$0.isEmpty
        }
        let resource = bodies[0]["resourceSpans"]?.array?.first?["resource"]?["attributes"]?.array?.first
        #expect(resource?["key"]?.string == "service.name")
        let spans = Self.spans(bodies[0])
        try #require(spans.count == 2)
        let (child, parent) = (spans[0], spans[1])
        #expect(child["name"]?.string == "inner" && child["kind"]?.number == 3)
        #expect(parent["name"]?.string == "outer" && parent["kind"]?.number == 2)
        #expect(child["traceId"] == parent["traceId"] && child["parentSpanId"] == parent["spanId"])
        #expect(parent["parentSpanId"] == nil)
        #expect(child["status"]?["code"]?.number == 2)
        let start = try #require(child["startTimeUnixNano"]?.string.flatMap(UInt64.init))
        let end = try #require(child["endTimeUnixNano"]?.string.flatMap(UInt64.init))
        #expect(start <= end && start > 1_700_000_000_000_000_000)
        let attributes = child["attributes"]?.array?.map(\.text).sorted() ?? []
        #expect(
            attributes == [
                #"{"key":"error.type","value":{"stringValue":"error"}}"#,
                #"{"key":"http.response.status_code","value":{"intValue":"503"}}"#,
                #"{"key":"server.address","value":{"stringValue":"back.example.com"}}"#,
            ])
    }

    @Test("sends a batch again after a 503, and says why spans wait")
    func again() async throws {
        let (bodies, log) = try await export(answers: [.ok("", status: "503 Service Unavailable"), .ok("{}")]) {
            tracer in
            tracer.startSpan("one", context: .topLevel).end()
        } until: {
            $0.count >= 2
        }
        #expect(Self.spans(bodies[1]).count == 1)
        #expect(bodies[0] == bodies[1])
        #expect(log.text.contains("traces.endpoint: spans wait") && log.text.contains("status 503"))
    }

    @Test("drops a batch that the collector refuses, and goes on with the next")
    func refused() async throws {
        let (bodies, log) = try await export(answers: [.ok("", status: "400 Bad Request"), .ok("{}")]) { tracer in
            for number in 0..<600 { tracer.startSpan("span \(number)", context: .topLevel).end() }
        } until: {
            $0.count >= 2
        }
        #expect(Self.spans(bodies[0]).count == 512)
        #expect(Self.spans(bodies[1]).first?["name"]?.string == "span 512")
        #expect(log.text.contains("512 spans were dropped") && log.text.contains("status 400"))
    }

    @Test("sends the last spans when it is stopped")
    func stop() async throws {
        let collector = try LoopbackServer { _ in .ok("{}") }
        let exporter = SpanExporter(
            url: "http://127.0.0.1:\(collector.port)/v1/traces", resource: [], version: "1",
            gracePeriod: .noLimit, timeout: .noLimit, time: SystemTime(), logger: LogRecorder().logger,
            factory: NOOPMetricsHandler.instance)
        let tracer = OTLPTracer(exporter: exporter)
        tracer.startSpan("first", context: .topLevel).end()
        let running = Task { await exporter.run() }
        try await collector.requests.wait { $0.count >= 1 }
        tracer.startSpan("last", context: .topLevel).end()
        running.cancel()
        await running.value
        // A request that the stop has cancelled is sent once more.
        let request = try #require(collector.requests.value.last)
        #expect(request.body.contains(#""name":"last""#))
        await collector.stop()
    }

    @Test("sends the last spans for no longer than the grace period, however slow the collector is")
    func slowCollector() async throws {
        let (asked, time) = (AwaitableValue(0), ManualTime())
        let collector = try LoopbackServer { _ in
            asked.update { $0 += 1 }
            time.advance(by: .seconds(400))
            return .ok("{}")
        }
        // The requests' own limits go by the machine's clock.
        let exporter = SpanExporter(
            url: "http://127.0.0.1:\(collector.port)/v1/traces", resource: [], version: "1",
            gracePeriod: .seconds(1000), timeout: .noLimit, time: time, logger: LogRecorder().logger,
            factory: NOOPMetricsHandler.instance)
        let tracer = OTLPTracer(exporter: exporter)
        for _ in 0..<512 * 9 { tracer.startSpan("one", context: .topLevel).end() }
        // Cancelled before it begins, so that it sends nothing before the grace period.
        await Task {
            withUnsafeCurrentTask { $0?.cancel() }
            await exporter.run()
        }.value
        // After 0, 400 and 800 seconds.
        #expect(asked.value == 3)
        await collector.stop()
    }

    @Test("keeps no span of a trace that is not sampled")
    func unsampled() {
        let exporter = SpanExporter(
            url: "http://127.0.0.1:9/v1/traces", resource: [], version: "1", time: SystemTime(),
            logger: LogRecorder().logger, factory: NOOPMetricsHandler.instance)
        let span = OTLPTracer(ratio: 0, exporter: exporter).startSpan("one", context: .topLevel)
        #expect(!span.isRecording)
        #expect(span.context.trace?.isSampled == false)
    }
}
