public import Foundation

/// Users in a file: a line `name:hash` for each, and comments after `#`. Our extension; the original had none.
///
/// Hashes are bcrypt or argon2id (`PasswordHash`). A file with any other line is refused as a whole: nobody can log
/// in until it is correct. A change takes effect within a second.
public final class PasswordFileDirectory: PasswordDirectory {
    private let list: WatchedFile<PasswordList>
    private let hasher: PasswordHasher

    /// Reads the file, which blocks.
    ///
    /// - Parameters:
    ///   - name: the file's name in messages; `nil` for its path.
    ///   - now: the time, which limits how often the file is checked.
    /// - Throws: `configuration`, with `file:line` for each line that is wrong.
    public init(
        file: URL, name: String? = nil, hasher: PasswordHasher = .shared,
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
    ) throws(DirectoryError) {
        let name = name ?? file.path
        list = WatchedFile(path: file.path, name: name, now: now) { bytes throws(DirectoryError) in
            try PasswordFileReader.read(bytes, name: name)
        }
        self.hasher = hasher
        _ = try list.content()
    }

    public func user(named name: String, password: String) async throws(DirectoryError) -> DirectoryUser? {
        let isRight = try await hasher.run { [list] () throws(DirectoryError) in
            let isRight = try list.content().admits(name, password: password)
            return isRight && !password.isEmpty
        }
        return isRight ? DirectoryUser(name: name) : nil
    }
}
