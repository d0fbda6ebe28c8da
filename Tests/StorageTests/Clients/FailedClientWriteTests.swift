import Foundation
import PushModel
import Storage
import Testing

@Suite("Writes about clients that fail")
struct FailedClientWriteTests {
    let folder: TemporaryFolder
    let store: SQLiteStore

    init() throws {
        folder = try TemporaryFolder()
        store = try SQLiteStore(folder: folder.path, busyTimeout: .milliseconds(20))
    }

    private func open(_ pragma: String) throws -> SQLiteStore {
        try SQLiteStore(folder: folder.path, busyTimeout: .milliseconds(20), pragmas: [pragma])
    }

    /// The codes with which each kind of write fails.
    private func codes(_ store: SQLiteStore) throws -> [StoreError.Code?] {
        let (rule, client) = (try rule(), try oauthClient())
        let owner = try PreferenceOwner(applicationID: "Reader", kind: .user, name: "ann")
        return [
            code { () throws(StoreError) in try store.setApplicationRule(rule) },
            code { () throws(StoreError) in
                _ = try store.removeApplicationRule(applicationID: "Reader", environment: "android", version: "1.0")
            },
            code { () throws(StoreError) in try store.append([entry()]) },
            code { () throws(StoreError) in _ = try store.purgeClientLog(receivedBefore: noon) },
            code { () throws(StoreError) in _ = try store.removePreference(key: "a", of: owner) },
            code { () throws(StoreError) in _ = try store.addOAuthClient(client) },
            code { () throws(StoreError) in _ = try store.removeOAuthClient("client-1") },
            code { () throws(StoreError) in _ = try store.purgeOAuthClients(unusedSince: noon) },
        ]
    }

    @Test("While somebody else writes and does not finish, every write is refused as locked, and works afterwards")
    func locked() throws {
        let other = try folder.otherConnection()
        try other.run("BEGIN EXCLUSIVE")
        #expect(Set(try codes(store)) == [.locked])
        try other.run("COMMIT")
        #expect(Set(try codes(store)) == [nil])
    }

    @Test("On a connection that may not write, every write is refused as read-only")
    func readOnly() throws {
        #expect(Set(try codes(open("PRAGMA query_only = true"))) == [.readOnly])
    }

    @Test("When the disk is full, an upload is refused whole")
    func fullDisk() throws {
        let full = try open("PRAGMA max_page_count = 1")
        let upload = (0..<1000).map { entry("entry \($0)") }
        #expect(code { () throws(StoreError) in try full.append(upload) } == .diskFull)
        #expect(try store.clientLog(matching: ClientLogFilter(), limit: 9).isEmpty)
        try store.append(upload)
        #expect(try store.clientLog(matching: ClientLogFilter(), limit: 1000).count == 1000)
    }
}
