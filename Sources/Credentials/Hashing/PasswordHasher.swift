/// Verifies hashed passwords on threads of its own: few at once, because each takes a processor and maybe much memory.
public final class PasswordHasher: Sendable {
    /// The one that everybody uses, so that the limits hold for the whole process.
    public static let shared = PasswordHasher()

    /// How long a login waits for its turn and its verification.
    static let patience = Duration.seconds(30)

    private let threads: LoginThreads

    /// - Parameters:
    ///   - atOnce: verifications that run at the same time.
    ///   - queueLimit: verifications that wait; what comes beyond fails as `busy`.
    public init(atOnce: Int = 2, queueLimit: Int = 64) {
        threads = LoginThreads(name: "password hashing", threads: atOnce, queueLimit: queueLimit)
    }

    /// How many verifications run or wait.
    public var load: Int { threads.load }

    /// Runs work that verifies hashes.
    func run<Value: Sendable>(
        _ work: @escaping @Sendable () throws(DirectoryError) -> Value
    ) async throws(DirectoryError) -> Value {
        try await threads.run(within: Self.patience, work)
    }
}
