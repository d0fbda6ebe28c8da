import Core
import Foundation
import Testing

@Suite("Trace context")
struct TraceContextTests {
    private static let trace = "4bf92f3577b34da6a3ce929d0e0e4736"

    @Test("reads a traceparent and writes it again")
    func roundTrip() throws {
        let context = try #require(TraceContext(traceparent: "00-\(Self.trace)-00f067aa0ba902b7-01", tracestate: "a=1"))
        #expect(context.isSampled)
        #expect(
            context.headers.map { "\($0.name): \($0.value)" } == [
                "traceparent: 00-\(Self.trace)-00f067aa0ba902b7-01", "tracestate: a=1",
            ])
    }

    @Test("takes a traceparent of a later version with more fields")
    func laterVersion() {
        #expect(TraceContext(traceparent: "01-\(Self.trace)-00f067aa0ba902b7-00-more") != nil)
    }

    @Test(
        "ignores what is not a traceparent",
        arguments: [
            "", "00", "00-\(trace)-00f067aa0ba902b7", "00-\(trace)-00f067aa0ba902b7-01-more",
            "ff-\(trace)-00f067aa0ba902b7-01", "00-\(String(repeating: "0", count: 32))-00f067aa0ba902b7-01",
            "00-\(trace)-0000000000000000-01", "00-\(trace.uppercased())-00f067aa0ba902b7-01",
            "00-\(trace)-00f067aa0ba902b-01", "00-\(trace)-00f067aa0ba902b7-0g", "00-\(trace)\n-00f067aa0ba902b7-01",
        ])
    func wrong(text: String) {
        #expect(TraceContext(traceparent: text) == nil)
    }

    @Test(
        "drops a tracestate with a line break, and one of more than 512 bytes",
        arguments: ["a=1\r\nX: y", String(repeating: "a", count: 513)])
    func wrongState(text: String) throws {
        let context = try #require(TraceContext(traceparent: "00-\(Self.trace)-00f067aa0ba902b7-01", tracestate: text))
        #expect(context.state == nil)
    }

    @Test("keeps the trace id and takes a new span id for each span")
    func child() throws {
        let parent = try #require(TraceContext(traceparent: "00-\(Self.trace)-00f067aa0ba902b7-01"))
        let child = TraceContext(continuing: parent, ratio: 1)
        #expect(child.traceID == Self.trace)
        #expect(child.spanID != parent.spanID && child.spanID?.count == 16)
    }

    @Test("decides on a trace once, ignoring the client's request, and the client cannot choose sampled ids")
    func ratio() throws {
        var sampled = 0
        for number in 0..<10_000 {
            let trace = String(repeating: "0", count: 13 - "\(number)".count) + "\(number)" + "fffffffffffffffffff"
            let decisions = try ["00", "01"].map { flags in
                let parent = try #require(TraceContext(traceparent: "00-\(trace)-00f067aa0ba902b7-\(flags)"))
                return TraceContext(continuing: parent, ratio: 0.1).isSampled
            }
            #expect(decisions[0] == decisions[1])
            if decisions[0] { sampled += 1 }
        }
        // A fair draw leaves this range once in more runs than there are.
        #expect((500...1500).contains(sampled))
    }

    @Test("passes the client's flag on where nothing is exported", arguments: ["00", "01"])
    func passedOn(flags: String) throws {
        let parent = try #require(TraceContext(traceparent: "00-\(Self.trace)-00f067aa0ba902b7-\(flags)"))
        #expect(TraceContext(continuing: parent, ratio: nil).isSampled == (flags == "01"))
    }

    @Test("samples every trace with the ratio 1 and none with 0")
    func bounds() {
        for _ in 0..<100 {
            #expect(TraceContext(continuing: nil, ratio: 1).isSampled)
            #expect(!TraceContext(continuing: nil, ratio: 0).isSampled)
        }
    }

    @Test("names the trace of a notification's deliveries after the notification")
    func notification() throws {
        let id = try #require(UUID(uuidString: "4BF92F35-77B3-4DA6-A3CE-929D0E0E4736"))
        let context = TraceContext(notification: id)
        #expect(context.traceID == Self.trace)
        #expect(context.headers.isEmpty)
        #expect(TraceContext(continuing: context, ratio: 1).traceID == Self.trace)
    }
}
