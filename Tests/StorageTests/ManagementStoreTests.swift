import Core
import Foundation
import PushModel
import Storage
import Testing

@Suite("Tokens and the audit log", .everyStore)
struct ManagementStoreTests {
    let folder: StoreFolder
    let store: SQLStore

    init() throws { (folder, store) = try StoreFolder.withStore() }

    @Test("A token is found by its hash until it is removed, and its name is unique")
    func tokens() throws {
        let token = APIToken(name: "backup", hash: "abc", role: "monitor", createdAt: noon, expiresAt: nil)
        let other = APIToken(name: "a", hash: "def", role: "admin", createdAt: noon, expiresAt: noon + 60)
        #expect(try store.add(token) && store.add(other))
        #expect(try !store.add(APIToken(name: "backup", hash: "x", role: "admin", createdAt: noon, expiresAt: nil)))
        #expect(try store.apiToken(hash: "abc") == token)
        #expect(try store.apiToken(hash: "x") == nil)
        #expect(try store.apiTokens() == [other, token])
        #expect(try store.removeAPIToken("backup") == token)
        #expect(try store.removeAPIToken("backup") == nil)
        #expect(try store.apiToken(hash: "abc") == nil)
    }

    private func entry(_ target: String, at time: Date = noon) -> AuditEntry {
        AuditEntry(
            time: time, type: "DeviceDeletion", account: "ann", address: "192.0.2.1", target: target, status: 200,
            before: ["a": 1], after: nil)
    }

    @Test("The audit log keeps whether an action failed; with a status of an error it always did")
    func failures() throws {
        for (status, isFailure) in [(200, false), (200, true), (409, false)] {
            try store.append(
                AuditEntry(
                    time: noon, type: "ProcedureInvocation", account: "ann", address: "", target: "x", status: status,
                    isFailure: isFailure, before: nil, after: nil))
        }
        let entries = try store.auditLog(matching: AuditFilter(), before: nil, limit: 9).items
        #expect(entries.map(\.isFailure) == [true, true, false])
    }

    @Test("The audit log is read newest first, page by page, and purged by age and number")
    func audit() throws {
        for (index, target) in ["one", "two", "three", "four"].enumerated() {
            try store.append(entry(target, at: noon + Double(index)))
        }
        let first = try store.auditLog(matching: AuditFilter(), before: nil, limit: 3)
        #expect(first.items.map(\.target) == ["four", "three", "two"])
        #expect(first.items.last?.before == ["a": 1] && first.items.last?.after == nil)
        #expect(
            try store.auditLog(matching: AuditFilter(), before: first.next, limit: 3).items.map(\.target) == ["one"])
        func find(_ filter: AuditFilter) throws -> [String] {
            try store.auditLog(matching: filter, before: nil, limit: 9).items.map(\.target)
        }
        #expect(try find(AuditFilter(account: "ann", type: "DeviceDeletion", since: noon + 2)) == ["four", "three"])
        #expect(try find(AuditFilter(since: noon + 1, until: noon + 3)) == ["three", "two"])
        #expect(try find(AuditFilter(account: "bob")).isEmpty && find(AuditFilter(type: "Login")).isEmpty)
        #expect(try store.purgeAuditLog(before: noon + 1, keeping: 9) == 1)
        #expect(try store.purgeAuditLog(before: noon, keeping: 2) == 1)
        #expect(
            try store.auditLog(matching: AuditFilter(), before: nil, limit: 9).items.map(\.target) == ["four", "three"])
    }
}
