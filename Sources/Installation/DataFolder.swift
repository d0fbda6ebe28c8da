public import Foundation

/// The folder in which an installation keeps its store, and by which processes find each other.
///
/// A process that uses the store holds a lock on the folder; the system releases it when the process ends, however it
/// ends. A server writes its address to a file there.
public final class DataFolder: Sendable {
    /// The address of a running server, and the key for requests to it.
    public struct ServerNote: Codable, Sendable, Hashable {
        public let processID: Int32
        public let url: String
        /// Only who may read the folder knows it.
        public let managementKey: String

        package init(processID: Int32, url: String, managementKey: String) {
            (self.processID, self.url, self.managementKey) = (processID, url, managementKey)
        }
    }

    public let url: URL
    private let lock: FolderLock

    private static func note(in folder: URL) -> URL { folder.appending(path: "server.json") }

    /// Creates the folder if it is missing, and locks it.
    ///
    /// - Throws: ``DataFolderError``.
    public init(locking folder: URL) throws(DataFolderError) {
        try Self.checkAccess(to: folder)
        do {
            try FileManager.default.createDirectory(
                at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw .cannotUse(folder.path, error.localizedDescription)
        }
        let file = folder.appending(path: "lock").path
        let descriptor = open(file, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            let reason = errno
            throw reason == EACCES
                ? DataFolderError.denied(file)
                : DataFolderError.cannotUse(folder.path, String(cString: strerror(reason)))
        }
        let lock = FolderLock(descriptor)
        guard lock.acquire() else {
            throw .inUse(folder.path, Self.serverNote(in: folder))
        }
        self.lock = lock
        url = folder
        // A server that was killed leaves its note behind.
        try? FileManager.default.removeItem(at: Self.note(in: folder))
    }

    /// Checks whether this process's user may use a folder, if it exists.
    ///
    /// - Throws: ``DataFolderError`` that names the folder's owner.
    public static func checkAccess(to folder: URL) throws(DataFolderError) {
        if access(folder.path, R_OK | W_OK | X_OK) != 0, errno == EACCES { throw DataFolderError.denied(folder.path) }
    }

    /// The name of the server of this folder, which no other server has and which stays the same after a restart.
    ///
    /// - Throws: ``DataFolderError`` when it cannot be read or, at the first start, written.
    func serverName() throws(DataFolderError) -> String {
        let file = url.appending(path: "server-name")
        do {
            if FileManager.default.fileExists(atPath: file.path) {
                let name = try String(contentsOf: file, encoding: .utf8).trimmingCharacters(in: .whitespacesAndNewlines)
                if !name.isEmpty { return name }
            }
            let name = UUID().uuidString.lowercased()
            try Data(name.utf8).write(to: file, options: .atomic)
            return name
        } catch {
            throw .cannotUse(url.path, error.localizedDescription)
        }
    }

    /// Leaves the note for other processes.
    package func publish(_ note: ServerNote) throws(PublishError) {
        let file = Self.note(in: url)
        let temporary = url.appending(path: "server.json.new")
        guard
            FileManager.default.createFile(
                atPath: temporary.path, contents: try? JSONEncoder().encode(note),
                attributes: [.posixPermissions: 0o600]
            ),
            rename(temporary.path, file.path) == 0
        else { throw PublishError(reason: String(cString: strerror(errno))) }
    }

    /// The note for other processes cannot be written.
    package struct PublishError: Error {
        package let reason: String
    }

    /// Takes the note away.
    package func unpublish() {
        try? FileManager.default.removeItem(at: Self.note(in: url))
    }

    /// Releases the folder, also while this object has other owners.
    public func unlock() {
        lock.release()
    }

    /// Returns whether a process uses a folder now.
    public static func isInUse(_ folder: URL) -> Bool {
        let descriptor = open(folder.appending(path: "lock").path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        return !FolderLock(descriptor).acquire()
    }

    /// The note that a server has left in a folder; `nil` when there is none.
    public static func serverNote(in folder: URL) -> ServerNote? {
        guard let data = try? Data(contentsOf: note(in: folder)) else { return nil }
        return try? JSONDecoder().decode(ServerNote.self, from: data)
    }
}

/// The reason why a data folder cannot be opened or locked.
public enum DataFolderError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The folder cannot be made or written.
    case cannotUse(String, String)
    /// The folder or a file in it denies access to this process's user; its owner, where that is known.
    case permissionDenied(String, user: String, owner: String?)
    /// Another process holds it; its note, when it is a server that is ready.
    case inUse(String, DataFolder.ServerNote?)

    static func denied(_ path: String) -> DataFolderError {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        return .permissionDenied(path, user: NSUserName(), owner: attributes?[.ownerAccountName] as? String)
    }

    private static func remedy(user: String, owner: String?) -> String {
        if owner == "root" { return "a command ran as root: as root, run chown -R \(user): on the data folder" }
        guard owner != user else { return "grant the user permission to read and write it (chmod -R u+rwX)" }
        let name = owner.map { "the user '\($0)', who owns it" } ?? "the user who owns it"
        return "run the command as \(name), or choose another folder with --data"
    }

    public var description: String {
        switch self {
        case .permissionDenied(let path, let user, let owner):
            "the data folder cannot be opened: \(path): permission denied for the user '\(user)'; "
                + Self.remedy(user: user, owner: owner)
        case .cannotUse(let path, let reason):
            "the data folder \(path) cannot be opened: \(reason); choose another with --data"
        case .inUse(let path, let note?):
            "the data folder \(path) is in use by the server at \(note.url) (process \(note.processID)); stop that one, or "
                + "choose another folder with --data"
        case .inUse(let path, nil):
            "the data folder \(path) is in use by another lamplighter that is starting or busy; try again in a moment"
        }
    }
}

/// A lock that the system releases with the process.
private final class FolderLock: Sendable {
    private let descriptor: Int32

    init(_ descriptor: Int32) { self.descriptor = descriptor }

    deinit {
        close(descriptor)
    }

    func acquire() -> Bool {
        flock(descriptor, LOCK_EX | LOCK_NB) == 0
    }

    func release() {
        _ = flock(descriptor, LOCK_UN)
    }
}
