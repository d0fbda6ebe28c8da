import Foundation
import TestSupport
import Testing

@testable import Credentials

@Suite("Password files", .onOwnThreads)
struct PasswordFileTests {
    let folder: TemporaryFolder
    let clock = ManualClock()
    let hasher = PasswordHasher()
    let bob: String
    let zoe: String

    init() throws {
        folder = try TemporaryFolder()
        bob = "bob:" + (try Tools.htpasswd("builder-7"))
        zoe = "zoë b.:" + (try Tools.argon2("elephant-9"))
    }

    private func directory(_ file: URL) throws -> PasswordFileDirectory {
        try PasswordFileDirectory(file: file, hasher: hasher, now: { [clock] in clock.now })
    }

    private func problem(_ text: String) throws -> DirectoryError {
        let file = try folder.write(text)
        return try #require(throws: DirectoryError.self) { try directory(file) }
    }

    @Test("Users get in with their own password only")
    func login() async throws {
        let directory = try directory(try folder.write("# people\n\n\(bob)\r\n  # more\n\(zoe)\n"))
        #expect(try await directory.user(named: "bob", password: "builder-7") == DirectoryUser(name: "bob"))
        #expect(try await directory.user(named: "zoë b.", password: "elephant-9") == DirectoryUser(name: "zoë b."))
        #expect(try await directory.user(named: "bob", password: "elephant-9") == nil)
        #expect(try await directory.user(named: "bob", password: "") == nil)
        #expect(try await directory.user(named: "Bob", password: "builder-7") == nil)
        #expect(try await directory.user(named: "nobody", password: "builder-7") == nil)
        #expect(try await directory.user(named: "# people", password: "") == nil)
    }

    @Test("An empty password is refused even when the file has its hash")
    func emptyPassword() async throws {
        let directory = try directory(try folder.write("guest:" + (try Tools.htpasswd(""))))
        #expect(try await directory.user(named: "guest", password: "") == nil)
    }

    @Test("Wrong lines are reported with file and line, all at once, and not quoted")
    func problems() throws {
        let error = try problem(
            "\(bob)\nkim:hunter22\n# fine\npat:$apr1$x$hunter22\nhunter22\nbob:{SHA}hunter22\n\(bob)")
        let file = folder.url.appending(path: "users").path
        let lines = error.message.split(separator: "\n")
        #expect(error.kind == .configuration)
        #expect(
            lines.map { $0.prefix { $0 != " " } } == [
                "\(file):2:", "\(file):4:", "\(file):5:", "\(file):6:", "\(file):7:",
            ])
        #expect(lines[0].contains("plain text"))
        #expect(lines[0].contains("htpasswd -B"))
        #expect(lines[1].contains("MD5"))
        #expect(lines[2].contains("name:hash"))
        #expect(lines[3].contains("SHA1"))
        #expect(lines[4].contains("line 1 has this user already"))
        #expect(!error.message.contains("hunter22"))
    }

    @Test("A missing file, a folder, and a binary file are refused")
    func unreadable() throws {
        let missing = folder.url.appending(path: "missing")
        #expect(
            throws: DirectoryError(.configuration, "the file \(missing.path) cannot be read: No such file or directory")
        ) {
            try directory(missing)
        }
        #expect(throws: DirectoryError(.configuration, "the file \(folder.url.path) is not a file")) {
            try directory(folder.url)
        }
        let binary = folder.url.appending(path: "binary")
        try Data([0xFF, 0xFE]).write(to: binary)
        let refusal = #expect(throws: DirectoryError.self) { try directory(binary) }
        #expect(refusal?.message == "\(binary.path): expected UTF-8 text")
    }

    @Test("Blanks around a hash do not count")
    func blanks() async throws {
        let parts = bob.split(separator: ":", maxSplits: 1)
        let file = try folder.write("\(parts[0]):  \(parts[1]) \n")
        #expect(try await directory(file).user(named: "bob", password: "builder-7") != nil)
    }

    @Test("A change counts after a second, not before")
    func change() async throws {
        let file = try folder.write(bob)
        let directory = try directory(file)
        try folder.write(zoe)
        clock.advance(by: .milliseconds(999))
        #expect(try await directory.user(named: "bob", password: "builder-7") != nil)
        clock.advance(by: .milliseconds(1))
        #expect(try await directory.user(named: "bob", password: "builder-7") == nil)
        #expect(try await directory.user(named: "zoë b.", password: "elephant-9") != nil)
    }

    @Test("Another file of the same size and time at the same path is noticed")
    func replacement() async throws {
        let (file, other) = (try folder.write(bob), try folder.write("kim" + bob.dropFirst(3), to: "other"))
        for path in [file.path, other.path] {
            let date = Date(timeIntervalSince1970: 1_700_000_000)
            try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: path)
        }
        let directory = try directory(file)
        #expect(rename(other.path, file.path) == 0)
        clock.advance(by: .seconds(1))
        #expect(try await directory.user(named: "bob", password: "builder-7") == nil)
        #expect(try await directory.user(named: "kim", password: "builder-7") != nil)
    }

    @Test("A file that is written in place is noticed although its size and time stay")
    func setBack() async throws {
        let file = try folder.write(bob)
        let directory = try directory(file)
        try folder.rewrite("kim" + bob.dropFirst(3), in: file.lastPathComponent)
        clock.advance(by: .seconds(1))
        #expect(try await directory.user(named: "bob", password: "builder-7") == nil)
        #expect(try await directory.user(named: "kim", password: "builder-7") != nil)
    }

    @Test("A file that becomes invalid or is removed lets nobody in, until it is valid again")
    func broken() async throws {
        let file = try folder.write(bob)
        let directory = try directory(file)
        try folder.write(bob + "\nkim:hunter22")
        clock.advance(by: .seconds(1))
        let error = await #expect(throws: DirectoryError.self) {
            try await directory.user(named: "bob", password: "builder-7")
        }
        #expect(error?.message.contains(":2:") == true)
        try FileManager.default.removeItem(at: file)
        clock.advance(by: .seconds(1))
        await #expect(throws: DirectoryError.self) { try await directory.user(named: "bob", password: "builder-7") }
        try folder.write(bob)
        clock.advance(by: .seconds(1))
        #expect(try await directory.user(named: "bob", password: "builder-7") != nil)
    }

    @Test("An unknown user costs about as much computing as a wrong password")
    func cost() throws {
        let list = PasswordList(["bob": try PasswordHash(try Tools.htpasswd("builder-7", cost: 10))])
        // On one thread, and its processor time only: other tests run meanwhile.
        func cost(_ name: String) throws -> Int {
            var (start, end) = (timespec(), timespec())
            clock_gettime(CLOCK_THREAD_CPUTIME_ID, &start)
            #expect(try !list.admits(name, password: "wrong"))
            clock_gettime(CLOCK_THREAD_CPUTIME_ID, &end)
            return (end.tv_sec - start.tv_sec) * 1_000_000_000 + end.tv_nsec - start.tv_nsec
        }
        let (known, unknown) = (try cost("bob"), try cost("nobody"))
        #expect(unknown > known / 4)
        #expect(known > unknown / 4)
    }

    @Test("A file without users lets nobody in")
    func empty() async throws {
        #expect(try await directory(try folder.write("# none\n")).user(named: "bob", password: "x") == nil)
    }
}
