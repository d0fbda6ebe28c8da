import Testing

@testable import Push

@Suite("WNS's credential")
struct WNSCredentialTests {
    @Test("neither describes nor prints the secret")
    func description() throws {
        let credential = try WNSCredential(
            packageSID: "ms-app://s-1-15-2-3", clientSecret: "s3cr3t", source: "lamplighter.yaml")
        #expect("\(credential)" == "ms-app://s-1-15-2-3")
        var printed = ""
        dump(credential, to: &printed)
        #expect(!printed.contains("s3cr3t"))
    }

    @Test(
        "A missing or wrong value is named",
        arguments: [
            ("", "x", "packageSID", "it is missing"), ("s-1-15", "x", "packageSID", "expected a value like ms-app://"),
            ("ms-app://", "x", "packageSID", "expected a value like ms-app://"),
            ("ms-app://a b", "x", "packageSID", "expected a value like ms-app://"),
            ("ms-app://s-1", "", "clientSecret", "it is missing or empty"),
        ])
    func wrong(sid: String, secret: String, field: String, problem: String) {
        let error = #expect(throws: CredentialError.self) {
            try WNSCredential(packageSID: sid, clientSecret: secret, source: "lamplighter.yaml")
        }
        #expect(error?.field == field)
        #expect(error?.problem.hasPrefix(problem) == true)
        #expect(error?.source == "lamplighter.yaml")
    }
}
