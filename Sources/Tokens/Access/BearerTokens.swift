/// The header `Authorization: Bearer <access token> [<id token>]` of a 7.x client (wire-protocol 8), not yet verified.
public struct BearerTokens: Sendable, Hashable {
    public let access: String
    public let identity: String?

    /// - Returns: nil when the header is of another scheme, or has no or more than two tokens.
    public init?(header: some StringProtocol) {
        let words = header.split(whereSeparator: { $0 == " " || $0 == "\t" })
        guard words.count == 2 || words.count == 3, words[0].lowercased() == "bearer" else { return nil }
        access = String(words[1])
        identity = words.count == 3 ? String(words[2]) : nil
    }
}
