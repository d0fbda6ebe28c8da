import struct Foundation.Date

extension ApplicationRule {
    /// The largest number of 15 digits; JavaScript holds all up to it exactly.
    private static let largestMessageNumber = 999_999_999_999_999

    /// Returns the rule that replaces `earlier`: with its message's id if the message is unchanged, else with an id that clients have not seen.
    ///
    /// - Parameter earlier: the rule that is known for the same application, environment and version, if any.
    public func replacing(_ earlier: ApplicationRule?) -> ApplicationRule {
        guard let earlier, let last = Self.number(ofMessageID: earlier.messageID) else { return self }
        var rule = self
        if hasSameMessage(as: earlier) {
            rule.messageID = earlier.messageID
        } else {
            let next = max(Self.number(ofMessageID: messageID) ?? 0, last + 1)
            rule.messageID = String(next > Self.largestMessageNumber ? 0 : next)
        }
        return rule
    }

    /// Compares code units, as clients would see a difference.
    private func hasSameMessage(as other: ApplicationRule) -> Bool {
        switch (message, other.message) {
        case (let own?, let other?): own.utf8.elementsEqual(other.utf8)
        case (nil, nil): true
        default: false
        }
    }

    static func messageNumber(at date: Date) -> Int {
        let milliseconds = date.timeIntervalSince1970 * 1000
        guard milliseconds > 0 else { return 0 }
        return Int(min(milliseconds, Double(largestMessageNumber)))
    }

    static func number(ofMessageID text: String) -> Int? {
        guard (1...15).contains(text.utf8.count),
            text.utf8.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains),
            text == "0" || !text.hasPrefix("0")
        else { return nil }
        return Int(text)
    }
}
