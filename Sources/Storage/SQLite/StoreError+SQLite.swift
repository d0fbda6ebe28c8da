import Core
import Foundation
import GRDB
import PushModel

/// The reason why a value cannot be stored, or why stored data cannot be read as one.
struct StoredValueError: Error {
    let code: StoreError.Code
    let reason: String
    /// The remedy; `nil` for the default of the code.
    var advice: String?

    static let nul = StoredValueError(code: .other, reason: "a string with a NUL character cannot be stored")
}

extension StoreError {
    /// Says what an error that came up while working on the file at `path` means. Never quotes stored values.
    init(_ error: any Error, path: String) {
        switch error {
        case let error as StoreError: self = error
        case let error as StoredValueError:
            self.init(error.code, location: path, reason: error.reason, advice: error.advice)
        case let error as DatabaseError:
            self.init(
                Self.code(of: error.extendedResultCode), location: path,
                reason: "\(error.message ?? "unknown error") (SQLite error \(error.extendedResultCode.rawValue))")
        case is RowDecodingError: self.init(.corrupt, location: path, reason: "a row does not hold what it should")
        case let error as CocoaError:
            self.init(Self.code(of: error), location: path, reason: error.localizedDescription)
        default: self.init(.other, location: path, reason: "\(error)")
        }
    }

    private static func code(of result: ResultCode) -> Code {
        // The file beside a database cannot grow.
        if result == .SQLITE_IOERR_SHMSIZE { return .diskFull }
        return switch result.primaryResultCode {
        case .SQLITE_BUSY, .SQLITE_LOCKED: .locked
        case .SQLITE_READONLY, .SQLITE_PERM: .readOnly
        case .SQLITE_FULL: .diskFull
        case .SQLITE_CORRUPT, .SQLITE_NOTADB: .corrupt
        case .SQLITE_CANTOPEN: .cannotOpen
        default: .other
        }
    }

    /// Foundation's errors come up while the folder is made.
    private static func code(of error: CocoaError) -> Code {
        switch error.code {
        case .fileWriteNoPermission, .fileWriteVolumeReadOnly: .readOnly
        case .fileWriteOutOfSpace: .diskFull
        default: .cannotOpen
        }
    }
}
