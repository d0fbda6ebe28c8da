import WorklightProject

/// Reads the lines `name:hash` of a password file.
enum PasswordFileReader {
    /// The number of problems that are reported.
    private static let limit = 20

    /// - Parameter name: the file's name in messages.
    /// - Throws: ``DirectoryError`` with ``DirectoryError/lines``.
    static func read(_ bytes: [UInt8], name file: String) throws(DirectoryError) -> PasswordList {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw DirectoryError(lines: [.init(file: file, number: nil, problem: "expected UTF-8 text")])
        }
        if let conflict = ProjectError.mergeConflict(in: text, file: file) {
            throw DirectoryError(lines: [.init(file: file, number: conflict.line, problem: conflict.message)])
        }
        var (lines, hashes, problems) = ([String: Int](), [String: PasswordHash](), [DirectoryError.Line]())
        let content = text.hasPrefix("\u{FEFF}") ? text.dropFirst() : text[...]
        for (index, line) in content.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            let number = index + 1
            do throws(PasswordHash.PasswordHashError) {
                guard let (name, hash) = try entry(line) else { continue }
                if let first = lines[name] {
                    problems.append(
                        .init(
                            file: file, number: number,
                            problem: "line \(first) has this user already; remove one of them"))
                }
                (lines[name], hashes[name]) = (number, hash)
            } catch {
                problems.append(.init(file: file, number: number, problem: "\(error)"))
            }
        }
        guard problems.isEmpty else { throw DirectoryError(lines: Array(problems.prefix(limit))) }
        return PasswordList(hashes)
    }

    private static func entry(_ line: Substring) throws(PasswordHash.PasswordHashError) -> (
        name: String, hash: PasswordHash
    )? {
        let line = line.drop(while: \.isWhitespace)
        guard !line.isEmpty, line.first != "#" else { return nil }
        let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty else {
            throw PasswordHash.PasswordHashError(description: "expected name:hash, or a comment that begins with #")
        }
        var hash = parts[1].drop(while: \.isWhitespace)
        while hash.last?.isWhitespace == true { hash.removeLast() }
        return (String(parts[0]), try PasswordHash(String(hash)))
    }
}

/// Users and their passwords' hashes.
public struct PasswordList: Sendable {
    private let hashes: [String: PasswordHash]
    private let all: [PasswordHash]

    public init(_ hashes: [String: PasswordHash]) {
        self.hashes = hashes
        all = hashes.sorted { $0.key < $1.key }.map(\.value)
    }

    /// Returns whether the user exists and has this password. For an unknown user another user's hash is verified and the
    /// result dropped, so that it takes as long. It is always the same hash, as it is for an existing user.
    func admits(_ name: String, password: String) throws(DirectoryError) -> Bool {
        if let hash = hashes[name] { return try hash.matches(password) }
        guard !all.isEmpty else { return false }
        // Differs between processes, so nobody can foretell which.
        let index = Int(UInt(bitPattern: name.hashValue) % UInt(all.count))
        _ = try all[index].matches(password)
        return false
    }
}
