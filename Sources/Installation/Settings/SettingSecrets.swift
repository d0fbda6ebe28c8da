package import Foundation

/// The secrets among the settings, which the log must not show.
package struct SettingSecrets: Sendable {
    private struct Entry: Sendable {
        let text: String
        let isSecret: Bool
        let isFile: Bool

        /// The file whose path the value is.
        func file(project: URL) -> URL? {
            guard isFile, !text.hasPrefix("{"), !text.contains("-----BEGIN") else { return nil }
            return URL(filePath: text, relativeTo: project)
        }
    }

    private var entries: [Entry] = []

    /// Notes a setting's value.
    ///
    /// - Parameter isSecret: whether the value itself is a secret, unless it is the path of a file with one.
    mutating func note(_ key: String, _ text: String, isSecret: Bool) {
        let isFile = key == "tls.key" || key.hasSuffix("apns.key") || key.hasSuffix("fcm.serviceAccount")
        entries.append(Entry(text: text, isSecret: isSecret, isFile: isFile))
    }

    /// Returns the strings to hide: secrets, passwords in URLs, lines of private keys.
    ///
    /// - Parameter project: the folder to which the paths of files are relative.
    package func texts(project: URL) -> [String] {
        entries.flatMap { entry -> [String] in
            let keys = Self.privateKeys(in: entry.text)
            guard keys.isEmpty else { return keys }
            if let file = entry.file(project: project) {
                return (try? String(contentsOf: file, encoding: .utf8)).map { Self.privateKeys(in: $0) } ?? []
            }
            guard entry.isSecret else { return [] }
            return Self.passwords(in: entry.text) + [entry.text]
        }
    }

    /// Returns the files with private keys that settings name.
    package func keyFiles(project: URL) -> [URL] { entries.compactMap { $0.file(project: project) } }

    /// Returns each line of the private keys in a string, and each key as one line. The string may be JSON, with `\n` for line ends.
    private static func privateKeys(in text: String) -> [String] {
        var secrets: [String] = []
        var key: [String] = []
        var isInside = false
        for line in text.replacing("\\n", with: "\n").split(whereSeparator: \.isNewline) {
            if line.contains("-----BEGIN"), line.contains("PRIVATE KEY") {
                (isInside, key) = (true, [])
            } else if line.contains("-----END") {
                if isInside { secrets += key + [key.joined()] }
                isInside = false
            } else if isInside {
                key.append(line.trimmingCharacters(in: .whitespaces))
            }
        }
        return secrets
    }

    /// The passwords in a URL such as `postgres://user:password@host/database?password=other`, percent-encoded and decoded.
    private static func passwords(in text: String) -> [String] {
        let found = [
            text.firstMatch(of: /^[^:]+:\/\/[^@\/?#:]*:([^@\/?#]+)@/)?.1,
            text.firstMatch(of: /[?&](?:ssl)?password=([^&#]+)/)?.1,
        ].compactMap(\.self).map(String.init)
        return found + found.compactMap(\.removingPercentEncoding)
    }
}
