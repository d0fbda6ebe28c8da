import Core
import Foundation
import PushModel
import Storage
import Testing

@Suite("Registered OAuth clients", .everyStore)
struct OAuthClientStoreTests {
    let folder: StoreFolder
    let store: SQLStore

    init() throws { (folder, store) = try StoreFolder.withStore() }

    @Test("A client is read back whole, also after reopening")
    func roundTrip() throws {
        #expect(try store.addOAuthClient(oauthClient()))
        #expect(try store.oauthClient("client-1") == oauthClient())
        #expect(try folder.open().oauthClient("client-1") == oauthClient())
        #expect(try store.oauthClient("client-2") == nil)
    }

    @Test("An id that is taken stays with the first client")
    func taken() throws {
        #expect(try store.addOAuthClient(oauthClient()))
        #expect(try !store.addOAuthClient(oauthClient(modulus: Data([9]))))
        #expect(try store.oauthClient("client-1") == oauthClient())
    }

    @Test(
        "Use is noted once a day, and never an earlier one",
        arguments: [(-100_000.0, 0.0), (86_399, 0), (86_400, 86_400), (200_000, 200_000)])
    func touch(used: Double, noted: Double) throws {
        _ = try store.addOAuthClient(oauthClient())
        _ = try store.addOAuthClient(oauthClient("client-2"))
        try store.touchOAuthClient("client-1", at: noon + used)
        #expect(try store.oauthClient("client-1") == oauthClient(usedAt: noon + noted))
        #expect(try store.oauthClient("client-2") == oauthClient("client-2"))
    }

    @Test("Use within the day does not wait for another writer")
    func touchWithoutWriting() throws {
        let store = try SQLStore(folder: folder.path, busyTimeout: .milliseconds(20))
        _ = try store.addOAuthClient(oauthClient())
        let other = try folder.otherConnection()
        try other.run("BEGIN IMMEDIATE")
        #expect(code { () throws(StoreError) in try store.touchOAuthClient("client-1", at: noon + 9) } == nil)
        #expect(
            code { () throws(StoreError) in try store.touchOAuthClient("client-1", at: noon + 99_999) } == .locked)
        try other.run("COMMIT")
    }

    @Test("noting the use of an unknown client creates none")
    func touchUnknown() throws {
        try store.touchOAuthClient("client-1", at: noon)
        #expect(try store.oauthClient("client-1") == nil)
    }

    @Test("Clients that were not used since a date are forgotten and counted")
    func purge() throws {
        for (id, used) in [("old", -1.0), ("older", -99_999), ("new", 0)] {
            _ = try store.addOAuthClient(oauthClient(id, usedAt: noon + used))
        }
        #expect(try store.purgeOAuthClients(unusedSince: noon) == 2)
        #expect(try store.oauthClient("old") == nil)
        #expect(try store.oauthClient("new") != nil)
    }

    @Test("Older registrations of the same application, key and device are removed, and nothing else")
    func superseded() throws {
        for id in ["old", "older", "new"] { _ = try store.addOAuthClient(oauthClient(id)) }
        let other = try OAuthClientRecord(
            clientID: "other", applicationID: "Other", applicationVersion: "1.0", environment: "Androidnative",
            deviceID: oauthClient().deviceID, publicKey: oauthClient().publicKey, certificate: Data([1]),
            registeredAt: noon)
        _ = try store.addOAuthClient(other)
        _ = try store.addOAuthClient(oauthClient("stranger", modulus: Data([9])))
        #expect(try store.removeOAuthClients(supersededBy: oauthClient("new")) == 2)
        #expect(try store.oauthClient("old") == nil)
        for id in ["new", "other", "stranger"] { #expect(try store.oauthClient(id) != nil) }
    }

    @Test("The clients unused for longest are removed beyond a number")
    func ceiling() throws {
        for (id, used) in [("a", 2.0), ("b", 1), ("c", 3), ("d", 4)] {
            _ = try store.addOAuthClient(oauthClient(id, usedAt: noon + used))
        }
        #expect(try store.purgeOAuthClients(keeping: 4) == 0)
        #expect(try store.purgeOAuthClients(keeping: 2) == 2)
        #expect(try ["a", "b", "c", "d"].filter { try store.oauthClient($0) != nil } == ["c", "d"])
    }

    @Test("A damaged row is reported as damage")
    func spoiled() throws {
        // In SQLite's words.
        guard StoreEngine.current == .sqlite else { return }
        _ = try store.addOAuthClient(oauthClient())
        try folder.otherConnection().run("UPDATE oauth_client SET modulus = x''")
        #expect(code { () throws(StoreError) in _ = try store.oauthClient("client-1") } == .corrupt)
    }
}
