/// A password as a database has it.
enum StoredPassword: Sendable {
    case plain([UInt8])
    case hashed(PasswordHash)

    /// - Throws: when the text is meant to be a hash and is none.
    init(_ text: String) throws(PasswordHash.PasswordHashError) {
        self = PasswordHash.isMeant(by: text) ? .hashed(try PasswordHash(text)) : .plain(Array(text.utf8))
    }

    /// What takes as long to verify, without the password where that can be read.
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
