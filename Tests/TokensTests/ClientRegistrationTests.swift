import Core
import Foundation
import TestSupport
import Testing

@testable import Tokens

@Suite struct ClientRegistrationTests {
    private static let members = [
        "deviceId": "d", "deviceOs": "4", "deviceModel": "m", "applicationId": "a", "applicationVersion": "1",
        "environment": "e",
    ]

    private func csr(_ change: (inout [String: String]) -> Void, key: TestClient = .first) throws -> String {
        var members = Self.members
        change(&members)
        return key.sign(String(decoding: try JSONEncoder().encode(members), as: UTF8.self))
    }

    @Test("The request of a real client is read, and its signature is valid")
    func transcript() throws {
        let request = try ClientRegistrationRequest(csr: Transcript.csr)
        #expect(
            request.client
                == ClientDescription(
                    deviceId: "0a226b83-3614-3dd5-bad4-f3578c8bc3f5", deviceOs: "4.4.2", deviceModel: "JVM",
                    applicationId: "MyApp", applicationVersion: "1.0", environment: "Androidnative"))
        #expect(request.publicKey.modulus.count == 64)
    }

    @Test("A request signed with another key than its own is refused")
    func foreignSignature() {
        let header = #"{"alg":"RS256","jpk":\#(TestClient.second.jpk)}"#
        let payload = #"{"deviceId":"d","applicationId":"a","applicationVersion":"1","environment":"e"}"#
        #expect(throws: TokenError.signature) {
            try ClientRegistrationRequest(csr: TestClient.first.sign(payload, header: header))
        }
    }

    @Test("A changed request is refused")
    func changed() throws {
        let parts = Transcript.csr.split(separator: ".")
        let payload = Data(#"{"deviceId":"another"}"#.utf8)
        #expect(throws: TokenError.signature) {
            try ClientRegistrationRequest(csr: "\(parts[0]).\(Base64URL.encode(payload, isPadded: true)).\(parts[2])")
        }
    }

    @Test("A request without a key is refused")
    func noKey() {
        #expect(throws: TokenError.missing("jpk")) {
            try ClientRegistrationRequest(csr: TestClient.first.sign("{}", header: #"{"alg":"RS256"}"#))
        }
    }

    @Test("A member that is required is named when it is missing or empty", arguments: [nil, ""])
    func missing(value: String?) throws {
        for name in ["deviceId", "applicationId", "applicationVersion", "environment"] {
            let csr = try csr { $0[name] = value }
            #expect(throws: TokenError.missing(name)) { try ClientRegistrationRequest(csr: csr) }
        }
    }

    @Test("The operating system and the model may be missing")
    func optional() throws {
        let csr = try csr {
            $0["deviceOs"] = nil
            $0["deviceModel"] = nil
        }
        #expect(try ClientRegistrationRequest(csr: csr).client.deviceOs == "")
    }

    @Test("A member of 256 bytes is read, a longer one is refused", arguments: ClientRegistrationTests.members.keys)
    func length(name: String) throws {
        let longest = try csr { $0[name] = String(repeating: "é", count: 128) }
        #expect(throws: Never.self) { try ClientRegistrationRequest(csr: longest) }
        let longer = try csr { $0[name] = String(repeating: "é", count: 128) + "x" }
        #expect(throws: TokenError.tooLong(name, limit: 256)) { try ClientRegistrationRequest(csr: longer) }
    }

    @Test("A member with a line break is refused")
    func controlCharacter() throws {
        let csr = try csr { $0["deviceModel"] = "a\nb" }
        #expect(throws: TokenError.malformed("'deviceModel' holds a control character")) {
            try ClientRegistrationRequest(csr: csr)
        }
    }

    @Test("A member that is not a string is refused")
    func wrongType() {
        #expect(throws: TokenError.malformed("the token's 'deviceId' is of the wrong JSON type")) {
            try ClientRegistrationRequest(csr: TestClient.first.sign(#"{"deviceId":7}"#))
        }
    }
}
