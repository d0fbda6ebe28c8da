import PushModel
import Testing

@Suite("Phone numbers")
struct PhoneNumberTests {
    @Test(
        "Spellings of one number are equal",
        arguments: ["+49 (170) 123-45.67", "0049 170/1234567", " +491701234567\n", "00491701234567"])
    func equal(text: String) throws {
        let number = try PhoneNumber(text)
        #expect(number == (try PhoneNumber("+491701234567")))
        #expect(number.hashValue == (try PhoneNumber("+491701234567")).hashValue)
        #expect(number.dialled == "+491701234567")
    }

    @Test("The spelling is kept, without blanks around it")
    func text() throws {
        #expect(try PhoneNumber(" 0170 / 12 34 ").text == "0170 / 12 34")
    }

    @Test("A number without the country's is dialled as it is and equals no other")
    func national() throws {
        #expect(try PhoneNumber("0170-1234567").dialled == "01701234567")
        #expect(try PhoneNumber("0170-1234567") != PhoneNumber("+491701234567"))
    }

    @Test(
        "An invalid number is refused, and never quoted",
        arguments: [
            ("", "it has 0 digits, 3 to 20 are expected"), ("12", "it has 2 digits, 3 to 20 are expected"),
            ("123456789012345678901", "it has 21 digits, 3 to 20 are expected"),
            ("0012", "it has 2 digits, 3 to 20 are expected"),
            (
                "12+3456",
                "it holds something other than digits, blanks and - ( ) . /, with a + at most at its start"
            ),
            ("ann", "it holds something other than digits, blanks and - ( ) . /, with a + at most at its start"),
            ("٣٣٣٣", "it holds something other than digits, blanks and - ( ) . /, with a + at most at its start"),
        ])
    func refused(text: String, reason: String) {
        #expect(throws: PhoneNumberError.self) { try PhoneNumber(text) }
        do { _ = try PhoneNumber(text) } catch { #expect(error.description == "not a phone number: \(reason)") }
    }

    @Test("A log shows only the last digits")
    func description() throws {
        #expect(try "\(PhoneNumber("+491701234567"))" == "…567")
        #expect(try "\(PhoneNumber("12345"))" == "…")
    }

    @Test("An SMS subscription belongs to the number itself unless it names a user")
    func user() throws {
        let number = try PhoneNumber("0049 170 1")
        let source = EventSourceID(adapter: "A", name: "E")
        #expect(SMSSubscription(eventSource: source, phoneNumber: number, gatewayID: "g").userID == "+491701")
        #expect(
            SMSSubscription(eventSource: source, phoneNumber: number, gatewayID: "g", userID: "ann").userID == "ann")
    }
}
