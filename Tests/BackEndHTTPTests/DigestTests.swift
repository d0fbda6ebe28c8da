import Testing

@testable import BackEndHTTP

/// The examples of RFC 7616, 3.9.1.
@Suite struct DigestTests {
    @Test(
        "The responses to challenges are those of RFC 7616",
        arguments: [
            ("MD5", "8ca523f5e9506fed4657c9700eebdbec"),
            ("SHA-256", "753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1"),
        ])
    func example(_ algorithm: String, _ response: String) throws {
        let digest = DigestAuthentication(
            username: "Mufasa", password: "Circle of Life",
            makeClientNonce: { "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ" })
        let challenges = Challenge.parse([
            "Digest realm=\"http-auth@example.org\", qop=\"auth, auth-int\", algorithm=\(algorithm), "
                + "nonce=\"7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v\", opaque=\"FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS\""
        ])
        #expect(digest.accept(challenges).isAnswerable)
        let header = try #require(digest.authorization(method: "GET", target: "/dir/index.html"))
        #expect(header.contains("response=\"\(response)\""))
    }
}
