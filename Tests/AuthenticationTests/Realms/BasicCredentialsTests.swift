import Authentication
import Foundation
import Testing

@Suite("Authorization: Basic")
struct BasicCredentialsTests {
    private func header(_ text: String) -> String { "Basic " + Data(text.utf8).base64EncodedString() }

    @Test(
        "Name and password are split at the first colon",
        arguments: [
            ("ann:secret", "ann", "secret"), ("ann:a:b", "ann", "a:b"), (":x", "", "x"), ("é:ü", "é", "ü"),
            ("a:", "a", ""),
        ])
    func read(text: String, user: String, password: String) throws {
        let credentials = try #require(BasicCredentials(header(text)))
        #expect(credentials.user == user)
        #expect(credentials.password == password)
    }

    @Test("The scheme's case does not matter", arguments: ["basic", "BASIC", "Basic "])
    func scheme(name: String) {
        #expect(BasicCredentials("\(name) YTpi")?.user == "a")
    }

    @Test(
        "Anything else is nil",
        arguments: ["", "Basic", "Basic ", "Basic !", "Basic YQ==", "Bearer YTpi", "YTpi", "Basic //86"])
    func nothing(header: String) {
        #expect(BasicCredentials(header)?.user == nil)
    }
}
