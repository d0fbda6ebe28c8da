import Databases
import Foundation
import PushModel

extension StoreError {
    /// Says what an error that came up while working on a database means. Never quotes stored values.
    init(_ error: any Error, database: String) {
        switch error {
        case let error as StoreError: self = error
        case let error as StoredValueError: self.init(error.code, database, error.reason, advice: error.advice)
        case let error as SQLStatementError:
            let lines = "\(error)".split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
            let reason =
                error.kind == .poolExhausted
                ? "all connections are in use" : lines.joined(separator: " ").replacing(" (\(database))", with: "")
            self.init(Self.code(of: error), database, reason, advice: Self.advice(sqlState: error.sqlState))
        default: self.init(.other, database, "\(error)")
        }
    }

    private init(_ code: Code, _ database: String, _ reason: String, advice: String? = nil) {
        self.init(code, location: database, reason: reason, advice: advice ?? Self.adviceForServer(code))
    }

    /// Advice for errors that share a code with others.
    private static func advice(sqlState: String?) -> String? {
        // insufficient_privilege
        sqlState == "42501"
            ? "make the role the owner of the tables, and grant it CREATE on the schema" : nil
    }

    private static func adviceForServer(_ code: Code) -> String {
        switch code {
        case .locked: "the database did not respond in time; check its load and the transactions that hold locks"
        case .readOnly:
            "the database is read-only; list all hosts in the setting store, so that the server finds the primary"
        case .diskFull: "free some space on the database's disk; everything accepted so far is kept"
        case .corrupt: "restore the database from a backup"
        case .newerSchema: "run the version of Lamplighter that made them, or a later one"
        case .olderSchema: "run the build that made them, or name an empty database in the setting store"
        case .cannotOpen: "check the setting store, and that the database runs and can be reached from here"
        case .other: "see the reason given"
        }
    }

    private static func code(of failure: SQLStatementError) -> Code {
        switch failure.kind {
        case .connection, .closed, .driverMissing: return .cannotOpen
        case .timeout, .poolExhausted: return .locked
        case .resultTooLarge: return .other
        case .statement: break
        }
        switch failure.sqlState {
        // Deadlocks, and locks that were not to be had in time.
        case "40P01", "55P03", "57014": return .locked
        case "53100": return .diskFull
        case "25006": return .readOnly
        default: return .other
        }
    }
}
