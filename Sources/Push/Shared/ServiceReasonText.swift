/// A service's own words, as they may stand in a reason and in a log: short, in one line, without what is secret.
struct ServiceReasonText: CustomStringConvertible {
    private static let longest = 200

    let description: String

    /// - Parameters:
    ///   - text: what the service said.
    ///   - secrets: what must not be repeated, each with its substitute. The empty text is not a secret.
    init(_ text: some StringProtocol, hiding secrets: [(text: String, substitute: String)] = []) {
        // A secret that is cut off at the end would not be found any more, so what is cut off is cut off afterwards.
        var line = text.prefix(64 << 10).map { $0.isNewline || $0.isWhitespace ? " " : String($0) }.joined()
        for secret in secrets where !secret.text.isEmpty {
            line = line.replacing(secret.text, with: secret.substitute)
        }
        let words = line.unicodeScalars.split { $0 == " " || $0.value < 0x20 || $0.value == 0x7F }
        let joined = words.map { String($0) }.joined(separator: " ")
        description = joined.count > Self.longest ? joined.prefix(Self.longest) + "…" : joined
    }
}
