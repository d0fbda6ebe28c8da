public import ServiceContextModule

public import struct Foundation.UUID

/// A position in a distributed trace, as the header fields `traceparent` and `tracestate` carry it (W3C Trace Context, level 1).
public struct TraceContext: Sendable, Hashable {
    /// 32 hexadecimal digits in lower case, not all of them zero. All services that take part in a trace use the same.
    public let traceID: String
    /// 16 hexadecimal digits in lower case, not all of them zero: the span that the next one is a child of.
    ///
    /// `nil` where the next span is the first one of the trace.
    public let spanID: String?
    /// True if the span is exported.
    public let isSampled: Bool
    /// The value of `tracestate`, which is passed on unchanged; `nil` when there is none.
    public let state: String?

    /// Creates a span id, and a trace id where there is no trace yet.
    ///
    /// - Parameters:
    ///   - parent: the trace to continue; `nil` to begin one.
    ///   - ratio: the share of traces that are exported, from 0 to 1. A hash of the trace id decides, with a different key in each process, so that a
    ///     client cannot choose ids that are exported. `nil` if nothing is exported: the parent's flag is passed on.
    public init(continuing parent: TraceContext?, ratio: Double?) {
        traceID = parent?.traceID ?? Self.digits(.random(in: 1 ... .max)) + Self.digits(.random(in: 1 ... .max))
        spanID = Self.digits(.random(in: 1 ... .max))
        state = parent?.state
        guard let ratio else {
            isSampled = parent?.isSampled ?? false
            return
        }
        // From 0 to less than 1.
        let randomness = Double(UInt64(UInt(bitPattern: traceID.hashValue)) >> 11) * 0x1p-53
        isSampled = randomness < ratio
    }

    /// The trace of the deliveries of a notification: its id is that of the notification, without hyphens. A delivery may be
    /// attempted hours after the call that made it, and by another server.
    public init(notification: UUID) {
        traceID = notification.uuidString.lowercased().filter { $0 != "-" }
        (spanID, isSampled, state) = (nil, false, nil)
    }

    /// Reads the header fields of a request.
    ///
    /// - Returns: `nil` when `traceparent` does not have the form of the standard. A `tracestate` that is longer than 512 bytes or has
    ///   other than printable ASCII characters is dropped.
    public init?(traceparent: String, tracestate: String? = nil) {
        let parts = traceparent.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count >= 4, let version = Self.hex(parts[0], 2), version != "ff",
            version != "00" || parts.count == 4, let traceID = Self.hex(parts[1], 32),
            let spanID = Self.hex(parts[2], 16), let flags = Self.hex(parts[3], 2),
            traceID.contains(where: { $0 != "0" }), spanID.contains(where: { $0 != "0" })
        else { return nil }
        self.traceID = traceID
        self.spanID = spanID
        isSampled = (UInt8(flags, radix: 16) ?? 0) & 1 == 1
        state = tracestate.flatMap { state in
            (1...512).contains(state.utf8.count) && state.utf8.allSatisfy { (0x20...0x7E).contains($0) } ? state : nil
        }
    }

    /// The value of the header field `traceparent`; `nil` before the first span.
    public var traceparent: String? { spanID.map { "00-\(traceID)-\($0)-\(isSampled ? "01" : "00")" } }

    /// The header fields that continue the trace in another service.
    public var headers: [(name: String, value: String)] {
        guard let traceparent else { return [] }
        return [("traceparent", traceparent)] + (state.map { [("tracestate", $0)] } ?? [])
    }

    private static func hex(_ text: Substring, _ length: Int) -> String? {
        let isHex = text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
        return text.utf8.count == length && isHex ? String(text) : nil
    }

    private static func digits(_ number: UInt64) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}

private enum TraceContextKey: ServiceContextKey {
    typealias Value = TraceContext
}

extension ServiceContext {
    /// The position in a trace; `nil` outside of one.
    public var trace: TraceContext? {
        get { self[TraceContextKey.self] }
        set { self[TraceContextKey.self] = newValue }
    }
}
