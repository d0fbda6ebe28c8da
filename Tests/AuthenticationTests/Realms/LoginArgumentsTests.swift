import PushModel
import Testing

@testable import Authentication

@Suite("Users that a login may be about")
struct LoginArgumentsTests {
    private func users(_ arguments: JSONValue, after known: Set<String> = []) -> Set<String> {
        LoginArguments.users(in: arguments.text, after: known)
    }

    @Test("keeps the first 256 characters of a name, and tells apart those that differ within them")
    func longNames() {
        let long = String(repeating: "ä", count: 100_000)
        #expect(users([.string(long), "x"]).map(\.unicodeScalars.count) == [256])
        let isSame = users([.string("b" + long), "x"]) == users([.string(long), "x"])
        #expect(!isSame)
        #expect(users([["user": .string(long)]], after: ["ann"]).map(\.unicodeScalars.count).max() == 256)
    }

    @Test("counts arguments with more than eight names for one user")
    func manyNames() {
        let names = (0..<9).map { JSONValue.object(["user": .string("user-\($0)")]) }
        #expect(users(.array(names)) == [""])
        #expect(users(.array(Array(names.prefix(8)))).count == 8)
    }
}
