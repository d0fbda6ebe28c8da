import Foundation
import Synchronization

/// The folder of a client's persistent data: the device's id and the cookies with an expiry.
final class ClientFolder: Sendable {
    let url: URL
    /// The lock for writing.
    private let lock = Mutex(())

    /// Opens the folder, which is created when something is stored.
    ///
    /// - Parameter url: the folder; `nil` for the application's folder in Application Support.
    init(_ url: URL?, applicationID: String) {
        self.url = url ?? Self.standard(applicationID)
    }

    private static func standard(_ applicationID: String) -> URL {
        let manager = FileManager.default
        let base =
            manager.urls(for: .applicationSupportDirectory, in: .userDomainMask).first ?? manager.temporaryDirectory
        let name = applicationID.filter { $0.isLetter || $0.isNumber || "-_.".contains($0) }
        return base.appendingPathComponent("WorklightClient").appendingPathComponent(
            name.isEmpty ? "application" : name)
    }

    /// Returns the device's id, which is created at the first run and stays the same.
    ///
    /// - Throws: ``WLError`` when a new id cannot be stored: the server would see another device at each run.
    func deviceID() throws(WLError) -> String {
        let file = url.appendingPathComponent("device-id")
        do {
            return try lock.withLock { _ in
                if let text = try? String(contentsOf: file, encoding: .utf8) {
                    let id = text.trimmingCharacters(in: .whitespacesAndNewlines)
                    if !id.isEmpty, id.utf8.count <= 200 { return id }
                }
                let id = UUID().uuidString
                try write(Data(id.utf8), to: file)
                return id
            }
        } catch {
            throw WLError(
                WLErrorCodeUnexpectedError,
                "\(file.path): the device's id cannot be stored: \(error.localizedDescription); "
                    + "pass a writable folder to the client"
            )
        }
    }

    func cookies() -> [ClientCookieJar.Cookie] {
        guard let data = try? Data(contentsOf: cookieFile) else { return [] }
        return (try? JSONDecoder().decode([ClientCookieJar.Cookie].self, from: data)) ?? []
    }

    /// Stores cookies. Errors are ignored: without the cookies, the next run only needs a new session.
    func keep(_ cookies: [ClientCookieJar.Cookie]) {
        lock.withLock { _ in
            guard let data = try? JSONEncoder().encode(cookies) else { return }
            try? write(data, to: cookieFile)
        }
    }

    private var cookieFile: URL { url.appendingPathComponent("cookies.json") }

    private func write(_ data: Data, to file: URL) throws {
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        try data.write(to: file, options: .atomic)
        // A cookie is a credential: it continues a logged-in session.
        try? FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
    }
}
