import CArgon2
import CCrypt
import Foundation

extension PasswordHash {
    /// Computes an argon2id hash with a random salt. Computes for tenths of a second.
    init(ofPassword password: String) throws(DirectoryError) {
        let (passes, memory, lanes, length) = (UInt32(3), UInt32(1 << 16), UInt32(1), 32)
        var generator = SystemRandomNumberGenerator()
        let salt = (0..<16).map { _ in UInt8.random(in: 0...255, using: &generator) }
        let bytes = Array(password.utf8)
        var encoded = [CChar](
            repeating: 0, count: argon2_encodedlen(passes, memory, lanes, UInt32(salt.count), UInt32(length), Argon2_id)
        )
        let code = argon2id_hash_encoded(
            passes, memory, lanes, bytes, bytes.count, salt, salt.count, length, &encoded, encoded.count)
        guard code == ARGON2_OK.rawValue else {
            throw DirectoryError(.busy, "a password cannot be hashed: \(String(cString: argon2_error_message(code)))")
        }
        do {
            try self.init(String(decoding: encoded.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self))
        } catch {
            throw DirectoryError(.configuration, "\(error)")
        }
    }

    /// Returns true if the password has this hash. Computes for tenths of seconds, with the memory that the hash asks for.
    func matches(_ password: String) throws(DirectoryError) -> Bool {
        switch scheme {
        case .bcrypt: try matchesBcrypt(password)
        case .argon2id(let memory, _, _): try matchesArgon2id(password, memory: memory)
        }
    }

    private func matchesBcrypt(_ password: String) throws(DirectoryError) -> Bool {
        var (memory, size) = (nil as UnsafeMutableRawPointer?, Int32(0))
        defer {
            if let memory { explicit_bzero(memory, Int(size)) }
            free(memory)
        }
        guard let result = crypt_ra(password, text, &memory, &size) else {
            throw DirectoryError(.backEnd, "the password could not be hashed with bcrypt: error \(errno)")
        }
        let hash = Array(String(cString: result).utf8)
        guard hash.count == 60 else {
            throw DirectoryError(.configuration, "the system's libcrypt cannot compute the bcrypt hash")
        }
        // bcrypt sees a password up to a NUL only.
        return ConstantTime.areEqual(hash, Array(text.utf8)) && !password.utf8.contains(0)
    }

    private func matchesArgon2id(_ password: String, memory: Int) throws(DirectoryError) -> Bool {
        let bytes = Array(password.utf8)
        let code = argon2id_verify(text, bytes, bytes.count)
        switch argon2_error_codes(code) {
        case ARGON2_OK: return true
        case ARGON2_VERIFY_MISMATCH: return false
        case ARGON2_MEMORY_ALLOCATION_ERROR:
            throw DirectoryError(.busy, "there is not enough memory to compute an argon2id hash of \(memory) KiB")
        default:
            throw DirectoryError(
                .configuration, "an argon2id hash cannot be computed: \(String(cString: argon2_error_message(code)))")
        }
    }
}

/// Comparisons that take as long for a wrong guess as for an almost right one.
enum ConstantTime {
    /// Returns true if two values have the same bytes. The time depends only on the length of `given`, which the attacker knows.
    static func areEqual(_ given: some Collection<UInt8>, _ stored: [UInt8]) -> Bool {
        let count = stored.count
        var difference = given.count ^ count
        for (index, byte) in given.enumerated() {
            difference |= Int(byte ^ (count == 0 ? 0 : stored[index % count]))
        }
        return difference == 0
    }
}

/// A password as a database has it.
enum StoredPassword: Sendable {
    case plain([UInt8])
    case hashed(PasswordHash)

    /// - Throws: when the string has the form of a hash and is not valid.
    init(_ text: String) throws(PasswordHash.PasswordHashError) {
        self = PasswordHash.isMeant(by: text) ? .hashed(try PasswordHash(text)) : .plain(Array(text.utf8))
    }

    /// A password that takes as long to verify, without this one if it is stored in plain form.
    var lookalike: StoredPassword {
        switch self {
        case .plain: .plain([])
        case .hashed: self
        }
    }

    func matches(_ password: String, hasher: PasswordHasher) async throws(DirectoryError) -> Bool {
        switch self {
        case .plain(let bytes): ConstantTime.areEqual(password.utf8, bytes)
        case .hashed(let hash): try await hasher.run { () throws(DirectoryError) in try hash.matches(password) }
        }
    }
}
