import Foundation
import Synchronization

/// The cookies that back ends set in one client session. One jar must serve one session only, or a user would act as
/// another at the back end.
public final class CookieJar: Sendable {
    /// More are dropped, the oldest first.
    static let capacity = 300

    private let cookies = Mutex<[Cookie]>([])
    private let now: @Sendable () -> Double

    public convenience init() {
        self.init(now: { Date().timeIntervalSince1970 })
    }

    /// - Parameter now: seconds since 1970.
    init(now: @escaping @Sendable () -> Double) {
        self.now = now
    }

    /// Stores the cookies of a response's `Set-Cookie` headers.
    func store(_ headers: [String], from origin: Origin, target: String) {
        guard !headers.isEmpty else { return }
        let time = now()
        cookies.withLock { cookies in
            for header in headers {
                guard let cookie = Cookie(header: header, from: origin, path: Self.path(of: target), now: time) else {
                    continue
                }
                if let index = cookies.firstIndex(where: { cookie.replaces($0) }) {
                    cookies[index] = cookie
                } else {
                    cookies.append(cookie)
                }
            }
            cookies.removeAll { $0.isExpired(at: time) }
            if cookies.count > Self.capacity { cookies.removeFirst(cookies.count - Self.capacity) }
        }
    }

    /// The cookies for a request, those of longer paths first.
    func cookies(for origin: Origin, target: String) -> [(String, String)] {
        let time = now()
        let path = Self.path(of: target)
        let found = cookies.withLock { cookies in cookies.filter { $0.applies(to: origin, path: path, now: time) } }
        return found.enumerated()
            .sorted { ($1.element.path.utf8.count, $0.offset) < ($0.element.path.utf8.count, $1.offset) }
            .map { ($0.element.name, $0.element.value) }
    }

    private static func path(of target: String) -> String {
        String(target.prefix { $0 != "?" && $0 != "#" })
    }
}
