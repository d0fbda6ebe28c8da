/// The credentials of back ends that call procedures: a token, or a name and a password.
public struct BackEndCredentials: Sendable, Hashable {
    /// For `Authorization: Bearer`.
    public var token: String?
    /// For `Authorization: Basic`, with ``password``.
    public var user: String?
    public var password: String?

    public init() {}

    /// True if none is set, so that no back end can identify itself.
    var isEmpty: Bool { token == nil && (user == nil || password == nil) }

    /// Returns true if a header cannot be meant for these keys: it is a signed token, as clients of 7.x show theirs until they have expired, and the
    /// configured token, if any, is not one.
    func areOtherThan(authorization header: String) -> Bool {
        let isSigned = { (text: Substring) in text.hasPrefix("ey") && text.count(where: { $0 == "." }) >= 2 }
        guard header.hasPrefix("Bearer "), isSigned(header.dropFirst("Bearer ".count)) else { return false }
        return !(token.map { isSigned($0[...]) } ?? false)
    }
}
