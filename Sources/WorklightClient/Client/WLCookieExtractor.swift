public import Foundation
import Synchronization

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// Shares cookies between the client and the application's web views (seed 004, 2.8). The client sends the web views' cookies for
/// the server with its requests, and the web views get the cookies that the server sets.
///
/// The constructor with an `Application` in 2.8.1 is Android's; on iOS, the example of 2.2.2 passes no argument.
public final class WLCookieExtractor: NSObject, Sendable {
    /// The cookie storage. The mutex is for the client; Foundation's storage has its own lock for the web views.
    private let storage: Mutex<Handover<HTTPCookieStorage>>

    /// Creates an extractor that shares `HTTPCookieStorage.shared`.
    public override convenience init() {
        self.init(storage: .shared)
    }

    /// Creates an extractor that shares another storage. This initializer is an extension; the original does not have it.
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
