import Authentication
import Testing

@Suite("SDK versions")
struct PlatformVersionTests {
    @Test(
        "A version is read in either spelling",
        arguments: [
            ("6.1.0.00.20131219-1900", PlatformVersion(major: 6, minor: 1)), ("7.1.0.0", .init(major: 7, minor: 1)),
            ("710", .init(major: 7, minor: 1)), ("6.3", .init(major: 6, minor: 3)),
        ])
    func read(text: String, version: PlatformVersion) {
        #expect(PlatformVersion(text) == version)
    }

    @Test("Anything else is not a version", arguments: ["", "7", "a.b", "7.", "99999"])
    func unread(text: String) {
        #expect(PlatformVersion(text) == nil)
    }
}
