/// Verifies hashed passwords on separate threads: few at once, because each takes a processor and maybe much memory.
public final class PasswordHasher: Sendable {
    /// The shared one, so that the limits apply to the whole process.
    public static let shared = PasswordHasher()

    /// The time that a login waits for its turn and its verification.
    static let patience = Duration.seconds(30)

    private let threads: LoginThreads

    /// - Parameters:
    ///   - atOnce: verifications that run at the same time.
    ///   - queueLimit: verifications that wait; further ones fail as `busy`.
    public init(atOnce: Int = 2, queueLimit: Int = 64) {
        threads = LoginThreads(name: "password hashing", threads: atOnce, queueLimit: queueLimit)
    }

    /// The number of verifications that run or wait.
    package var load: Int { threads.load }

    /// Returns true if a list has a user with this password. For an unknown user it takes as long.
    ///
    /// - Throws: `busy`, and `configuration` for a hash that cannot be computed.
    public func admits(
        _ name: String, password: String, in list: PasswordList
    ) async throws(DirectoryError) -> Bool {
        try await run { () throws(DirectoryError) in try list.admits(name, password: password) && !password.isEmpty }
    }

    /// Returns an argon2id hash of a new password: 64 MiB, 3 passes, one lane.
    ///
    /// - Throws: `busy`.
    public func hash(_ password: String) async throws(DirectoryError) -> PasswordHash {
        try await run { () throws(DirectoryError) in try PasswordHash(ofPassword: password) }
    }

    /// Runs work that verifies hashes.
    func run<Value: Sendable>(
        _ work: @escaping @Sendable () throws(DirectoryError) -> Value
    ) async throws(DirectoryError) -> Value {
        try await threads.run(within: Self.patience, work)
    }
}
