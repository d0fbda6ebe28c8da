import PushModel
import Testing

@Suite("Tags")
struct TagsTests {
    private let tags = Tags(declared: ["sport", "news"])

    @Test("A declared tag is itself, in its own case only")
    func declared() throws {
        #expect(try tags.checked("sport") == "sport")
        #expect(throws: TagError.self) { try tags.checked("Sport") }
    }

    @Test(
        "The tag of broadcasts needs no declaration, and has one name in any case", arguments: ["Push.ALL", "Push.all"])
    func broadcast(name: String) throws {
        #expect(try tags.checked(name) == "Push.ALL")
    }

    @Test("A descriptor's declaration of the tag of broadcasts has no effect")
    func declaredBroadcast() {
        #expect(Tags(declared: ["Push.all", "a"]).declared == ["a"])
    }

    @Test("The error names the known tags and their file")
    func error() {
        #expect(
            TagError(name: "x", declared: ["sport"]).description
                == "there is no tag 'x': expected one of 'sport', 'Push.ALL'; tags are declared in <tags> of "
                + "application-descriptor.xml")
    }
}
