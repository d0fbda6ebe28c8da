import Foundation
import Synchronization

/// What a client keeps from one run to the next: its device's id and the cookies that last.
final class ClientFolder: Sendable {
    let url: URL
    /// One writer at a time.
    private let lock = Mutex(())

    /// - Parameter url: made when it is not there; `nil` for the application's own place.
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

    /// The device's id: made at the first run, the same ever after.
    ///
    /// - Throws: ``WLError`` when it cannot be kept, for then the server would see another device at each run.
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
                "\(file.path): the device's id cannot be kept: \(error.localizedDescription); "
                    + "give the client a folder it may write"
            )
        }
    }

    func cookies() -> [ClientCookieJar.Cookie] {
        guard let data = try? Data(contentsOf: cookieFile) else { return [] }
        return (try? JSONDecoder().decode([ClientCookieJar.Cookie].self, from: data)) ?? []
    }

    /// Cookies that are lost cost no more than a new session.
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
        // Cookies are as good as a login.
        try? FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
    }
}
