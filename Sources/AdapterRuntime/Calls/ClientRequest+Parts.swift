import Foundation

/// What the request's texts say, taken apart.
extension ClientRequest {
    var components: URLComponents? { URLComponents(string: url) }

    var charset: String? {
        header("Content-Type")?.firstMatch(of: /(?i)charset\s*=\s*"?([^\s;"]+)/).map { String($0.1) }
    }

    /// The values of the cookies of that name.
    public func cookies(named name: String) -> [String] { cookies.filter { $0.name == name }.map(\.value) }

    var cookies: [(name: String, value: String)] {
        let pairs = headers.filter { $0.name.lowercased() == "cookie" }.flatMap { $0.value.split(separator: ";") }
        return pairs.compactMap { pair in
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2 else { return nil }
            let value = parts[1].trimmingCharacters(in: .whitespaces)
            // As servlets do: the quotation marks are the header's, not the value's.
            let isQuoted = value.count >= 2 && value.hasPrefix("\"") && value.hasSuffix("\"")
            return (
                parts[0].trimmingCharacters(in: .whitespaces), isQuoted ? String(value.dropFirst().dropLast()) : value
            )
        }
    }
}
