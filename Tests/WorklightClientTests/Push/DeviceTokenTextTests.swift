import Foundation
import Testing

@testable import WorklightClient

@Suite("Device tokens as applications have them")
struct DeviceTokenTextTests {
    @Test(
        "reads a token from both forms of NSData's description and from a plain string",
        arguments: [
            ("<00112233 aabbccdd>", "00112233aabbccdd"), (" 0011aabb ", "0011aabb"),
            ("{length = 4, bytes = 0x0011aabb}", "0011aabb"), ("APA91b-token:x_y", "APA91b-token:x_y"),
        ])
    func forms(text: String, token: String) throws {
        #expect(try DeviceTokenText.token(in: text) == token)
    }

    @Test(
        "rejects the description of a Swift Data, a truncated description and an empty string",
        arguments: [
            ("32 bytes", "Data itself"), ("{length = 32, bytes = 0x00112233 44556677 ... 8899aabb }", "truncated"),
            ("", "empty"), ("<>", "empty"),
        ])
    func wrong(text: String, hint: String) {
        let problem = #expect(throws: DeviceTokenText.DeviceTokenTextError.self) { try DeviceTokenText.token(in: text) }
        #expect(problem?.description.contains(hint) == true)
    }

    @Test("Bytes become lower-case digits")
    func data() {
        #expect(DeviceTokenText.token(Data([0, 10, 255])) == "000aff")
    }
}
