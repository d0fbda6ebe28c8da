import CArgon2
import CCrypt
import Foundation

extension PasswordHash {
    /// Whether the password has this hash. Computes for long: tenths of seconds, and the memory that the hash asks for.
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
