import Core

/// A phone number as a person or a gateway wrote it. Two spellings of the same digits are equal.
///
/// Blanks, `-`, `(`, `)`, `.` and `/` may separate the digits, and a `+` may precede them. A leading `00` means `+`, so `0049 170 1` and `+49 (170)
/// 1` are one number. A number without either is compared by its digits, since its country is unknown. The references do not say how the original
/// compared.
public struct PhoneNumber: Sendable, CustomStringConvertible {
    /// The original string, without blanks around it.
    public let text: String
    /// The digits alone, which are compared.
    public let digits: String
    /// True if it begins with the country code.
    public let isInternational: Bool

    /// - Throws: ``PhoneNumberError`` when `text` holds something else, fewer than 3 digits (short numbers have so many)
    ///   or more than 20.
    public init(_ text: String) throws(PhoneNumberError) {
        let trimmed = text.trimmingBlanks
        var rest = Substring(trimmed)
        let hasPlus = rest.first == "+"
        if hasPlus { rest.removeFirst() }
        guard rest.allSatisfy({ $0.isASCIIDigit || $0.isWhitespace || "-()./".contains($0) }) else {
            throw PhoneNumberError(
                reason: "it holds something other than digits, blanks and - ( ) . /, with a + at most at its start")
        }
        var digits = rest.filter(\.isASCIIDigit)
        let hasPrefix = !hasPlus && digits.hasPrefix("00")
        if hasPrefix { digits.removeFirst(2) }
        guard (3...20).contains(digits.count) else {
            throw PhoneNumberError(reason: "it has \(digits.count) digits, 3 to 20 are expected")
        }
        self.text = trimmed
        self.digits = digits
        isInternational = hasPlus || hasPrefix
    }

    /// The number as it is passed to a gateway: digits, with a `+` before them when they begin with the country code.
    public var dialled: String { (isInternational ? "+" : "") + digits }

    /// The last digits only: enough to recognise a number in a log.
    public var description: String { digits.count <= 6 ? "…" : "…\(digits.suffix(3))" }
}

extension PhoneNumber: Hashable {
    public static func == (left: PhoneNumber, right: PhoneNumber) -> Bool { left.digits == right.digits }

    public func hash(into hasher: inout Hasher) { hasher.combine(digits) }
}

/// The error for a string that is not a phone number.
public struct PhoneNumberError: Error, Hashable, CustomStringConvertible {
    /// The problem. Never holds the number itself.
    public let reason: String

    public var description: String { "not a phone number: \(reason)" }
}

extension Character {
    fileprivate var isASCIIDigit: Bool { ("0"..."9").contains(self) }
}

extension String {
    fileprivate var trimmingBlanks: String {
        let head = trimmingPrefix(while: \.isWhitespace)
        return String(head.reversed().trimmingPrefix(while: \.isWhitespace).reversed())
    }
}
