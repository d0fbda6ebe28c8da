import Synchronization
import Testing

@testable import BackEndHTTP

@Suite struct CookieTests {
    private let origin = Origin(scheme: "http", host: "a.example.com", port: 80)

    private func sent(_ header: String, from: String = "/dir/x", to target: String = "/", host: String? = nil) -> Bool {
        let jar = CookieJar(now: { 1_000_000_000 })
        jar.store([header], from: origin, target: from)
        return !jar.cookies(for: Origin(scheme: "http", host: host ?? origin.host, port: 80), target: target).isEmpty
    }

    @Test("The path limits the requests that carry a cookie") func path() {
        #expect(sent("a=b; Path=/x", to: "/x/y?z"))
        #expect(!sent("a=b; Path=/x", to: "/xy"))
        #expect(!sent("a=b", to: "/"))
        #expect(sent("a=b", to: "/dir/other"))
    }

    @Test("The domain widens a cookie's hosts, within the host's own domain") func domain() {
        #expect(sent("a=b; Path=/; Domain=.example.com", host: "b.example.com"))
        #expect(!sent("a=b; Path=/", host: "b.a.example.com"))
        #expect(!sent("a=b; Path=/; Domain=other.com"))
        #expect(!sent("a=b; Path=/; Domain=com"))
        #expect(!sent("a=b; Path=/; Domain=b.a.example.com"))
    }

    @Test("Expiry ends a cookie, Max-Age before Expires") func expiry() {
        #expect(!sent("a=b; Path=/; Max-Age=0"))
        #expect(sent("a=b; Path=/; Max-Age=1; Expires=Thu, 01 Jan 1970 00:00:00 GMT"))
        #expect(!sent("a=b; Path=/; Expires=Thu, 01-Jan-98 00:00:00 GMT"))
        #expect(sent("a=b; Path=/; Expires=Sunday, 09-Sep-2035 01:46:40 GMT"))
    }

    @Test("A secure cookie goes by https only") func secure() {
        #expect(!sent("a=b; Path=/; Secure"))
    }

    @Test("A new value replaces the old one, and an expired one removes it") func replaced() {
        let jar = CookieJar()
        jar.store(["a=1; Path=/", "b=2; Path=/"], from: origin, target: "/")
        jar.store(["a=3; Path=/", "b=; Path=/; Max-Age=0"], from: origin, target: "/")
        #expect(jar.cookies(for: origin, target: "/").map { "\($0.0)=\($0.1)" } == ["a=3"])
    }

    @Test("A jar does not grow without end") func capacity() {
        let jar = CookieJar()
        for index in 0..<1000 { jar.store(["c\(index)=1; Path=/"], from: origin, target: "/") }
        #expect(jar.cookies(for: origin, target: "/").count == CookieJar.capacity)
    }

    @Test("A cookie never carries a control character") func control() {
        #expect(!sent("a=b\u{1}c; Path=/"))
    }
}
