import Foundation
import PushModel
import Storage
import Testing

@Suite("Rules for versions of applications", .everyStore)
struct ApplicationRuleStoreTests {
    let folder: StoreFolder
    let store: SQLStore

    init() throws { (folder, store) = try StoreFolder.withStore() }

    @Test("A rule is read back whole, also after reopening")
    func roundTrip() throws {
        let whole = try rule(
            access: .disabled, message: "Too old — é", downloadLink: "market://x", checksum: 4_294_967_295,
            messageID: "7", at: noon + 0.5)
        #expect(try store.setApplicationRule(whole) == whole)
        #expect(try store.applicationRules() == [whole])
        #expect(try folder.open().applicationRules() == [whole])
    }

    @Test("A rule replaces the one for that version, with the environment in any case")
    func replacement() throws {
        try store.setApplicationRule(rule("Reader", "iOSnative", access: .disabled, message: "No"))
        try store.setApplicationRule(rule("Reader", "iosNative", checksum: 3))
        let rules = try store.applicationRules()
        #expect(rules.map(\.access) == [.active])
        #expect(rules.map(\.environment) == ["iosnative"])
        #expect(rules.map(\.message) == [nil])
        #expect(rules.map(\.checksum) == [3])
    }

    @Test("The message keeps its id while it is the same, and gets a new one when it changes")
    func messageID() throws {
        let first = try store.setApplicationRule(rule(access: .notify, message: "Update!", messageID: "41"))
        #expect(first.messageID == "41")
        let same = try store.setApplicationRule(
            rule(access: .disabled, message: "Update!", messageID: "99", at: noon + 5))
        #expect(same.messageID == "41")
        #expect(same.updatedAt == noon + 5)
        let changed = try store.setApplicationRule(rule(access: .notify, message: "Update now!", messageID: "3"))
        #expect(changed.messageID == "42")
        #expect(try store.applicationRules() == [changed])
    }

    @Test("Rules come in the order of application, environment and version")
    func order() throws {
        let ordered = [
            try rule("Bank", "iphone", "1.0"), try rule("Reader", "android", "1.0"),
            try rule("Reader", "android", "1.1"), try rule("Reader", "iphone", "1.0"),
        ]
        for rule in ordered.reversed() { try store.setApplicationRule(rule) }
        #expect(try store.applicationRules() == ordered)
    }

    @Test("Only the removed rule is deleted")
    func removal() throws {
        for version in ["1.0", "1.1"] { try store.setApplicationRule(rule("Reader", "android", version)) }
        let remove = {
            try store.removeApplicationRule(applicationID: "Reader", environment: "Android", version: "1.0")
        }
        #expect(try remove())
        #expect(try !remove())
        #expect(try store.applicationRules().map(\.version) == ["1.1"])
    }

    @Test(
        "A damaged row is reported as damage, and the message is not quoted",
        arguments: [
            "environment = ''", "access = 'perhaps'", "access = 'disabled', message = NULL", "message_id = 'SECRET'",
            "message = 'SECRET' || printf('%5000s', '')",
        ])
    func spoiled(change: String) throws {
        // In SQLite's words.
        guard StoreEngine.current == .sqlite else { return }
        try store.setApplicationRule(rule())
        try folder.otherConnection().run("UPDATE application_rule SET \(change)")
        let error = #expect(throws: StoreError.self) { try store.applicationRules() }
        #expect(error?.code == .corrupt)
        #expect(error?.description.contains("SECRET") == false)
    }
}
