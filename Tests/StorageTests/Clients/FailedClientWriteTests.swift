import Foundation
import PushModel
import Storage
import Testing

@Suite("Writes about clients that fail")
struct FailedClientWriteTests {
    let folder: StoreFolder
    let store: SQLStore

    init() throws {
        folder = try StoreFolder()
        store = try SQLStore(folder: folder.path, busyTimeout: .milliseconds(20))
    }

    private func open(_ pragma: String) throws -> SQLStore {
        try SQLStore(folder: folder.path, busyTimeout: .milliseconds(20), pragmas: [pragma])
    }

    /// The codes with which each kind of write fails.
    private func codes(_ store: SQLStore) throws -> [StoreError.Code?] {
        let (rule, client) = (try rule(), try oauthClient())
        let owner = try PreferenceOwner(applicationID: "Reader", kind: .user, name: "ann")
        let preference = try Preference(key: "a", value: "b")
        return [
            code { () throws(StoreError) in try store.setApplicationRule(rule) },
            code { () throws(StoreError) in
                _ = try store.removeApplicationRule(applicationID: "Reader", environment: "android", version: "1.0")
            },
            code { () throws(StoreError) in try store.noteGuest([.preference(preference, of: owner)], of: nil) },
            code { () throws(StoreError) in _ = try store.removePreference(key: "a", of: owner) },
            code { () throws(StoreError) in _ = try store.addOAuthClient(client) },
            code { () throws(StoreError) in _ = try store.purgeOAuthClients(unusedSince: noon) },
        ]
    }

    @Test("A write is refused as locked during another's transaction, and works afterwards")
    func locked() throws {
        let other = try folder.otherConnection()
        try other.run("BEGIN EXCLUSIVE")
        #expect(Set(try codes(store)) == [.locked])
        try other.run("COMMIT")
        #expect(Set(try codes(store)) == [nil])
    }

    @Test("A read-only connection refuses every write as read-only")
    func readOnly() throws {
        #expect(Set(try codes(open("PRAGMA query_only = true"))) == [.readOnly])
    }

    // MARK: The clients' log

    private func openLog(_ pragma: String) throws -> SQLiteClientLog {
        try SQLiteClientLog(folder: folder.path, busyTimeout: .milliseconds(20), pragmas: [pragma])
    }

    private func codes(_ log: SQLiteClientLog) -> [StoreError.Code?] {
        [
            code { () throws(StoreError) in try log.append([entry()]) },
            code { () throws(StoreError) in _ = try log.purgeClientLog(receivedBefore: noon) },
        ]
    }

    @Test("A locked or read-only log refuses every write")
    func refusedLog() throws {
        let log = try openLog("PRAGMA cache_size = 100")
        let other = try folder.otherConnection(to: SQLiteClientLog.fileName)
        try other.run("BEGIN EXCLUSIVE")
        #expect(Set(codes(log)) == [.locked])
        // The store is another file.
        #expect(Set(try codes(store)) == [nil])
        try other.run("COMMIT")
        #expect(Set(codes(log)) == [nil])
        #expect(Set(codes(try openLog("PRAGMA query_only = true"))) == [.readOnly])
    }

    @Test("An upload on a full disk is refused whole")
    func fullDisk() throws {
        let log = try folder.openLog()
        let full = try openLog("PRAGMA max_page_count = 1")
        let upload = (0..<1000).map { entry("entry \($0)") }
        #expect(code { () throws(StoreError) in try full.append(upload) } == .diskFull)
        #expect(try log.clientLog(matching: ClientLogFilter(), limit: 9).isEmpty)
        try log.append(upload)
        #expect(try log.clientLog(matching: ClientLogFilter(), limit: 1000).count == 1000)
    }
}
