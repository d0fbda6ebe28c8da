import Core
import GRDB
import PushModel
import Testing

@testable import Storage

@Suite("The recipients of a message", .everyStore)
struct RecipientTests {
    let folder: StoreFolder
    let store: SQLStore

    /// Four devices of `Reader` and one of another application.
    init() throws {
        folder = try StoreFolder()
        store = try folder.open()
        try store.register(registration("a", user: "ann"))
        try store.register(registration("b", user: "bob", platform: .apple))
        try store.register(registration("c", user: "ann", platform: .windows))
        try store.register(registration("d", user: nil))
        try store.register(registration("e", user: "ann", application: "Other"))
        for (device, tag) in [("a", "cars"), ("b", "cars"), ("b", "art"), ("c", "art")] {
            _ = try store.subscribe(toTag: tag, applicationID: "Reader", deviceID: device)
        }
    }

    /// The devices and the tags by which they are meant; the same whatever the size of the pages.
    private func found(_ target: BroadcastTarget) throws -> [String] {
        let all = try [1, 2, 100].map { try store.recipients(of: target, limit: $0) }
        #expect(Set(all).count == 1)
        return all[0]
    }

    @Test(
        "Each is found once, in the target's order",
        arguments: [
            (.everybody, ["a:Push.ALL", "b:Push.ALL", "c:Push.ALL", "d:Push.ALL"]),
            (.devices(["c", "e", "x", "a"]), ["c:-", "a:-"]),
            (.users(["bob", "nobody", "ann"]), ["b:-", "a:-", "c:-"]),
            (.platforms([.apple, .android]), ["b:-", "a:-", "d:-"]),
            (.tags(["art"]), ["b:art", "c:art"]),
            (.tags(["art", "cars"]), ["b:art", "c:art", "a:cars"]),
            (.tags(["cars", "x", "Push.ALL"]), ["a:cars", "b:cars", "c:Push.ALL", "d:Push.ALL"]),
            (.devices([]), []), (.tags([]), []),
        ] as [(BroadcastTarget, [String])])
    func recipients(target: BroadcastTarget, expected: [String]) throws {
        #expect(try found(target) == expected)
    }

    @Test("A device that unsubscribed from broadcasts still gets its other messages")
    func optOut() throws {
        #expect(try store.unsubscribe(fromTag: "Push.all", applicationID: "Reader", deviceID: "a"))
        #expect(try !store.unsubscribe(fromTag: "Push.ALL", applicationID: "Reader", deviceID: "a"))
        #expect(try found(.everybody) == ["b:Push.ALL", "c:Push.ALL", "d:Push.ALL"])
        #expect(try found(.devices(["a"])) == ["a:-"])
        // A new token does not revoke the user's choice.
        try store.register(registration("a", token: "new"))
        #expect(try store.tags(applicationID: "Reader", deviceID: "a") == ["cars"])
        #expect(try store.subscribe(toTag: "Push.all", applicationID: "Reader", deviceID: "a"))
        #expect(try found(.everybody).first == "a:Push.ALL")
    }

    @Test("A device that is not registered cannot subscribe to a tag")
    func unregistered() throws {
        #expect(try !store.subscribe(toTag: "cars", applicationID: "Reader", deviceID: "x"))
        #expect(try store.tags(applicationID: "Reader", deviceID: "x").isEmpty)
    }

    @Test("Tags differ in case, and are subscribed to once")
    func tagNames() throws {
        #expect(try store.subscribe(toTag: "Cars", applicationID: "Reader", deviceID: "a"))
        #expect(try store.subscribe(toTag: "Cars", applicationID: "Reader", deviceID: "a"))
        #expect(try store.tags(applicationID: "Reader", deviceID: "a") == ["Cars", "Push.ALL", "cars"])
        #expect(try store.unsubscribe(fromTag: "cars", applicationID: "Reader", deviceID: "a"))
        #expect(try store.tags(applicationID: "Reader", deviceID: "a") == ["Cars", "Push.ALL"])
    }

    @Test(
        "Recipients are found by indexes, without scanning or sorting",
        arguments: [
            (.everybody, "t USING PRIMARY KEY (application_id=? AND tag=?"),
            (.devices(["a"]), "r USING PRIMARY KEY (application_id=? AND device_id=?"),
            (.users(["ann"]), "r USING INDEX device_registration_by_user (application_id=? AND user_id=?"),
            (.platforms([.apple]), "r USING INDEX device_registration_by_platform (application_id=? AND platform=?"),
            (
                .tags(["x", "y", "z"]),
                "other USING COVERING INDEX tag_subscription_by_device (application_id=? AND device_id=? AND tag=?)"
            ),
        ] as [(BroadcastTarget, String)], [nil, "a"])
    func plan(target: (of: BroadcastTarget, search: String), after device: String?) throws {
        // PostgreSQL plans for itself.
        guard StoreEngine.current == .sqlite else { return }
        let part = try #require(target.of.part(target.of.values.count - 1))
        let plan = try store.database.read { database in
            let query = RecipientQuery(part, of: "Reader", after: device, limit: 10, in: database)
            return try database.rows("EXPLAIN QUERY PLAN " + query.sql, query.arguments)
                .map { try $0.value("detail") as String }
        }
        #expect(plan.contains { $0.hasPrefix("SEARCH \(target.search)") }, "\(plan)")
        #expect(!plan.contains { $0.hasPrefix("SCAN") }, "\(plan)")
        #expect(!plan.contains { $0.contains("TEMP B-TREE") }, "\(plan)")
    }
}
