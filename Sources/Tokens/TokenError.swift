import Core

public import struct Foundation.Date

/// A problem with a token, or with a key that came with one.
///
/// The messages are safe to log: they hold no token and no secret, and their quotations from the token are short and escaped.
public enum TokenError: Error, Equatable, CustomStringConvertible {
    /// It has not the form that it should have. Says where, and what was expected.
    case malformed(String)
    /// It is signed with an algorithm that is not accepted here, or names none.
    case algorithm(found: String, accepted: [String])
    /// Its header asks by `crit` for extensions, of which we know none (RFC 7515, 4.1.11).
    case criticalExtensions
    /// Its key is not one that we use. Says why.
    case key(String)
    /// Its signature does not belong to it and to the key.
    case signature
    /// It lacks a member that is required.
    case missing(String)
    /// One of its members is longer than `limit` bytes of UTF-8.
    case tooLong(String, limit: Int)
    /// It was valid until the date.
    case expired(Date)
    /// It is valid from the date on.
    case notYetValid(Date)
    /// Another issuer made it.
    case issuer(found: String, expected: String)
    /// It has another audience.
    case audience(found: [String], expected: [String])
    /// It is a token of another kind, as an id token where an access token belongs.
    case kind(found: String, expected: String)
    /// It was issued for something else: another client, another code.
    case mismatch(String)
    /// The provider's key set has no such key. `nil`: the token names none, and not exactly one key would do.
    case unknownKey(String?)

    public var description: String {
        switch self {
        case .malformed(let what): what
        case .algorithm(let found, let accepted):
            "the token's algorithm is \(Self.quote(found)); accepted: \(accepted.joined(separator: ", "))"
        case .criticalExtensions: "the token's header has 'crit', and no extension is understood here"
        case .key(let why): "the key is not accepted: \(why)"
        case .signature: "the token's signature does not match"
        case .missing(let member): "the token has no '\(member)'"
        case .tooLong(let member, let limit): "'\(member)' is longer than \(limit) bytes"
        case .expired(let date): "the token expired at \(date)"
        case .notYetValid(let date): "the token is valid only from \(date)"
        case .issuer(let found, let expected):
            "the token's issuer is \(Self.quote(found)); expected: \(Self.quote(expected))"
        case .audience(let found, let expected):
            "the token is meant for \(Self.quote(found)); expected one of \(Self.quote(expected))"
        case .kind(let found, let expected):
            "the token's type is \(Self.quote(found)); expected: \(expected)"
        case .mismatch(let what): what
        case .unknownKey(let kid?):
            "the provider has no key with the 'kid' \(Self.quote(kid)) for the token's algorithm"
        case .unknownKey(nil): "the token names no 'kid', and not exactly one key of the provider fits its algorithm"
        }
    }

    private static func quote(_ texts: [String]) -> String {
        texts.isEmpty ? "nobody" : texts.prefix(5).map(quote).joined(separator: ", ")
    }

    /// Shortened, and without control characters.
    static func quote(_ text: String) -> String {
        let limit = 80
        // `debugDescription` leaves C1 and Unicode's line ends as they are.
        let shown = text.prefix(limit).unicodeScalars.map { $0.escaped(asASCII: $0.isControl) }.joined()
        return "\"\(shown)\"" + (text.count > limit ? "…" : "")
    }
}
