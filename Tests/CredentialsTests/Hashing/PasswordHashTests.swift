import Foundation
import TestSupport
import Testing

@testable import Credentials

/// Hashes that the usual tools write.
enum Tools {
    static func htpasswd(_ password: String, cost: Int = 4) throws -> String {
        let line = try run("/usr/bin/htpasswd", ["-nbB", "-C", String(cost), "user", password])
        return String(line.drop { $0 != ":" }.dropFirst())
    }

    static func argon2(_ password: String) throws -> String {
        try run("/usr/bin/argon2", ["saltsalt", "-id", "-e", "-t", "1", "-m", "6", "-p", "1"], input: password)
    }

    private static func run(_ path: String, _ arguments: [String], input: String = "") throws -> String {
        let (standardInput, output) = (Pipe(), Pipe())
        let process = try ChildProcess(path, arguments, input: standardInput, output: output)
        try standardInput.fileHandleForWriting.write(contentsOf: Data(input.utf8))
        try standardInput.fileHandleForWriting.close()
        let data = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    }
}

@Suite("Hashes of passwords", .onOwnThreads)
struct PasswordHashTests {
    /// The hash of "U*U", from the test vectors of crypt_blowfish.
    static let vector = "$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW"

    @Test("A hash that htpasswd -B writes matches its password only", arguments: ["secret", "zoë 🐘", "a b:c"])
    func bcrypt(password: String) throws {
        let hash = try PasswordHash(try Tools.htpasswd(password))
        #expect(try hash.matches(password))
        #expect(try !hash.matches(password + "x"))
        #expect(try !hash.matches(""))
    }

    @Test("The three spellings of bcrypt are the same", arguments: ["$2a$", "$2b$", "$2y$"])
    func spellings(prefix: String) throws {
        let hash = try PasswordHash(prefix + Self.vector.dropFirst(4))
        #expect(try hash.matches("U*U"))
        #expect(try !hash.matches("U*V"))
    }

    @Test("A password with a NUL does not match its beginning")
    func nul() throws {
        #expect(try !PasswordHash(Self.vector).matches("U*U\0x"))
        #expect(try !PasswordHash(try Tools.argon2("U*U")).matches("U*U\0x"))
    }

    @Test("A hash that argon2 writes matches its password only", arguments: ["secret", "zoë 🐘"])
    func argon2id(password: String) throws {
        let hash = try PasswordHash(try Tools.argon2(password))
        #expect(try hash.matches(password))
        #expect(try !hash.matches(password + "x"))
        #expect(try !hash.matches(""))
    }

    @Test(
        "A weak, unknown, malformed or too costly hash is refused with its reason, but not quoted",
        arguments: [
            ("hunter22", "plain text"), ("hunter 22", "plain text"), ("$apr1$x$hunter22", "an MD5 hash"),
            ("{SHA}hunter22", "a SHA1 hash"), ("{SSHA}hunter22", "a SHA1 hash"), ("$6$x$hunter22", "SHA-512"),
            ("$2x$05$hunter22", "faulty"), ("$9$hunter22", "unknown kind"), ("$2y$05$hunter22", "cut off"),
            ("$2y$31$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW", "cost 31"),
            ("$argon2i$v=19$m=64,t=1,p=1$hunter22hunter22$hunter22hunter22hunter22", "argon2i"),
            ("$argon2id$v=16$m=64,t=1,p=1$hunter22hunter22$hunter22hunter22hunter22", "malformed"),
            ("$argon2id$v=19$m=64,t=-1,p=1$hunter22hunter22$hunter22hunter22hunter22", "malformed"),
            ("$argon2id$v=19$m=99999999,t=1,p=1$hunter22hunter22$hunter22hunter22hunter22", "at most"),
            ("$argon2id$v=19$m=64,t=1,p=1$hunter22hunter22$hunter22", "malformed"),
        ])
    func refused(text: String, reason: String) throws {
        let problem = try #require(throws: PasswordHash.PasswordHashError.self) { try PasswordHash(text) }
        #expect(problem.description.contains(reason))
        #expect(!problem.description.contains("hunter"))
    }
}
