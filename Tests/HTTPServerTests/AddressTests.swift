import Core
import HTTPTypes
import NIOCore
import TestSupport
import Testing

@testable import HTTPServer

@Suite struct AddressTests {
    @Test(
        "A range contains what it should",
        arguments: [
            ("10.0.0.0/8", "10.255.0.1", true), ("10.0.0.0/8", "11.0.0.1", false), ("10.1.2.3", "10.1.2.3", true),
            ("10.1.2.3", "10.1.2.4", false), ("10.1.2.0/23", "10.1.3.9", true), ("10.1.2.0/23", "10.1.4.0", false),
            ("0.0.0.0/0", "8.8.8.8", true), ("0.0.0.0/0", "::1", false), ("fd00::/8", "fdab::1", true),
            ("fd00::/8", "fe80::1", false), ("::1", "::1", true), ("::ffff:10.0.0.0/104", "10.9.9.9", true),
            ("10.0.0.0/8", "::ffff:10.0.0.1", true), ("::/0", "2001:db8::1", true), ("::/0", "10.0.0.1", false),
        ]) func ranges(_ range: String, _ address: String, _ isInside: Bool) throws
    {
        #expect(try TrustedProxies([range]).contains(#require(IPAddress(address))) == isInside)
    }

    @Test(
        "An invalid range is refused by name",
        arguments: [
            "", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/", "10.0.0/8", "proxy", "::1/129", "10.0.0.0/8/8",
            "::ffff:10.0.0.0/95", "10.0.0.0/+8",
        ])
    func noRange(_ entry: String) {
        #expect(throws: TrustedProxiesError(entry: entry)) { try TrustedProxies([entry]) }
    }

    @Test("The list of trusted proxies returns its entries in canonical form, which it takes again")
    func list() throws {
        let proxies = try TrustedProxies(["192.0.2.1", "10.0.0.0/8", "FD00::/8", "::ffff:10.0.0.0/104", "::1/128"])
        #expect(proxies.list == ["192.0.2.1", "10.0.0.0/8", "fd00::/8", "10.0.0.0/8", "::1"])
        #expect(try TrustedProxies(proxies.list) == proxies)
    }

    @Test(
        "A string that is not an address is nil",
        arguments: ["", " 1.2.3.4", "1.2.3", "1.2.3.4:80", "[::1]", "fe80::1%lo", "1.2.3.4\u{0}", "a"])
    func noAddress(_ text: String) {
        #expect(IPAddress(text) == nil)
    }

    struct Case: CustomTestStringConvertible {
        let remote: String?
        let headers: [(String, String)]
        let expected: ClientAddress
        var testDescription: String { "\(remote ?? "nil") \(headers)" }

        init(
            _ remote: String?, _ headers: [(String, String)], _ address: String, _ scheme: String? = nil,
            _ host: String? = nil
        ) {
            (self.remote, self.headers) = (remote, headers)
            expected = ClientAddress(address: address, scheme: scheme, host: host)
        }
    }

