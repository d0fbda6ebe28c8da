import Authentication
import Core
import Testing

@Suite("A device's challenge response")
struct DeviceAnswerTests {
    @Test("reads the token and the device of a complete challenge response")
    func whole() throws {
        let answer = try DeviceAnswer([
            "ID": [
                "token": "t", "app": ["id": "App"],
                "device": ["id": "d", "os": "4.4", "model": "M", "environment": "Android"],
            ]
        ])
        #expect(answer.token == "t")
        #expect(answer.device == Device(id: "d", os: "4.4", model: "M", environment: "Android"))
        #expect(answer.device.identity["deviceId"] == "d")
        #expect(answer.device.identity["device"]?["model"] == "M")
    }

    @Test("Only the device's id must be there")
    func least() throws {
        let answer = try DeviceAnswer(["ID": ["token": "t", "device": ["id": "d", "os": 4]]])
        #expect(answer.device == Device(id: "d"))
    }

    @Test(
        "A challenge response that lacks something, or has too much, is refused with the reason",
        arguments: [
            ("1", "the challenge response has no 'ID'"), ("{}", "the challenge response has no 'ID'"),
            (#"{"ID":"x"}"#, "bad token"),
            (#"{"ID":{"device":{"id":"d"}}}"#, "bad token"), (#"{"ID":{"token":1,"device":{"id":"d"}}}"#, "bad token"),
            (#"{"ID":{"token":"t"}}"#, "the challenge response has no 'device'"),
            (#"{"ID":{"token":"t","device":"d"}}"#, "the challenge response has no 'device'"),
            (#"{"ID":{"token":"t","device":{}}}"#, "the device has no 'id'"),
            (#"{"ID":{"token":"t","device":{"id":""}}}"#, "the device has no 'id'"),
            (#"{"ID":{"token":"t","device":{"id":1}}}"#, "the device has no 'id'"),
            (#"{"ID":{"token":"t","device":{"id":"a\u0000b"}}}"#, "the device's 'id' has control characters"),
            (#"{"ID":{"token":"t","device":{"id":"a\r\nb"}}}"#, "the device's 'id' has control characters"),
            (
                #"{"ID":{"token":"t","device":{"id":"d","model":"\u007f"}}}"#,
                "the device's 'model' has control characters"
            ),
            (
                #"{"ID":{"token":"t","device":{"id":"\#(String(repeating: "x", count: 257))"}}}"#,
                "the device's 'id' is longer than 256 bytes"
            ),
        ])
    func refused(text: String, reason: String) throws {
        let value = try JSONValue(parsing: text)
        let error = #expect(throws: ChallengeError.self) { try DeviceAnswer(value) }
        #expect(error == ChallengeError(realm: .deviceNoProvisioning, reason: reason))
    }

    @Test("256 bytes are not too long")
    func longest() throws {
        let id = String(repeating: "é", count: 128)
        #expect(try DeviceAnswer(["ID": ["token": "t", "device": ["id": .string(id)]]]).device.id == id)
    }
}
