import Testing

@testable import Push

@Suite("The address of a request with an endpoint")
struct ServiceEndpointAddressTests {
    @Test(
        "Scheme, host and port are replaced, path and query stay byte for byte",
        arguments: [
            ("https://fcm.googleapis.com/v1/projects/p/messages:send", "/v1/projects/p/messages:send"),
            ("https://db5.notify.windows.com/?token=Aw%2bYA", "/?token=Aw%2bYA"),
            ("https://db5.notify.windows.com:443/a/b?c=/d", "/a/b?c=/d"),
            ("https://db5.notify.windows.com?token=x", "/?token=x"), ("http://gate", "/"),
        ])
    func replacing(url: String, path: String) throws {
        let endpoint = try #require(ServiceEndpoint("https://localhost:2197"))
        #expect(endpoint.replacingOrigin(of: url) == "https://localhost:2197" + path)
    }

    @Test("An IPv6 address keeps its brackets")
    func v6() throws {
        let endpoint = try #require(ServiceEndpoint("http://[::1]:80"))
        #expect(endpoint.replacingOrigin(of: "https://a/b") == "http://[::1]:80/b")
    }
}
