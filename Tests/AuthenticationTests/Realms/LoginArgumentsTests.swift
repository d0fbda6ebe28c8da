import PushModel
import Testing

@testable import Authentication

@Suite("Names in the arguments of a login")
struct LoginArgumentsTests {
    private func read(_ arguments: JSONValue) -> LoginArguments {
        LoginArguments(arguments.text, parameters: [])
    }

    @Test("are kept up to 256 characters, and told apart within them")
    func longNames() {
        let long = String(repeating: "ä", count: 25_000)
        #expect(read([.string(long)]).names.map(\.text.unicodeScalars.count) == [256])
        #expect(read([.string("b" + long)]).names.map(\.text) != read([.string(long)]).names.map(\.text))
    }

    @Test("are kept up to 64; arguments with more hide whom they are about")
    func manyNames() {
        let names = (0..<65).map { JSONValue.object(["user": .string("user-\($0)")]) }
        #expect(read(.array(Array(names.prefix(64)))).hidesNames == false)
        let all = read(.array(names))
        #expect(all.names.count == 64 && all.hidesNames)
    }

    @Test("are not read in arguments of more than 64 KB or 2000 values, which hide everything")
    func long() {
        for arguments in [
            JSONValue.array([.string(String(repeating: "x", count: 65_600))]), .array(Array(repeating: 1, count: 2001)),
        ] {
            let read = read(arguments)
            #expect(read.hidesNames && read.hasPassword && !read.isEmpty)
        }
        #expect(!read(.array(Array(repeating: .null, count: 1999))).hidesNames)
    }
}
