import Testing

@testable import Push

@Suite("An SMS gateway's address")
struct SMSAddressTests {
    @Test(
        "is split into scheme, host and target",
        arguments: [
            ("http://gate/send?to=%2B49&text=a%20b", false, "gate", "/send?to=%2B49&text=a%20b"),
            ("https://gate:8443/x?y", true, "gate:8443", "/x?y"), ("http://[::1]:80?to=1", false, "[::1]:80", "/?to=1"),
        ])
    func parts(url: String, isSecure: Bool, authority: String, target: String) throws {
        let address = try #require(SMSAddress(url))
        #expect(address.isSecure == isSecure)
        #expect(address.authority == authority)
        #expect(address.target == target)
    }

    @Test(
        "Characters that are invalid in a request line are encoded, and encoded ones stay",
        arguments: [
            ("/s?p=a b", "/s?p=a%20b"), ("/s?p=a\r\nHost: x", "/s?p=a%0D%0AHost:%20x"), ("/s?p=ü", "/s?p=%C3%BC"),
            ("/s?p=%zz#y", "/s?p=%zz%23y"),
        ])
    func encoding(target: String, expected: String) throws {
        #expect(try #require(SMSAddress("http://gate" + target)).target == expected)
    }

    @Test(
        "An invalid address is nil",
        arguments: [
            "", "gate/send", "ftp://gate/", "http:///send", "http://user@gate/", "http://ga te/", "http://g\r\n/",
        ])
    func none(url: String) {
        #expect(SMSAddress(url) == nil)
    }
}
