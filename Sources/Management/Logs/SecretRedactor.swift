import Core

/// Replaces the secrets of the settings in strings for the log.
///
/// A string without a secret costs one check of each pair of bytes.
public struct SecretRedactor: Sendable {
    /// Shorter secrets are not searched: they would blank ordinary words.
    public static let shortest = 6
    private static let mark = Array("[redacted]".utf8)

    /// In UTF-8, the longest first.
    private let secrets: [[UInt8]]
    /// A bit for each pair of bytes with which a secret begins.
    private let beginnings: [UInt64]

    /// - Parameter secrets: those of fewer than ``shortest`` characters are left out. Each is also searched in its spelling in JSON, and
    ///   in URLs with percent-encoding.
    public init(secrets: [String]) {
        let forms = secrets.filter { $0.count >= Self.shortest }.flatMap { secret in
            let encoded = PercentEncoding.encode(secret)
            return [
                secret, String(JSONValue.string(secret).text.dropFirst().dropLast()), encoded,
                encoded.replacing(/%[0-9A-F]{2}/) { $0.output.lowercased() },
            ]
        }
        self.secrets = Set(forms).map { Array($0.utf8) }.sorted { $0.count > $1.count }
        var beginnings = [UInt64](repeating: 0, count: 1024)
        for secret in self.secrets {
            let pair = Self.pair(secret[0], secret[1])
            beginnings[pair >> 6] |= 1 << UInt64(pair & 63)
        }
        self.beginnings = beginnings
    }

    /// Returns the string with `[redacted]` instead of each secret.
    public func redacted(_ text: String) -> String {
        guard !secrets.isEmpty else { return text }
        var copy = text
        return copy.withUTF8 { redacted($0) } ?? text
    }

    /// Returns the line with `[redacted]` in place of each secret in its message and its fields.
    public func redacted(_ line: LogLine) -> LogLine {
        guard !secrets.isEmpty else { return line }
        return LogLine(
            time: line.time, level: line.level, adapter: line.adapter, message: redacted(line.message),
            metadata: line.metadata.mapValues { redacted($0) }, numbers: line.numbers)
    }

    /// Returns `nil` when there is no secret.
    private func redacted(_ bytes: UnsafeBufferPointer<UInt8>) -> String? {
        var result: [UInt8] = []
        // Bytes before this one are in the result.
        var copied = 0
        var position = 0
        while position + 1 < bytes.count {
            let pair = Self.pair(bytes[position], bytes[position + 1])
            if beginnings[pair >> 6] & (1 << UInt64(pair & 63)) != 0, let length = secret(at: position, in: bytes) {
                result += bytes[copied..<position]
                result += Self.mark
                position += length
                copied = position
            } else {
                position += 1
            }
        }
        guard copied > 0 else { return nil }
        result += bytes[copied...]
        return String(decoding: result, as: UTF8.self)
    }

    /// Returns the length of the longest secret at a position; `nil` without one.
    private func secret(at position: Int, in bytes: UnsafeBufferPointer<UInt8>) -> Int? {
        secrets.first { bytes[position...].starts(with: $0) }?.count
    }

    private static func pair(_ first: UInt8, _ second: UInt8) -> Int { Int(first) << 8 | Int(second) }
}
