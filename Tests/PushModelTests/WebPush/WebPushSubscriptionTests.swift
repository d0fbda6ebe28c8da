import Core
import PushModel
import Testing

private let auth = "BTBZMqHH6r4Tts7J_aSIgg"
private let p256dh = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"

private func json(_ endpoint: String = "https://push.example.com/p/1", auth: String = auth, p256dh: String = p256dh)
    -> String
{
    #"{"endpoint":"\#(endpoint)","expirationTime":null,"keys":{"p256dh":"\#(p256dh)","auth":"\#(auth)"}}"#
}

@Suite("Subscriptions of web pages")
struct WebPushSubscriptionTests {
    /// Returns why a string is refused; nil when it is not.
    private func refusal(_ text: String) -> String? {
        do {
            _ = try DeviceToken(text, platform: .web)
            return nil
        } catch {
            return error.reason
        }
    }

    @Test(
        "A browser's subscription is kept in one normal form",
        arguments: [
            json(), json("HTTPS://Push.Example.COM:443/p/1"), json(auth: "BTBZMqHH6r4Tts7J/aSIgg=="),
            " { \"keys\" : {\"auth\":\"\(auth)\",\"p256dh\":\"\(p256dh)=\"},\"endpoint\":\"https://push.example.com/p/1\"}",
        ])
    func normalForm(text: String) throws {
        #expect(
            try DeviceToken(text, platform: .web).value
                == #"{"endpoint":"https://push.example.com/p/1","keys":{"auth":"\#(auth)","p256dh":"\#(p256dh)"}}"#)
    }

    @Test(
        "An endpoint's path, query and other port stay as they are",
        arguments: [
            ("https://push.example.com", "https://push.example.com/"),
            ("https://push.example.com?a=b", "https://push.example.com/?a=b"),
            ("https://push.example.com:8443/A/%2F?x=Y:1@z", "https://push.example.com:8443/A/%2F?x=Y:1@z"),
        ])
    func endpoint(text: String, url: String) throws {
        #expect(try WebPushEndpoint(text).url == url)
    }

    @Test(
        "A service's origin is the part before the path",
        arguments: [
            ("https://a.example/x", "https://a.example"), ("https://a.example:444/x", "https://a.example:444"),
        ])
    func origin(text: String, origin: String) throws {
        #expect(try WebPushEndpoint(text).origin == origin)
    }

    @Test(
        "An endpoint that is not an https address at a public name is refused with the reason",
        arguments: [
            ("http://push.example.com/", "the endpoint is not an https address of at most 2048 bytes"),
            ("https://push.example.com/ä", "the endpoint is not an https address of at most 2048 bytes"),
            (#"https://push.example.com\\@x/"#, "the endpoint is not an https address of at most 2048 bytes"),
            (
                "https://push.example.com/" + String(repeating: "a", count: 2048),
                "the endpoint is not an https address of at most 2048 bytes"
            ),
            ("https://push.example.com/#x", "the endpoint has a fragment"),
            ("https://ann@push.example.com/", "the endpoint has user information before its host"),
            ("https://push.example.com:0/", "the endpoint's port is not a number from 1 to 65535"),
            ("https://push.example.com:99999/", "the endpoint's port is not a number from 1 to 65535"),
            ("https://push.example.com:/", "the endpoint's port is not a number from 1 to 65535"),
            ("https:///x", "the endpoint's host is not a name"), ("https://a..b/", "the endpoint's host is not a name"),
            ("https://push.example.com./", "the endpoint's host is not a name"),
            ("https://a_b.example/", "the endpoint's host is not a name"),
            ("https://%6cocalhost/", "the endpoint's host is not a name"),
            ("https://127.0.0.1/", "the endpoint's host is an IP address, a name is expected"),
            ("https://8.8.8.8/", "the endpoint's host is an IP address, a name is expected"),
            ("https://127.1/", "the endpoint's host is an IP address, a name is expected"),
            ("https://2130706433/", "the endpoint's host is an IP address, a name is expected"),
            ("https://a.0x7f000001/", "the endpoint's host is an IP address, a name is expected"),
            ("https://[::1]/", "the endpoint's host is an IP address, a name is expected"),
            ("https://intranet/", "the endpoint's host is a name of a private network, a public one is expected"),
            ("https://localhost/", "the endpoint's host is a name of a private network, a public one is expected"),
            ("https://x.LOCALHOST/", "the endpoint's host is a name of a private network, a public one is expected"),
            ("https://printer.local/", "the endpoint's host is a name of a private network, a public one is expected"),
            (
                "https://metadata.google.internal/",
                "the endpoint's host is a name of a private network, a public one is expected"
            ),
            ("https://a.home.arpa/", "the endpoint's host is a name of a private network, a public one is expected"),
        ])
    func badEndpoint(endpoint: String, reason: String) {
        #expect(refusal(json(endpoint)) == reason)
    }

    @Test(
        "Keys that no browser makes are refused with the reason",
        arguments: [
            (json(auth: ""), "keys.auth has 0 bytes, 16 are expected"),
            (json(auth: "AAAA"), "keys.auth has 3 bytes, 16 are expected"),
            (json(auth: "!"), "keys.auth is not Base64"),
            (json(p256dh: auth), "keys.p256dh has 16 bytes, 65 are expected"),
            // The last byte of the point changed: off the curve.
            (json(p256dh: p256dh.dropLast() + "8"), "keys.p256dh is not a point on P-256 in uncompressed form"),
            (
                json(p256dh: "B" + String(repeating: "A", count: 86)),
                "keys.p256dh is not a point on P-256 in uncompressed form"
            ),
        ])
    func badKeys(text: String, reason: String) {
        #expect(refusal(text) == reason)
    }

    @Test(
        "An invalid subscription is refused with its missing part",
        arguments: [
            ("", "it is not JSON of at most 8192 bytes"), ("[]", "it has no endpoint"),
            (#"{"endpoint":"https://a.example/"}"#, "it has no keys.p256dh"),
            (String(repeating: " ", count: 9000) + "{}", "it is not JSON of at most 8192 bytes"),
        ])
    func missing(text: String, reason: String) {
        #expect(refusal(text) == reason + #"; expected {"endpoint":"https://…","keys":{"p256dh":"…","auth":"…"}}"#)
    }

    @Test("The description of a subscription is its service and the endpoint's end, and none of the keys")
    func description() throws {
        let token = try DeviceToken(json("https://push.example.com/send/a-long-secret-of-the-page"), platform: .web)
        #expect("\(token)" == "push.example.com/…page")
        #expect(try "\(DeviceToken(json(), platform: .web))" == "push.example.com/…")
    }

    @Test("The browser's id depends on the endpoint alone")
    func deviceID() throws {
        let (one, other) = (
            try WebPushSubscription(json()), try WebPushSubscription(json(auth: "AAAAAAAAAAAAAAAAAAAAAA"))
        )
        #expect(one.deviceID == other.deviceID)
        #expect(one.deviceID.hasPrefix("web-") && one.deviceID.count == 36)
        #expect(try WebPushSubscription(json("https://push.example.com/p/2")).deviceID != one.deviceID)
    }

    @Test("The platform is found by its names", arguments: ["Web", "web", "WebPush"])
    func platform(name: String) {
        #expect(Platform(name) == .web)
    }
}
