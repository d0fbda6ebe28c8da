import PushModel

/// How somebody asks for the next part of a series: `?run=…&after=…&limit=…&wait=…`.
struct FollowQuery: Sendable, Hashable {
    /// The longest that an answer is waited for; proxies give up on connections that are silent for a minute.
    private static let longestWait = 55.0

    /// Larger ones do not survive JSON; nothing is ever counted that far.
    private static let largestNumber = 1 << 53

    /// The run of the server that `after` is of.
    var run: String?
    /// The last number that is known; `nil` at the beginning.
    var after: Int?
    var limit: Int
    /// How long an answer may wait for something to tell.
    var wait: Duration

    /// - Throws: ``ManagementError``.
    init(_ fields: FormFields, mostEntries: Int) throws(ManagementError) {
        run = fields["run"]
        after = try fields["after"].map { text throws(ManagementError) in
            guard let number = Int(text), (0...Self.largestNumber).contains(number) else {
                throw ManagementError(
                    field: "after", reason: "'\(text.prefix(100))' is no number from 0 to \(Self.largestNumber)")
            }
            return number
        }
        limit =
            try fields["limit"].map { text throws(ManagementError) in
                guard let number = Int(text), (1...mostEntries).contains(number) else {
                    throw ManagementError(
                        field: "limit", reason: "'\(text.prefix(100))' is not between 1 and \(mostEntries)")
                }
                return number
            } ?? 100
        wait =
            try fields["wait"].map { text throws(ManagementError) in
                guard let seconds = Double(text), (0...Self.longestWait).contains(seconds) else {
                    throw ManagementError(
                        field: "wait",
                        reason: "'\(text.prefix(100))' is not between 0 and \(Int(Self.longestWait)) seconds"
                    )
                }
                return Duration.seconds(seconds)
            } ?? .zero
    }
}
