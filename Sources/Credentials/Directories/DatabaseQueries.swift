import Databases

/// The queries of a database's login module. Its calls block.
struct DatabaseQueries: Sendable {
    /// A user's row.
    struct Principal: Sendable {
        /// `nil` when the database has none for the user.
        let password: StoredPassword?
        let displayName: String?
    }

    let source: SQLDataSource
    /// The data source's, for messages.
    let name: String
    let principals: String
    let timeout: Duration

    /// - Parameter password: what must not be in messages.
    func principal(_ user: String, password: String) throws(DirectoryError) -> Principal? {
        let rows = try rows(of: user, password: password)
        guard rows.count > 0 else { return nil }
        guard rows.count == 1 else {
            throw failure(.configuration, "the principalsQuery returns \(rows.count) rows for one user, expected one")
        }
        let row = rows[0]
        let displayName = zip(rows.columns, row).first { $0.0.lowercased() == "displayname" }?.1
        return Principal(
            password: try row.first.flatMap { value throws(DirectoryError) in try storedPassword(value) },
            displayName: displayName?.plainText)
    }

    private func storedPassword(_ value: SQLValue) throws(DirectoryError) -> StoredPassword? {
        guard value != .null else { return nil }
        guard let text = value.plainText else {
            throw failure(.configuration, "the principalsQuery's first column is not a string, expected the password")
        }
        do {
            return try StoredPassword(text)
        } catch {
            throw failure(.configuration, "the principalsQuery found an invalid password hash: \(error)")
        }
    }

    private func rows(of user: String, password: String) throws(DirectoryError) -> SQLRows {
        let result: SQLResult
        do {
            let parameters = repeatElement(SQLValue.text(user), count: DatabasePlaceholders.count(in: principals))
            result = try source.execute(principals, parameters: Array(parameters), deadline: timeout)
        } catch {
            let words = DirectoryError.quote(error.description, without: password)
            switch error.kind {
            case .connection, .closed: throw failure(.unreachable, "the database cannot be reached\(words)")
            case .timeout: throw failure(.timeout, "the principalsQuery timed out\(words)")
            case .poolExhausted: throw failure(.busy, "all connections are in use\(words)")
            case .statement, .driverMissing, .resultTooLarge:
                throw failure(.configuration, "the principalsQuery fails\(words)")
            }
        }
        guard let rows = result.resultSet else {
            throw failure(.configuration, "the principalsQuery returns no rows, expected a SELECT")
        }
        return rows
    }

    private func failure(_ kind: DirectoryError.Kind, _ problem: String) -> DirectoryError {
        DirectoryError(kind, "login data source '\(name)': \(problem)")
    }
}

extension SQLValue {
    /// A string or a number as a string.
    fileprivate var plainText: String? {
        switch self {
        case .text(let text), .decimal(let text): text
        case .integer(let number): String(number)
        case .bytes(let bytes): String(validating: bytes, as: UTF8.self)
        case .null, .bool, .real, .instant, .day, .time, .timestamp: nil
        }
    }
}

/// The `?` of a statement.
enum DatabasePlaceholders {
    /// Returns the number of placeholders outside quotes and comments.
    static func count(in sql: String) -> Int {
        var (count, rest) = (0, Substring(sql))
        while let character = rest.popFirst() {
            switch character {
            case "?": count += 1
            case "'", "\"", "`": skip(&rest, past: String(character))
            case "-" where rest.first == "-": skip(&rest, past: "\n")
            case "/" where rest.first == "*":
                rest.removeFirst()
                skip(&rest, past: "*/")
            default: break
            }
        }
        return count
    }

    private static func skip(_ text: inout Substring, past end: String) {
        text = text.firstRange(of: end).map { text[$0.upperBound...] } ?? ""
    }
}