    static let cases = [
        Case("192.0.2.7", [("X-Forwarded-For", "1.1.1.1"), ("X-Forwarded-Proto", "https")], "192.0.2.7"),
        Case("10.0.0.1", [], "10.0.0.1"),
        Case(nil, [("X-Forwarded-For", "1.1.1.1")], "unknown"),
        Case("::ffff:10.0.0.1", [("X-Forwarded-For", "1.1.1.1")], "1.1.1.1"),
        Case("10.0.0.1", [("X-Forwarded-For", "1.1.1.1")], "1.1.1.1"),
        // The client's own header values come before the client's address.
        Case("10.0.0.1", [("X-Forwarded-For", "6.6.6.6, 1.1.1.1")], "1.1.1.1"),
        Case("10.0.0.1", [("X-Forwarded-For", "6.6.6.6"), ("X-Forwarded-For", "1.1.1.1, 10.0.0.2")], "1.1.1.1"),
        // A scalar that joins the comma after it into one character.
        Case("10.0.0.1", [("X-Forwarded-For", "6.6.6.6\u{600}, 1.1.1.1")], "1.1.1.1"),
        Case("10.0.0.1", [("X-Forwarded-For", "6.6.6.6\u{110BD}, 1.1.1.1")], "1.1.1.1"),
        Case("10.0.0.1", [("X-Forwarded-For", "10.0.0.3, 10.0.0.2")], "10.0.0.3"),
        Case("10.0.0.1", [("X-Forwarded-For", "1.1.1.1, garbage")], "10.0.0.1"),
        Case("10.0.0.1", [("X-Forwarded-For", "1.1.1.1, garbage, 10.0.0.2")], "10.0.0.2"),
        Case("10.0.0.1", [("X-Forwarded-For", "1.1.1.1,")], "10.0.0.1"),
        Case("10.0.0.1", [("X-Forwarded-For", "1.1.1.1:4711")], "1.1.1.1"),
        Case("10.0.0.1", [("X-Forwarded-For", "[2001:db8::1]:4711")], "2001:db8::1"),
        Case("10.0.0.1", [("X-Forwarded-For", "2001:DB8::1")], "2001:db8::1"),
        Case("10.0.0.1", [("X-Forwarded-For", "[1.1.1.1]")], "10.0.0.1"),
        Case("10.0.0.1", [("X-Forwarded-For", "1.1.1.1:x")], "10.0.0.1"),
        Case(
            "10.0.0.1",
            [
                ("X-Forwarded-For", "1.1.1.1"), ("X-Forwarded-Proto", "HTTPS"),
                ("X-Forwarded-Host", "shop.example:8443"),
            ],
            "1.1.1.1", "https", "shop.example:8443"),
        Case("10.0.0.1", [("X-Forwarded-Proto", "https")], "10.0.0.1", "https"),
        Case("10.0.0.1", [("X-Forwarded-Proto", "gopher"), ("X-Forwarded-Host", "a b")], "10.0.0.1"),
        // The client's own hop counts, not what it made up.
        Case(
            "10.0.0.1",
            [("X-Forwarded-For", "6.6.6.6, 1.1.1.1, 10.0.0.2"), ("X-Forwarded-Proto", "http, https, http")],
            "1.1.1.1", "https"),
        Case(
            "10.0.0.1", [("X-Forwarded-For", "1.1.1.1, 10.0.0.2"), ("X-Forwarded-Proto", "https")], "1.1.1.1", "https"),
        Case("10.0.0.1", [("Forwarded", "for=1.1.1.1;proto=https;host=h.example")], "1.1.1.1", "https", "h.example"),
        Case("10.0.0.1", [("Forwarded", "For=\"[2001:db8::1]:80\"")], "2001:db8::1"),
        Case("10.0.0.1", [("Forwarded", "for=6.6.6.6, for=1.1.1.1, for=10.0.0.2")], "1.1.1.1"),
        Case("10.0.0.1", [("Forwarded", "for=1.1.1.1, for=_hidden")], "10.0.0.1"),
        Case("10.0.0.1", [("Forwarded", "for=1.1.1.1, for=unknown;proto=https")], "10.0.0.1", "https"),
        Case("10.0.0.1", [("Forwarded", "for=1.1.1.1;for=6.6.6.6")], "10.0.0.1"),
        Case("10.0.0.1", [("Forwarded", "for=\"1.1.1.1, for=6.6.6.6")], "6.6.6.6"),
        Case("10.0.0.1", [("Forwarded", "for=\"1.1.1.1\\\"\"")], "10.0.0.1"),
        // The client's own, whose quotes do not end.
        Case("10.0.0.1", [("Forwarded", "for=\""), ("Forwarded", "for=1.1.1.1;proto=https")], "1.1.1.1", "https"),
        Case("10.0.0.1", [("Forwarded", "for=\"a, for=1.1.1.1;proto=https")], "1.1.1.1", "https"),
        Case("10.0.0.1", [("Forwarded", "for=1.1.1.1;x=\"a,b;c\"")], "1.1.1.1"),
        Case("fd00::1", [("X-Forwarded-For", "1.1.1.1")], "1.1.1.1"),
    ]

    @Test("The client is found behind trusted proxies only", arguments: cases) func resolve(_ test: Case) throws {
        var headers = HTTPFields()
        for (name, value) in test.headers {
            headers.append(HTTPField(name: try #require(HTTPField.Name(name)), value: value))
        }
        var proxies = try TrustedProxies(["10.0.0.0/8", "fd00::/8"])
        if test.headers.contains(where: { $0.0 == "Forwarded" }) { proxies.headers = .forwarded }
        #expect(ClientAddress.resolve(remote: test.remote, headers: headers, trusting: proxies) == test.expected)
    }

    @Test(
        "The family of header fields that the proxies set counts, and the other is ignored",
        arguments: ProxyHeaders.allCases)
    func families(family: ProxyHeaders) throws {
        var proxies = try TrustedProxies(["10.0.0.0/8"])
        proxies.headers = family
        let headers: HTTPFields = [
            .init("Forwarded")!: "for=1.1.1.1;proto=http;host=a.example", .init("X-Forwarded-For")!: "2.2.2.2",
            .init("X-Forwarded-Proto")!: "https", .init("X-Forwarded-Host")!: "b.example",
        ]
        let expected =
            family == .forwarded
            ? ClientAddress(address: "1.1.1.1", scheme: "http", host: "a.example")
            : ClientAddress(address: "2.2.2.2", scheme: "https", host: "b.example")
        #expect(ClientAddress.resolve(remote: "10.0.0.1", headers: headers, trusting: proxies) == expected)
        let other: HTTPFields =
            family == .forwarded
            ? [.init("X-Forwarded-For")!: "2.2.2.2", .init("X-Forwarded-Host")!: "b.example"]
            : [.init("Forwarded")!: "for=1.1.1.1;host=a.example"]
        #expect(
            ClientAddress.resolve(remote: "10.0.0.1", headers: other, trusting: proxies)
                == ClientAddress(address: "10.0.0.1"))
    }

    @Test("Connections from one network are counted together, loopback ones are not") func counting() throws {
        var settings = HTTPServerSettings()
        settings.maximumConnectionsPerAddress = 2
        let log = LogLimiter(logger: LogRecorder().logger, time: SystemTime())
        let counter = ConnectionCounter(settings: settings, log: log)
        let (one, other, local) = try (address("2001:db8::1"), address("2001:db8::2"), address("127.0.0.1"))
        #expect(counter.opened(one) && counter.opened(other) && !counter.opened(one))
        #expect(try counter.opened(address("2001:db8:0:1::1")))
        for _ in 1...5 { #expect(counter.opened(local)) }
        counter.closed(other)
        #expect(counter.opened(one))
        #expect(counter.count == 8)
    }

    private func address(_ text: String) throws -> SocketAddress { try SocketAddress(ipAddress: text, port: 1) }
}
