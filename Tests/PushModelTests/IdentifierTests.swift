import Core
import PushModel
import Testing

@Suite("Event source ids and platforms")
struct IdentifierTests {
    @Test("A full name is split at its first dot")
    func fullName() {
        let id = EventSourceID("PushAdapter.Push.Event")
        #expect(id == EventSourceID(adapter: "PushAdapter", name: "Push.Event"))
    }

    @Test("A full name means its own adapter, from any adapter")
    func fullNameElsewhere() {
        #expect(EventSourceID("A.E", in: "B") == EventSourceID(adapter: "A", name: "E"))
    }

    @Test("A bare name means the calling adapter")
    func bareName() {
        #expect(EventSourceID("E", in: "B") == EventSourceID(adapter: "B", name: "E"))
    }

    @Test("rejects a name with an empty part", arguments: ["", ".", "A.", ".E"])
    func emptyParts(text: String) {
        #expect(EventSourceID(text) == nil)
        #expect(EventSourceID(text, in: "B") == nil)
    }

    @Test("rejects a bare name without an adapter")
    func bareNameAlone() {
        #expect(EventSourceID("E") == nil)
    }

    @Test("An event source is described by its full name")
    func description() {
        #expect("\(EventSourceID(adapter: "A", name: "E"))" == "A.E")
    }

    @Test("Event sources are ordered by adapter, then by name")
    func order() {
        let ids = [("B", "a"), ("A", "z"), ("A", "b")].map { EventSourceID(adapter: $0.0, name: $0.1) }
        #expect(ids.sorted().map(\.description) == ["A.b", "A.z", "B.a"])
    }

    @Test(
        "A platform is recognized by its name, its environments and its service, in any case",
        arguments: [
            (Platform.apple, ["Apple", "iphone", "iPad", "iOSnative", "ios", "APNS"]),
            (.android, ["Android", "android", "Androidnative", "gcm", "FCM", "google"]),
            (.windows, ["Windows", "windows8", "windows8native", "windowsphoneuniversal", "WNS"]),
            (.windowsPhone, ["WindowsPhone", "windowsphone8", "WindowsPhone8native", "mpns"]),
        ])
    func platforms(platform: Platform, texts: [String]) {
        #expect(texts.map { Platform($0) } == texts.map { _ in platform })
    }

    @Test("Any other string is not a platform", arguments: ["", "blackberry", "mobilewebapp", "apple "])
    func otherPlatforms(text: String) {
        #expect(Platform(text) == nil)
    }

    @Test("A platform is described as adapters read it")
    func platformDescription() {
        #expect(Platform.allCases.map(\.description) == ["Apple", "Android", "Windows", "WindowsPhone", "Web"])
    }
}
