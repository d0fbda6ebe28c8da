import Core
import Foundation
import PushModel
import Storage
import Testing

@Suite("The clients' log")
struct ClientLogStoreTests {
    let folder: StoreFolder
    let store: SQLiteClientLog

    init() throws {
        folder = try StoreFolder()
        store = try folder.openLog()
    }

    private func messages(_ filter: ClientLogFilter = ClientLogFilter(), limit: Int = 100) throws -> [String] {
        try store.clientLog(matching: filter, limit: limit).map(\.entry.message)
    }

    @Test("An entry is read back whole, also after reopening")
    func roundTrip() throws {
        let whole = ClientLogEntry(
            receivedAt: noon + 0.25, time: noon - 3600.125, level: ClientLogLevel("odd"), package: "wl.é",
            message: "line\n\"two\"",
            client: ClientLogSource(
                applicationID: "Reader", applicationVersion: "1.0", environment: "Androidnative", deviceID: "phone",
                model: "Nexus", osVersion: "4.4"),
            metadata: ["$class": "Main", "$line": 7, "deep": [["x": .null]]])
        try store.append([whole])
        #expect(try store.clientLog(matching: ClientLogFilter(), limit: 1).map(\.entry) == [whole])
        #expect(try folder.openLog().clientLog(matching: ClientLogFilter(), limit: 1).map(\.entry) == [whole])
    }

    @Test("An entry without a time or client data is kept as such")
    func bare() throws {
        let bare = ClientLogEntry(receivedAt: noon, level: .log, message: "", client: ClientLogSource())
        try store.append([bare])
        #expect(try store.clientLog(matching: ClientLogFilter(), limit: 1).map(\.entry) == [bare])
    }

    @Test("The last appended comes first in any order of the clocks, page by page")
    func paging() throws {
        try store.append([entry("a", at: noon), entry("b", at: noon + 9), entry("c", at: noon - 9)])
        try store.append([entry("d", at: noon - 99)])
        let first = try store.clientLog(matching: ClientLogFilter(), limit: 3)
        #expect(first.map(\.entry.message) == ["d", "c", "b"])
        let last = try #require(first.last).sequence
        #expect(try messages(ClientLogFilter(before: last)) == ["a"])
        #expect(try messages(limit: 0) == [])
    }

    @Test("A page never has more than 1000 entries")
    func largePage() throws {
        try store.append((0..<1001).map { entry("\($0)") })
        #expect(try messages(limit: 5000).count == 1000)
    }

    @Test("Levels, application, device and times select, alone and together")
    func selection() throws {
        try store.append([
            entry("a", level: .error, at: noon), entry("b", level: .warn, application: "Bank", at: noon + 1),
            entry("c", level: .error, device: "tablet", at: noon + 2),
            entry("d", level: .fatal, application: nil, device: nil, at: noon + 3),
        ])
        #expect(try messages(ClientLogFilter(levels: [.error, .fatal])) == ["d", "c", "a"])
        #expect(try messages(ClientLogFilter(levels: [.debug])) == [])
        #expect(try messages(ClientLogFilter(applicationID: "Reader")) == ["c", "a"])
        #expect(try messages(ClientLogFilter(deviceID: "phone")) == ["b", "a"])
        #expect(try messages(ClientLogFilter(from: noon + 1, to: noon + 3)) == ["c", "b"])
        #expect(
            try messages(
                ClientLogFilter(
                    levels: [.error, .warn], applicationID: "Reader", deviceID: "tablet", text: "C", from: noon,
                    to: noon + 9, before: 4)) == ["c"])
    }

    @Test(
        "A search string is found literally in message and package, without regard to case",
        arguments: [
            ("CRASH", ["the crash", "Crashed"]), ("WL.App", ["x"]), ("100%", ["100% done"]), ("%", ["100% done"]),
            ("a_b", ["a_b"]), (#"c:\t"#, [#"C:\temp"#]),
            ("", ["x", #"C:\temp"#, "a_b", "axb", "100% done", "the crash", "Crashed"]),
            ("é", []), ("' OR 1=1 --", []),
        ])
    func text(text: String, found: [String]) throws {
        try store.append(
            ["Crashed", "the crash", "100% done", "axb", "a_b", #"C:\temp"#].map { entry($0) }
                + [entry("x", package: "wl.app")])
        #expect(try messages(ClientLogFilter(text: text)) == found)
    }

    @Test("One entry that cannot be stored stops all")
    func allOrNone() throws {
        let tooDeep = (0...JSONValue.maximumDepth).reduce(JSONValue.null) { value, _ in .array([value]) }
        #expect(
            code { () throws(StoreError) in try store.append([entry("a"), entry("b", metadata: tooDeep)]) } == .other)
        #expect(try messages() == [])
    }

    @Test("stores an entry with NUL characters, and replaces them")
    func nul() throws {
        try store.append([entry("a\u{0}b", package: "p\u{0}", device: "d\u{0}", metadata: ["k\u{0}": "v\u{0}"])])
        let stored = try #require(try store.clientLog(matching: ClientLogFilter(), limit: 1).first?.entry)
        #expect(stored.message == "a\u{FFFD}b")
        #expect(stored.package == "p\u{FFFD}")
        #expect(stored.client.deviceID == "d\u{FFFD}")
        #expect(stored.metadata == ["k\u{0}": "v\u{0}"])
    }

    @Test("The largest entry is kept as it is")
    func largest() throws {
        let metadata = JSONValue.object(["t": .string(String(repeating: "\"", count: 40_000))])
        let large = entry(String(repeating: "€", count: 9000), metadata: metadata)
        try store.append([large])
        #expect(try store.clientLog(matching: ClientLogFilter(), limit: 1).map(\.entry) == [large])
    }

    @Test("Entries older than a date are deleted, however many, and counted")
    func purgeByAge() throws {
        try store.append((0..<4100).map { entry("old \($0)", at: noon - 1 - Double($0)) } + [entry("kept")])
        #expect(try store.purgeClientLog(receivedBefore: noon) == 4100)
        #expect(try messages() == ["kept"])
        #expect(try store.purgeClientLog(receivedBefore: noon) == 0)
    }

    @Test("All but the newest are forgotten, however many there are, and counted")
    func purgeByNumber() throws {
        try store.append((0..<4100).map { entry("\($0)") })
        #expect(try store.purgeClientLog(keepingNewest: 5000) == 0)
        #expect(try store.purgeClientLog(keepingNewest: 2) == 4098)
        #expect(try messages() == ["4099", "4098"])
        #expect(try store.purgeClientLog(keepingNewest: 0) == 2)
        #expect(try messages() == [])
    }

    @Test("A damaged row is reported as damage")
    func spoiled() throws {
        try store.append([entry()])
        try folder.otherConnection(to: SQLiteClientLog.fileName).run("UPDATE client_log SET metadata = '{'")
        #expect(
            code { () throws(StoreError) in _ = try store.clientLog(matching: ClientLogFilter(), limit: 1) } == .corrupt
        )
    }
}
