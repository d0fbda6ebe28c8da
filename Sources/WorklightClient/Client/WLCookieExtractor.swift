public import Foundation
import Synchronization

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// Shares cookies between the client and the application's web views (seed 004, 2.8): what the web views have for the
/// server goes out with the client's requests, and what the server sets is there for them.
///
/// The constructor with an `Application` in 2.8.1 is Android's; on iOS the example of 2.2.2 makes one with nothing.
public final class WLCookieExtractor: NSObject, Sendable {
    /// The lock is ours; Foundation's storage has one of its own for the web views.
    private let storage: Mutex<Handover<HTTPCookieStorage>>

    /// Shares `HTTPCookieStorage.shared`.
    public override convenience init() {
        self.init(storage: .shared)
    }

    /// Shares another storage; ours, not the original's.
    public init(storage: HTTPCookieStorage) {
        self.storage = Mutex(Handover(storage))
        super.init()
    }

    func cookies(for url: URL) -> [ClientCookieJar.Cookie] {
        let host = url.host?.lowercased() ?? ""
        return storage.withLock { $0.object.cookies(for: url) ?? [] }.map { cookie in
            ClientCookieJar.Cookie(
                name: cookie.name, value: cookie.value, host: host, path: cookie.path, isSecure: cookie.isSecure,
                expires: cookie.expiresDate?.timeIntervalSince1970)
        }
    }

    func take(_ answer: WLAnswer, from url: URL) {
        storage.withLock { storage in
            for header in answer.headers where header.name.lowercased() == "set-cookie" {
                let cookies = HTTPCookie.cookies(withResponseHeaderFields: ["Set-Cookie": header.value], for: url)
                for cookie in cookies { storage.object.setCookie(cookie) }
            }
        }
    }
}
