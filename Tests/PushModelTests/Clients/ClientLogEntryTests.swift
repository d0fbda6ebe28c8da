import Core
import Foundation
import PushModel
import Testing

@Suite("An entry of a client's log")
struct ClientLogEntryTests {
    private func entry(
        _ message: String = "", package: String = "", model: String? = nil, metadata: JSONValue = [:]
    ) -> ClientLogEntry {
        ClientLogEntry(
            receivedAt: Date(timeIntervalSince1970: 0), level: .info, package: package, message: message,
            client: ClientLogSource(model: model), metadata: metadata)
    }

    @Test("A message of 16 KB is kept, a longer one is cut between two characters and says so")
    func message() throws {
        let whole = String(repeating: "x", count: 16_384)
        #expect(entry(whole).message == whole)
        let cut = entry(String(repeating: "€", count: 10_000)).message
        #expect(cut.utf8.count <= 16_384 && cut.utf8.count > 16_384 - 3)
        #expect(cut.hasPrefix("€€€"))
        #expect(cut.hasSuffix("€€… [cut from 30000 bytes]"))
        #expect(!cut.contains("\u{FFFD}"))
    }

    @Test("Names and levels that are too long are cut")
    func names() {
        let long = String(repeating: "a", count: 257)
        #expect(entry(package: long).package == String(repeating: "a", count: 253) + "…")
        #expect(entry(model: long).client.model == String(repeating: "a", count: 253) + "…")
        #expect(ClientLogLevel(long).rawValue == String(repeating: "A", count: 29) + "…")
    }

    @Test("Levels are compared without their case, unknown ones are kept")
    func levels() {
        #expect(ClientLogLevel("Error") == .error)
        #expect(ClientLogLevel(rawValue: "verbose").rawValue == "VERBOSE")
    }

    @Test("Metadata of 64 KB are kept as they are")
    func wholeMetadata() {
        // The braces, the key with its quotes and colon, and the value's quotes.
        let metadata: JSONValue = ["t": .string(String(repeating: "x", count: 65_536 - 8))]
        #expect(metadata.text.utf8.count == 65_536)
        #expect(entry(metadata: metadata).metadata == metadata)
    }

    @Test("A long string in larger metadata is cut, its neighbours stay, and the size is recorded")
    func longText() throws {
        let metadata: JSONValue = [
            "$class": "Main", "$stacktrace": .string(String(repeating: "€\n\"\u{1}", count: 20_000)), "$line": 7,
        ]
        let cut = entry(metadata: metadata).metadata
        #expect(cut.object?.keys == ["$class", "$stacktrace", "$cut"])
        #expect(cut["$class"] == "Main")
        #expect(cut["$cut"]?.number == Double(metadata.text.utf8.count))
        let trace = try #require(cut["$stacktrace"]?.string)
        #expect(trace.hasPrefix("€\n\"\u{1}€") && trace.hasSuffix("…"))
        #expect(!trace.contains("\u{FFFD}"))
        #expect((65_536 - 10...65_536).contains(cut.text.utf8.count))
    }

    @Test("Members of larger metadata that do not fit are left out, and later ones that fit stay")
    func longArray() {
        let long = JSONValue.array(Array(repeating: 1, count: 40_000))
        let metadata: JSONValue = ["a": 1, "long": long, "$cut": "mine", "b": ["c": .null]]
        let size = JSONValue.number(Double(metadata.text.utf8.count))
        #expect(entry(metadata: metadata).metadata == ["a": 1, "b": ["c": .null], "$cut": size])
        #expect(entry(metadata: long).metadata == ["$cut": .number(80_001)])
    }

    @Test("Metadata that were cut are not cut again")
    func cutTwice() {
        let once = entry(
            String(repeating: "x", count: 99_999), metadata: ["t": .string(String(repeating: "x", count: 99_999))])
        #expect(entry(once.message, metadata: once.metadata) == once)
    }

    @Test("The headers describe the client; an empty one is ignored")
    func headers() {
        let headers = [
            "x-wl-clientlog-deviceid": "d", "x-wl-clientlog-appname": "Reader", "x-wl-clientlog-appversion": "1.0",
            "x-wl-clientlog-osversion": "4.4", "x-wl-clientlog-env": "Androidnative", "x-wl-clientlog-model": "",
        ]
        #expect(
            ClientLogSource { headers[$0] }
                == ClientLogSource(
                    applicationID: "Reader", applicationVersion: "1.0", environment: "Androidnative", deviceID: "d",
                    model: nil, osVersion: "4.4"))
    }
}
