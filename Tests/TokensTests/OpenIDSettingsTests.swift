import Foundation
import Testing

@testable import Tokens

@Suite struct OpenIDSettingsTests {
    @Test(
        "An issuer by https, or on this machine, is accepted",
        arguments: [
            "https://login.example.com", "https://login.example.com/tenant/", "http://localhost:8080",
            "http://127.0.0.1", "http://127.9.9.9:80/x", "http://[::1]:8080",
        ])
    func goodIssuer(issuer: String) {
        #expect(throws: Never.self) { try OpenIDSettings(issuer: issuer, audiences: ["a"]) }
    }

    @Test(
        "Any other issuer is refused",
        arguments: [
            "", "login.example.com", "http://login.example.com", "http://127.0.0.1.example.com", "http://127.0.0",
            "http://localhost.example.com", "ftp://localhost", "https://", "https://a.example/?x",
            "https://a.example/#x",
            "https://user:password@a.example", "http://localhost@a.example", "file:///etc/passwd",
        ])
    func badIssuer(issuer: String) {
        let error = #expect(throws: OpenIDSettingsError.self) {
            try OpenIDSettings(issuer: issuer, audiences: ["a"])
        }
        #expect(error?.setting == "issuer")
        #expect(error?.value == issuer)
    }

    @Test("A key set's address is held to the same rules")
    func jwksURL() {
        let error = #expect(throws: OpenIDSettingsError.self) {
            try OpenIDSettings(issuer: "https://a.example", audiences: ["a"], jwksURL: "http://a.example/keys")
        }
        #expect(error?.setting == "jwksURL")
    }

    @Test("The settings need at least one audience, and none may be empty", arguments: [[], [""], ["a", ""]])
    func audiences(audiences: [String]) {
        let error = #expect(throws: OpenIDSettingsError.self) {
            try OpenIDSettings(issuer: "https://a.example", audiences: audiences)
        }
        #expect(error?.setting == "audience")
    }

    @Test(
        "The discovery document is below the issuer's path", arguments: ["https://a.example/b", "https://a.example/b/"])
    func discovery(issuer: String) throws {
        let settings = try OpenIDSettings(issuer: issuer, audiences: ["a"])
        #expect(settings.discoveryURL?.absoluteString == "https://a.example/b/.well-known/openid-configuration")
    }

    @Test("A clock skew below zero or above ten minutes is refused", arguments: [-1, 601])
    func skew(seconds: Int) {
        #expect(throws: OpenIDSettingsError.self) {
            try OpenIDSettings(issuer: "https://a.example", audiences: ["a"], clockSkew: .seconds(seconds))
        }
    }
}
