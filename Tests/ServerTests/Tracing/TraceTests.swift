import Core
import Foundation
import NIOHTTP1
import PushSandbox
import TestSupport
import Testing

@testable import Installation

@Suite("Traces")
struct TraceTests {
    /// A collector of traces.
    private final class Collector: Sendable {
        let server: LoopbackServer
        let spans: AwaitableValue<[JSONValue]>

        init() throws {
            let spans = AwaitableValue<[JSONValue]>([])
            self.spans = spans
            server = try LoopbackServer { request in
                let body = try? JSONValue(parsing: request.body)
                let new =
                    body?["resourceSpans"]?.array?.first?["scopeSpans"]?.array?.first?["spans"]?.array ?? []
                spans.update { $0 += new }
                return .ok("{}")
            }
        }

        var url: String { "http://127.0.0.1:\(server.port)/v1/traces" }

        /// The first span of that name, once it has come.
        func span(_ name: String) async throws -> JSONValue {
            try await spans.wait { $0.contains { $0["name"]?.string == name } }
            return spans.value.first { $0["name"]?.string == name } ?? .null
        }
    }

    /// A back end that keeps the requests.
    private final class BackEnd: Sendable {
        let asked: AwaitableValue<[LoopbackServer.Request]>
        private let server: LoopbackServer

        init() throws {
            let asked = AwaitableValue<[LoopbackServer.Request]>([])
            self.asked = asked
            server = try LoopbackServer { request in
                asked.update { $0.append(request) }
                return .ok("{}")
            }
        }

        /// The files of an adapter `A` with this back end.
        func files(_ script: String) -> [String: String] {
            ["adapters/A/A.xml": adapterXML("A", connectivity: server.connectivity), "adapters/A/A-impl.js": script]
        }
    }

    private static let trace = "4bf92f3577b34da6a3ce929d0e0e4736"
    private static let parent = "00-\(trace)-00f067aa0ba902b7-00"

    @Test("lead from a client's request through the call and the log to the back end")
    func call() async throws {
        let (collector, backEnd) = (try Collector(), try BackEnd())
        let script = """
            function run() {
                WL.Logger.warn('asking');
                return WL.Server.invokeHttp({ method: 'get', path: '/secret?user=ann' });
            }
            """
        let log = LogRecorder()
        try await RunningServer.run(
            files: backEnd.files(script), log: log, change: { $0.traceEndpoint = collector.url }
        ) { (server) async throws in
            let answer = try await server.send(
                .GET, "/invoke?adapter=A&procedure=run", key: try server.developmentKey,
                headers: [("traceparent", Self.parent)])
            #expect(answer.status == 200)
            let (request, call, back) = (
                try await collector.span("GET invoke"), try await collector.span("call A/run"),
                try await collector.span("GET")
            )
            for span in [request, call, back] { #expect(span["traceId"]?.string == Self.trace) }
            #expect(request["parentSpanId"]?.string == "00f067aa0ba902b7")
            #expect(call["parentSpanId"] == request["spanId"])
            #expect(back["parentSpanId"] == call["spanId"])
            #expect(
                backEnd.asked.value.first?.header("traceparent")
                    == "00-\(Self.trace)-\(back["spanId"]?.string ?? "")-01")
            // Neither a path nor a query leaves the server.
            #expect(!collector.spans.value.contains { $0.text.contains("secret") || $0.text.contains("ann") })
        }
        #expect(
            log.lines.value.contains { $0.message.contains("asking") && $0.metadata["trace_id"] == Self.trace },
            "\(log.text)")
    }

    @Test("leave the header fields alone that a script sets itself", arguments: ["traceparent", "tracestate"])
    func ownHeader(name: String) async throws {
        let (collector, backEnd) = (try Collector(), try BackEnd())
        let script = """
            function run() {
                return WL.Server.invokeHttp({ method: 'get', path: '/', headers: { '\(name)': 'mine' } });
            }
            """
        try await RunningServer.run(
            files: backEnd.files(script), change: { $0.traceEndpoint = collector.url }
        ) { (server) async throws in
            _ = try await server.send(
                .GET, "/invoke?adapter=A&procedure=run", key: try server.developmentKey,
                headers: [("traceparent", Self.parent), ("tracestate", "client=1")])
            for field in ["traceparent", "tracestate"] {
                #expect(backEnd.asked.value.first?.headers(field) == (field == name ? ["mine"] : []))
            }
        }
    }

    @Test("are not begun, and change no request, without traces.endpoint")
    func off() async throws {
        let backEnd = try BackEnd()
        try await RunningServer.run(
            files: backEnd.files("function run() { return WL.Server.invokeHttp({ method: 'get', path: '/' }); }")
        ) { (server) async throws in
            _ = try await server.send(
                .GET, "/invoke?adapter=A&procedure=run", key: try server.developmentKey,
                headers: [("traceparent", Self.parent)])
            #expect(backEnd.asked.value.count == 1)
            #expect(backEnd.asked.value.first?.headers("traceparent") == [])
        }
    }

    @Test("have a notification's deliveries in a trace of its id, to which the call leads, up to the push service")
    func delivery() async throws {
        let collector = try Collector()
        try await SandboxedServer.run(devices: 2, settings: { $0.traceEndpoint = collector.url }) {
            (sandboxed) async throws in
            _ = try await sandboxed.notify()
            let notify = try await collector.span("notify")
            try await collector.spans.wait { $0.count { $0["name"]?.string == "deliver apple" } == 2 }
            let deliveries = collector.spans.value.filter { $0["name"]?.string == "deliver apple" }
            let trace = try #require(notify["links"]?.array?.first?["traceId"]?.string)
            #expect(deliveries.allSatisfy { $0["traceId"]?.string == trace })
            let received = sandboxed.sandbox.arrivals(of: .apns).compactMap { $0.header("traceparent") }
            #expect(received.count == 2)
            for delivery in deliveries {
                #expect(received.contains("00-\(trace)-\(delivery["spanId"]?.string ?? "")-01"))
            }
            let ids = try await sandboxed.server.items("deliveries").compactMap { $0["message"]?.string }
            #expect(ids.map { $0.lowercased().filter { $0 != "-" } } == [trace, trace])
        }
    }
}
