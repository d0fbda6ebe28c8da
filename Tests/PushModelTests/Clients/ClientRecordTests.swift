import Core
import Foundation
import PushModel
import Testing

@Suite("Preferences and OAuth clients as values")
struct ClientRecordTests {
    private func client(
        id: String = "c", model: String = "", modulus: Int = 65, certificate: Int = 300, used: Date? = nil
    ) throws(ClientValueError) -> OAuthClientRecord {
        try OAuthClientRecord(
            clientID: id, applicationID: "Reader", applicationVersion: "1.0", environment: "android", deviceID: "d",
            deviceModel: model,
            publicKey: OAuthClientRecord.PublicKey(modulus: Data(count: modulus), exponent: Data([1, 0, 1])),
            certificate: Data(count: certificate), registeredAt: Date(timeIntervalSince1970: 5), lastUsedAt: used)
    }

    @Test("A key and a value at their limits are kept")
    func preferenceAtLimit() throws {
        let key = String(repeating: "k", count: 256)
        let value = String(repeating: "€", count: 2730) + "vv"
        let preference = try Preference(key: key, value: value)
        #expect(preference.key == key)
        #expect(preference.value == value)
    }

    @Test("A key or value beyond its limit is refused, and the limit is named")
    func preferenceBeyondLimit() {
        let tooLong = #expect(throws: ClientValueError.self) {
            try Preference(key: String(repeating: "k", count: 257), value: "")
        }
        #expect(
            tooLong?.description == "key: expected 1 to 256 bytes of UTF-8 without a NUL character, found 257 bytes")
        let value = #expect(throws: ClientValueError.self) {
            try Preference(key: "k", value: String(repeating: "v", count: 8193))
        }
        #expect(value?.field == "value")
        #expect(value?.expected.contains("8192 bytes") == true)
        #expect(throws: ClientValueError.self) { try Preference(key: "", value: "v") }
        #expect(throws: ClientValueError.self) { try Preference(key: "k", value: "\u{0}") }
    }

    @Test("An owner without a name is refused")
    func owner() {
        let error = #expect(throws: ClientValueError.self) {
            try PreferenceOwner(applicationID: "Reader", kind: .device, name: "")
        }
        #expect(error?.field == "device")
    }

    @Test("A client that was never used was used when it registered")
    func lastUse() throws {
        #expect(try client().lastUsedAt == Date(timeIntervalSince1970: 5))
        #expect(try client(used: Date(timeIntervalSince1970: 9)).lastUsedAt == Date(timeIntervalSince1970: 9))
    }

    @Test("A client's parts are bounded, and the error names the part")
    func client() throws {
        let long = String(repeating: "x", count: 257)
        let errors = [
            #expect(throws: ClientValueError.self) { try client(id: "") },
            #expect(throws: ClientValueError.self) { try client(id: long) },
            #expect(throws: ClientValueError.self) { try client(model: long) },
            #expect(throws: ClientValueError.self) { try client(modulus: 0) },
            #expect(throws: ClientValueError.self) { try client(modulus: 2050) },
            #expect(throws: ClientValueError.self) { try client(certificate: 16_385) },
        ]
        #expect(
            errors.map { $0?.field } == ["clientID", "clientID", "deviceModel", "modulus", "modulus", "certificate"])
        #expect(errors.last??.description == "certificate: expected 1 to 16384 bytes, found 16385 bytes")
        #expect(throws: Never.self) { try client(modulus: 2049, certificate: 16_384) }
    }
}
