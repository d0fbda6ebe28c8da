public import Foundation

/// The folder in which an installation keeps its store, and by which processes find each other.
///
/// Whoever uses the store holds a lock on the folder; the system lets go of it when the process ends, however it ends. A
/// server leaves a note there that says where it listens.
public final class DataFolder: Sendable {
    /// Where a running server can be asked, and with which key.
    public struct ServerNote: Codable, Sendable, Hashable {
        public let processID: Int32
        public let url: String
        /// Only who may read the folder knows it.
        public let managementKey: String
    }

    public let url: URL
    private let lock: FolderLock

    private static func note(in folder: URL) -> URL { folder.appending(path: "server.json") }

    /// Makes the folder if it is not there, and locks it.
    ///
    /// - Throws: ``DataFolderError``.
    public init(locking folder: URL) throws(DataFolderError) {
        do {
            try FileManager.default.createDirectory(
                at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw .cannotUse(folder.path, error.localizedDescription)
        }
        guard let lock = FolderLock(folder.appending(path: "lock")) else {
            throw .cannotUse(folder.path, String(cString: strerror(errno)))
        }
        guard lock.acquire() else {
            throw .inUse(folder.path, Self.serverNote(in: folder))
        }
        self.lock = lock
        url = folder
        // What a server that was killed has left.
        try? FileManager.default.removeItem(at: Self.note(in: folder))
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
    func publish(_ note: ServerNote) throws {
        let file = Self.note(in: url)
        let temporary = url.appending(path: "server.json.new")
        guard
            FileManager.default.createFile(
                atPath: temporary.path, contents: try JSONEncoder().encode(note), attributes: [.posixPermissions: 0o600]
            ),
            rename(temporary.path, file.path) == 0
        else { throw DataFolderError.cannotUse(url.path, String(cString: strerror(errno))) }
    }

    /// Takes the note away.
    func unpublish() {
        try? FileManager.default.removeItem(at: Self.note(in: url))
    }

    /// Lets others have the folder, whoever still holds on to this object.
    public func unlock() {
        lock.release()
    }

    /// The note that a server has left in a folder; `nil` when there is none.
    public static func serverNote(in folder: URL) -> ServerNote? {
        guard let data = try? Data(contentsOf: note(in: folder)) else { return nil }
        return try? JSONDecoder().decode(ServerNote.self, from: data)
    }
}

/// Why a data folder cannot be used.
public enum DataFolderError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The folder cannot be made or written.
    case cannotUse(String, String)
    /// Another process holds it; its note, when it is a server that is ready.
    case inUse(String, DataFolder.ServerNote?)

    public var description: String {
        switch self {
        case .cannotUse(let path, let reason):
            "the data folder \(path) cannot be used: \(reason); choose another with --data"
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

    init?(_ file: URL) {
        descriptor = open(file.path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        if descriptor < 0 { return nil }
    }

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
