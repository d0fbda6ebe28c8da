import Foundation
import Testing

@testable import Push

@Suite("Addresses that a page's endpoint may lead to")
struct PublicAddressTests {
    private func bytes(_ text: String) throws -> [UInt8] {
        var v4 = [UInt8](repeating: 0, count: 4)
        if inet_pton(AF_INET, text, &v4) == 1 { return v4 }
        var v6 = [UInt8](repeating: 0, count: 16)
        try #require(inet_pton(AF_INET6, text, &v6) == 1)
        return v6
    }

    @Test(
        "Public ones are let through",
        arguments: [
            "8.8.8.8", "142.250.184.202", "100.63.255.255", "100.128.0.1", "172.15.0.1", "172.32.0.1", "192.167.1.1",
            "198.17.0.1", "198.20.0.1", "223.255.255.255", "2a00:1450:4001:80b::200a", "2620:149:a44::1",
            "2001:4860::1",
            "64:ff9b::808:808",
        ])
    func letThrough(text: String) throws {
        #expect(PublicAddress.contains(try bytes(text)))
    }

    @Test(
        "exclude this machine, private networks, groups and other special uses",
        arguments: [
            "0.0.0.0", "0.1.2.3", "10.0.0.1", "10.255.255.255", "100.64.0.1", "100.127.255.255", "127.0.0.1",
            "127.255.255.254", "168.63.129.16", "169.254.169.254", "172.16.0.1", "172.31.255.255", "192.0.0.170",
            "192.0.2.1",
            "192.88.99.1", "192.168.1.1", "198.18.0.1", "198.19.255.255", "198.51.100.1", "203.0.113.1", "224.0.0.1",
            "239.255.255.255", "240.0.0.1", "255.255.255.255", "::", "::1", "::7f00:1", "::ffff:127.0.0.1",
            "::ffff:8.8.8.8", "fe80::1", "fec0::1", "fc00::1", "fd12:3456::1", "ff02::1", "2001:db8::1", "2001::1",
            "2001:20::1", "2002:7f00:1::", "3fff::1", "64:ff9b::127.0.0.1", "64:ff9b::10.0.0.1", "64:ff9b:1::1",
            "100::1",
            "5f00::1",
        ])
    func refused(text: String) throws {
        #expect(!PublicAddress.contains(try bytes(text)))
    }
}
