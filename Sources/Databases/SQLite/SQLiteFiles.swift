import CSQLite
import Foundation
import GRDBSQLite
import Synchronization

/// The file system of the databases that adapters name: SQLite's own, which opens no file in a data folder, creates none but databases, and
/// deletes nothing that a journal names.
enum SQLiteFiles {
    private static let name = "lamplighter"
    /// The endings for a file that does not exist yet, so that no adapter creates a settings file.
    static let endings = [".db", ".db3", ".sqlite", ".sqlite3"]

    /// The data folders of the servers in this process.
    private static let forbidden = Mutex<[String]>([])

    // Both are set once, before any database is opened, and only read afterwards.
    nonisolated(unsafe) private static let original = sqlite3_vfs_find(nil) as UnsafeMutablePointer<sqlite3_vfs>
    nonisolated(unsafe) private static let guarded: UnsafeMutablePointer<sqlite3_vfs>? = {
        let vfs = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
        vfs.initialize(to: original.pointee)
        vfs.pointee.zName = UnsafePointer(strdup(name))
        vfs.pointee.xOpen = { vfs, path, file, flags, outFlags in
            // A journal of several databases names others, and SQLite deletes the one that names it.
            guard flags & SQLITE_OPEN_SUPER_JOURNAL == 0, let open = original.pointee.xOpen else {
                return SQLITE_CANTOPEN
            }
            if flags & SQLITE_OPEN_MAIN_DB != 0, let path, SQLiteFiles.refuses(String(cString: path)) {
                return SQLITE_CANTOPEN
            }
            return open(vfs, path, file, flags, outFlags)
        }
        return sqlite3_vfs_register(vfs, 0) == SQLITE_OK ? vfs : nil
    }()

    /// Opens a database with this file system, even if its name is a URI that names another one.
    static func open(
        _ path: String, flags: Int32, forbidden folder: URL?, _ handle: inout OpaquePointer?
    ) -> Int32 {
        if let folder, let path = realPath(folder.path(percentEncoded: false)) {
            forbidden.withLock { if !$0.contains(path) { $0.append(path) } }
        }
        guard guarded != nil else { return SQLITE_ERROR }
        let code = sqlite3_open_v2(path, &handle, flags, name)
        guard code == SQLITE_OK else { return code }
        // A name of the form file:… may ask for another file system.
        var used: UnsafeMutablePointer<sqlite3_vfs>?
        sqlite3_file_control(handle, "main", SQLITE_FCNTL_VFS_POINTER, &used)
        return used == guarded ? SQLITE_OK : SQLITE_CANTOPEN
    }

    /// - Parameter path: without links, as SQLite makes it.
    private static func refuses(_ path: String) -> Bool {
        let name = (path as NSString).lastPathComponent
        guard let folder = realPath((path as NSString).deletingLastPathComponent) else { return true }
        let isForbidden = forbidden.withLock { $0.contains { "\(folder)/".hasPrefix("\($0)/") } }
        let exists = FileManager.default.fileExists(atPath: path)
        return isForbidden || !exists && !endings.contains { name.hasSuffix($0) }
    }

    private static func realPath(_ path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }
}
