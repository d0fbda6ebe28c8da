import Core
import Foundation
import PushModel
import Storage
import Testing

@Suite("The size limits of clients' logs")
struct ClientLogQuotaTests {
    let folder: StoreFolder

    init() throws { folder = try StoreFolder() }

    private func log(total: Int = 1 << 30, perNetwork: Int = 1 << 30) throws -> SQLiteClientLog {
        var quota = ClientLogQuota()
        quota.total = total
        quota.perNetwork = perNetwork
        return try folder.openLog(quota)
    }

    private func messages(_ log: SQLiteClientLog) throws -> [String] {
        try log.clientLog(matching: ClientLogFilter(), limit: 1000).map { String($0.entry.message.prefix(6)) }
    }

    /// An entry of a bit more than a kilobyte.
    private func kilobyte(_ name: String) -> ClientLogEntry { entry(name + String(repeating: "x", count: 1000)) }

    @Test("a network beyond its quota loses its own oldest entries, and no other's")
    func perNetwork() throws {
        let log = try log(perNetwork: 10_000)
        try log.append([kilobyte("other1")], from: "192.0.2.1")
        for number in 10..<60 { try log.append([kilobyte("flood\(number)")], from: "198.51.100.1") }
        let kept = try messages(log)
        #expect(kept.last == "other1")
        #expect((6...9).contains(kept.count - 1))
        #expect(kept.first == "flood5")
        #expect(try log.byteCount() < 12_000)
    }

    @Test("beyond the whole quota the oldest entries go, wherever they came from")
    func total() throws {
        let log = try log(total: 10_000)
        for number in 10..<60 { try log.append([kilobyte("flood\(number)")], from: "10.0.0.\(number)") }
        #expect(try log.byteCount() <= 10_000)
        #expect((6...9).contains(try messages(log).count))
    }

    @Test("an upload larger than the quota leaves its end")
    func largeUpload() throws {
        let log = try log(perNetwork: 10_000)
        try log.append((100..<200).map { kilobyte("\($0)") }, from: "192.0.2.1")
        #expect(try messages(log).first?.hasPrefix("199") == true)
        #expect(try log.byteCount() <= 10_000)
    }

    @Test("entries that are purged by age make room")
    func purged() throws {
        let log = try log(perNetwork: 10_000)
        try log.append((0..<8).map { entry("old \($0)" + String(repeating: "x", count: 800), at: noon - 9) }, from: "a")
        #expect(try log.purgeClientLog(receivedBefore: noon) == 8)
        #expect(try log.byteCount() == 0)
        try log.append([kilobyte("new")], from: "a")
        #expect(try messages(log).count == 1)
    }

    @Test("the file stays small, however much is sent, with small entries and large headers too")
    func fileSize() throws {
        let log = try log(total: 1 << 18, perNetwork: 128 << 10)
        let header = String(repeating: "h", count: 256)
        let client = ClientLogSource(
            applicationID: header, applicationVersion: header, environment: header, deviceID: header, model: header,
            osVersion: header)
        let small = ClientLogEntry(receivedAt: noon, level: .info, message: "", client: client)
        for number in 0..<40 { try log.append((0..<50).map { _ in small }, from: "10.0.\(number % 4).1") }
        let size = try FileManager.default.attributesOfItem(atPath: log.path)[.size] as? Int ?? 0
        #expect(try log.byteCount() <= 1 << 18)
        // With indexes, of which those by application and device hold the headers again.
        #expect((1 << 17..<1 << 20).contains(size), "\(size)")
    }
}
