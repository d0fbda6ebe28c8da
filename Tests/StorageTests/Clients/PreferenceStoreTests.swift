import Core
import PushModel
import Storage
import Testing

@Suite("Preferences", .everyStore)
struct PreferenceStoreTests {
    let folder: StoreFolder
    let store: SQLStore
    let ann: PreferenceOwner

    init() throws {
        folder = try StoreFolder()
        store = try folder.open()
        ann = try PreferenceOwner(applicationID: "Reader", kind: .user, name: "ann")
    }

    /// The error that setting these keys throws.
    private func failure(_ keys: [String], _ store: SQLStore? = nil) throws -> PreferenceError? {
        let preferences = try preferences(keys)
        do throws(PreferenceError) {
            try (store ?? self.store).setPreferences(preferences, of: ann)
            return nil
        } catch {
            return error
        }
    }

    @Test("Preferences are read back in the order of their keys, also after reopening")
    func roundTrip() throws {
        let set = [
            try Preference(key: "b", value: ""), try Preference(key: "é", value: "\"\n€"),
            try Preference(key: "B", value: String(repeating: "x", count: 8192)),
        ]
        try store.setPreferences(set, of: ann)
        #expect(try store.preferences(of: ann) == [set[2], set[0], set[1]])
        #expect(try folder.open().preferences(of: ann) == [set[2], set[0], set[1]])
    }

    @Test("A known key gets the new value, the others stay, and the last of two counts")
    func replacement() throws {
        try store.setPreferences(preferences(["a", "b"]), of: ann)
        try store.setPreferences(
            [try Preference(key: "b", value: "1"), try Preference(key: "b", value: "2")], of: ann)
        #expect(try store.preferences(of: ann) == preferences(["a"]) + [try Preference(key: "b", value: "2")])
    }

    @Test("A user, a device of that name and another application's user each have their own")
    func owners() throws {
        let others = [
            try PreferenceOwner(applicationID: "Reader", kind: .device, name: "ann"),
            try PreferenceOwner(applicationID: "Bank", kind: .user, name: "ann"),
            try PreferenceOwner(applicationID: "Reader", kind: .user, name: "Ann"),
        ]
        try store.setPreferences(preferences(["a"]), of: ann)
        for owner in others { #expect(try store.preferences(of: owner).isEmpty) }
        #expect(try !store.removePreference(key: "a", of: others[0]))
        #expect(try store.preferences(of: ann) == preferences(["a"]))
    }

    @Test("A preference is removed once")
    func removal() throws {
        try store.setPreferences(preferences(["a", "b"]), of: ann)
        #expect(try store.removePreference(key: "a", of: ann))
        #expect(try !store.removePreference(key: "a", of: ann))
        #expect(try store.preferences(of: ann) == preferences(["b"]))
    }

    @Test("An owner may have 100 keys; the 101st is refused with all that came with it, and the limit is named")
    func limit() throws {
        let hundred = (100..<200).map { "key \($0)" }
        #expect(try failure(hundred) == nil)
        let error = try #require(try failure(["key 100", "new", "newer"]))
        #expect(error.description == "preferences: expected at most 100 keys of one owner, found 102")
        guard case .beyondLimit = error else {
            Issue.record("the client's fault is told as the store's")
            return
        }
        #expect(try store.preferences(of: ann) == preferences(hundred))
        #expect(try failure(["key 100", "key 199"]) == nil)
        #expect(try store.removePreference(key: "key 150", of: ann))
        #expect(try failure(["new"]) == nil)
        #expect(try store.preferences(of: ann).count == 100)
    }

    @Test("Two spellings of one character are two keys, also in the limit")
    func codeUnits() throws {
        try store.setPreferences(preferences(["\u{E9}", "e\u{301}"]), of: ann)
        #expect(try store.preferences(of: ann).count == 2)
        #expect(try failure((2..<100).map(String.init)) == nil)
        #expect(try failure(["one more"]) != nil)
    }

    @Test("A store that cannot write is reported as such, and not as a limit")
    func readOnly() throws {
        // Failures that only a file can have.
        guard StoreEngine.current == .sqlite else { return }
        let readOnly = try SQLStore(
            folder: folder.path, busyTimeout: .milliseconds(20), pragmas: ["PRAGMA query_only = true"])
        guard case .store(let error) = try failure(["a"], readOnly) else {
            Issue.record("no failure of the store")
            return
        }
        #expect(error.code == .readOnly)
    }
}
