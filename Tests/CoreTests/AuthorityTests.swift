import Core
import Testing

@Suite("Authority")
struct AuthorityTests {
    @Test(
        "reads a host with or without a port, and addresses of IPv6 in brackets",
        arguments: [
            ("localhost", "localhost", nil), ("Example.com:8080", "Example.com", 8080), ("127.0.0.1:1", "127.0.0.1", 1),
            ("[::1]", "::1", nil), ("[2001:db8::1]:65535", "2001:db8::1", 65535), ("a:0080", "a", 80),
        ] as [(String, String, Int?)])
    func read(text: String, host: String, port: Int?) {
        #expect(Authority(text) == Authority(host: host, port: port))
    }

    @Test(
        "refuses what is not a host with a port",
        arguments: [
            "", ":80", "a:", "a:0", "a:65536", "a:123456", "a:x", "a:+1", "a:-1", "a:1:2", "::1", "[::1", "::1]", "[]",
            "[]:80", "[a]", "[127.0.0.1]", "[::1]80", "[::1]:", "[::1]:x", "[::1]x:80", "[[::1]]", "a/b", "a?b", "a#b",
            "user@a", "a b", "a\\b", "a\u{0}", "ä",
        ])
    func refuse(text: String) {
        #expect(Authority(text) == nil)
    }

    @Test(
        "writes brackets around an address of IPv6 only", arguments: ["a", "a:80", "[::1]", "[::1]:80", "127.0.0.1:80"])
    func write(text: String) {
        #expect(Authority(text)?.description == text)
    }
}
