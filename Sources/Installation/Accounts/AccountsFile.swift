package import Credentials
import Foundation
import Synchronization

/// An account of the management API.
package struct ManagementAccount: Sendable {
    package let name: String
    package var role: ManagementRole
    package var hash: PasswordHash

    package init(name: String, role: ManagementRole, hash: PasswordHash) {
        (self.name, self.role, self.hash) = (name, role, hash)
    }
}

/// The accounts in the file `accounts` of the data folder: a line `name:role:hash` for each, with an argon2id or bcrypt hash.
///
/// Its methods block.
package final class AccountsFile: Sendable {
    static let fileName = "accounts"

    private let url: URL
    /// Changes read and write the whole file.
    private let changes = Mutex(())

    init(folder: URL) {
        url = folder.appending(path: Self.fileName)
    }

    var path: String { url.path }

    /// The file's mode in octal digits when other users of the machine may write it; `nil` otherwise.
    var foreignAccess: String? {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        guard let mode = (attributes?[.posixPermissions] as? NSNumber)?.intValue, mode & 0o022 != 0 else { return nil }
        return String(mode, radix: 8)
    }

    /// The accounts in the order of the file; none without a file.
    ///
    /// - Throws: ``AccountsFileError`` with the line that is wrong.
    package func accounts() throws -> [ManagementAccount] {
        guard FileManager.default.fileExists(atPath: url.path) else { return [] }
        let text = try String(contentsOf: url, encoding: .utf8)
        var accounts: [ManagementAccount] = []
        for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated()
        where !line.isEmpty && line.first != "#" {
            let parts = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false).map(String.init)
            let place = "\(url.path):\(index + 1)"
            guard parts.count == 3, !parts[0].isEmpty, let role = ManagementRole(rawValue: parts[1]) else {
                throw AccountsFileError(
                    description: "\(place): expected name:role:hash with the role monitor, operator, deployer or admin")
            }
            guard !accounts.contains(where: { $0.name == parts[0] }) else {
                throw AccountsFileError(
                    description: "\(place): the account '\(parts[0])' is on an earlier line already")
            }
            do {
                accounts.append(ManagementAccount(name: parts[0], role: role, hash: try PasswordHash(parts[2])))
            } catch {
                throw AccountsFileError(description: "\(place): \(error)")
            }
        }
        return accounts
    }

    /// Replaces the accounts.
    ///
    /// - Parameter change: changes the accounts, or throws to leave the file unchanged.
    /// - Throws: ``AccountsFileError``, and errors of `change` and of writing.
    package func update<Value>(_ change: (inout [ManagementAccount]) throws -> Value) throws -> Value {
        try changes.withLock { _ in
            var accounts = try accounts()
            let value = try change(&accounts)
            let lines =
                ["# Written by 'lamplighter account'. Comments are not kept.\n"]
                + accounts.map { "\($0.name):\($0.role.rawValue):\($0.hash.text)\n" }
            let temporary = url.appendingPathExtension("new")
            let isWritten = FileManager.default.createFile(
                atPath: temporary.path, contents: Data(lines.joined().utf8), attributes: [.posixPermissions: 0o600])
            guard isWritten, rename(temporary.path, url.path) == 0 else {
                throw AccountsFileError(
                    description: "\(url.path) cannot be written: \(String(cString: strerror(errno)))")
            }
            return value
        }
    }
}

/// The accounts file cannot be read or written.
package struct AccountsFileError: Error, CustomStringConvertible {
    package let description: String
}
