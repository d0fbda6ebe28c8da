public import Core

public import struct Foundation.Date

/// The entries that a client sends to `loguploader` at once (wire-protocol 7).
///
/// The body is `{"__logdata":"<entry>,<entry>,"}`: a string with JSON objects in it. Phones append to that string in a file, so any part of it may be
/// damaged; the undamaged parts are kept. The rest of a string is discarded only if it is large and has many truncated entries, so that more than 32
/// MB were read without finding one.
public struct ClientLogUpload: Sendable, Hashable {
    /// The largest number of entries of an upload that are kept.
    public static let maximumEntries = 10_000

    /// The first ``maximumEntries``, in the order in which the client wrote them.
    public let entries: [ClientLogEntry]
    /// The number of sections of the string that held no entry.
    public let damaged: Int
    /// True if there was more than ``maximumEntries``; the rest was not read.
    public let isCut: Bool

    /// Reads an upload. An entry must be a JSON object that has at least one of `timestamp`, `level`, `pkg` and `msg`; a
    /// missing level is ``ClientLogLevel/log``.
    ///
    /// - Parameters:
    ///   - body: the request's body, after decompression.
    ///   - header: returns the value of a request's header for a name in lower case.
    /// - Throws: ``ClientLogUploadError`` when the body has no string of entries.
    public init(
        body: JSONValue, receivedAt: Date, header: (String) -> String?
    ) throws(ClientLogUploadError) {
        guard let text = body["__logdata"]?.string else {
            throw ClientLogUploadError(
                found: body["__logdata"]?.kind ?? (body.object == nil ? body.kind : "no such member"))
        }
        let client = ClientLogSource(header: header)
        var scanner = ClientLogScanner(text)
        var entries: [ClientLogEntry] = []
        var damaged = 0
        var isInDamage = false
        var isCut = false
        while let piece = scanner.next() {
            guard entries.count < Self.maximumEntries else {
                isCut = true
                break
            }
            if case .object(let object) = piece,
                let entry = ClientLogEntry(object, receivedAt: receivedAt, client: client)
            {
                entries.append(entry)
                isInDamage = false
            } else {
                if !isInDamage { damaged += 1 }
                isInDamage = true
            }
        }
        self.entries = entries
        self.damaged = damaged
        self.isCut = isCut
    }
}

/// The reason why an upload of a client's log cannot be read at all.
public struct ClientLogUploadError: Error, Hashable, CustomStringConvertible {
    /// The value found instead, for example "a number".
    public let found: String

    public init(found: String) { self.found = found }

    public var description: String {
        "upload of a client's log: expected an object with the entries as a string in \"__logdata\", found \(found)"
    }
}

extension ClientLogEntry {
    /// One entry as clients write it, or `nil` when the object is something else.
    fileprivate init?(_ value: JSONValue, receivedAt: Date, client: ClientLogSource) {
        guard ["timestamp", "level", "pkg", "msg"].contains(where: { value[$0] != nil }) else { return nil }
        let text = { (key: String) in
            value[key].flatMap { $0.isNull ? nil : $0.string ?? $0.text }
        }
        self.init(
            receivedAt: receivedAt, time: text("timestamp").flatMap(ClientLogTime.date),
            level: text("level").map(ClientLogLevel.init(_:)) ?? .log, package: text("pkg") ?? "",
            message: text("msg") ?? "", client: client, metadata: value["metadata"] ?? [:])
    }
}
