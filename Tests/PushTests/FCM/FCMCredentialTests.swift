import Foundation
import TestSupport
import Testing

@testable import Push

@Suite("FCM's credential")
struct FCMCredentialTests {
    /// A service account with other fields.
    private static func json(_ changes: [String: Any?] = [:]) throws -> String {
        var fields: [String: Any] = [
            "type": "service_account", "project_id": "news-1234", "private_key_id": "k1",
            "private_key": try FCMSample.privateKey(),
            "client_email": "push@news-1234.iam.gserviceaccount.com",
            "token_uri": "https://oauth2.googleapis.com/token", "universe_domain": "googleapis.com",
        ]
        for (field, value) in changes { fields[field] = value }
        return String(decoding: try JSONSerialization.data(withJSONObject: fields), as: UTF8.self)
    }

    @Test("Google's file is read")
    func whole() throws {
        let folder = try TemporaryFolder(["account.json": try Self.json()])
        let credential = try FCMCredential(file: folder.url.appending(path: "account.json"))
        #expect(credential.projectID == "news-1234")
        #expect(credential.clientEmail == "push@news-1234.iam.gserviceaccount.com")
        #expect(credential.keyID == "k1")
    }

    @Test("The description shows the account and not the key")
    func description() throws {
        let credential = try FCMCredential(json: try Self.json(), source: "test")
        #expect("\(credential)" == "push@news-1234.iam.gserviceaccount.com for news-1234")
    }

    @Test("names a missing file")
    func missingFile() {
        let error = #expect(throws: CredentialError.self) {
            try FCMCredential(file: URL(filePath: "/nowhere/account.json"))
        }
        #expect(error?.source == "/nowhere/account.json")
    }

    @Test("A file that is not a JSON object is refused", arguments: ["", "{", "[]", "\"text\""])
    func noObject(json: String) {
        let error = #expect(throws: CredentialError.self) { try FCMCredential(json: json, source: "account.json") }
        #expect(error?.description.hasPrefix("account.json: expected") == true)
    }

    @Test(
        "A field that is missing, empty or no string is named",
        arguments: ["type", "project_id", "private_key", "client_email", "token_uri"], ["", nil, "7"])
    func field(name: String, value: String?) throws {
        let text = try Self.json([name: value == "7" ? 7 : value])
        let error = #expect(throws: CredentialError.self) { try FCMCredential(json: text, source: "account.json") }
        #expect(error?.field == name)
        #expect(
            error?.problem
                == (value == "7"
                    ? "expected a string, found a number" : "it is missing or empty; use the file as Google made it"))
    }

    @Test(
        "An invalid field is named, with the expected value",
        arguments: [
            ("type", "authorized_user", "expected \"service_account\", found \"authorized_user\""),
            ("project_id", "News 1234", "expected the id of a Firebase project"),
            ("project_id", "a/../b", "expected the id of a Firebase project"),
            ("client_email", "push", "expected an address like"),
            ("token_uri", "http://oauth2.googleapis.com/token", "expected an https address"),
            ("token_uri", "https://", "expected an https address"),
            ("private_key", "s3cr3t", "expected an RSA key of at least 2048 bits"),
        ])
    func wrong(name: String, value: String, problem: String) throws {
        let text = try Self.json([name: value])
        let error = #expect(throws: CredentialError.self) { try FCMCredential(json: text, source: "account.json") }
        #expect(error?.field == name)
        #expect(error?.problem.hasPrefix(problem) == true)
        #expect(error?.description.contains("s3cr3t") == false)
    }

    @Test("A key of another kind is refused")
    func otherKey() throws {
        let text = try Self.json(["private_key": try FCMSample.ellipticKey()])
        let error = #expect(throws: CredentialError.self) { try FCMCredential(json: text, source: "account.json") }
        #expect(error?.field == "private_key")
    }
}
