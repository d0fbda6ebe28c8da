import Core
import Push
import PushModel
import TestSupport
import Testing

@Suite("The request to an SMS gateway")
struct SMSRequestTests {
    private let gateway = SMSGateway(
        id: "gate", hostname: "sms.example", port: 8080, programName: "/cgi/sendsms", toParamName: "dest",
        textParamName: "msg",
        parameters: [
            .init(name: "user", value: "a&b"), .init(name: "pass", value: "s%20t", encode: false),
        ])

    private func requests(
        _ options: JSONValue, to number: String = "0049 170 1", gateways: [SMSGateway]? = nil
    ) throws -> [PushRequest] {
        try PushRequestBuilder(settings: PushServiceSettings(smsGateways: gateways ?? [gateway]))
            .requests(for: smsDelivery(options, to: number), now: ManualTime.start)
    }

    private func refusal(_ options: JSONValue, gateways: [SMSGateway]? = nil) -> String? {
        #expect(throws: PushRequestError.self) { try requests(options, gateways: gateways) }?.reason
    }

    @Test("sends one GET with the number and the message in the query")
    func request() throws {
        #expect(
            try requests(["SMS": ["text": "Hi & ü?"]]) == [
                PushRequest(
                    service: .sms, method: "GET",
                    url: "http://sms.example:8080/cgi/sendsms?dest=%2B491701&msg=Hi%20%26%20%C3%BC%3F", headers: [],
                    body: "")
            ])
    }

    @Test("A gateway's defaults are port 80, the root path and the usual parameters")
    func defaults() throws {
        let url = try requests(["SMS": ["text": "Hi"]], to: "12345", gateways: [SMSGateway(id: "gate", hostname: "h")])
        #expect(url.map(\.url) == ["http://h/?to=12345&text=Hi"])
    }

    @Test("uses TLS at port 443")
    func tls() throws {
        let gateway = SMSGateway(id: "gate", hostname: "h", port: 443)
        #expect(try requests(["SMS": ["text": "Hi"]], gateways: [gateway]).first?.url.hasPrefix("https://h/?") == true)
    }

    @Test("The gateway's own parameters, which may hold a password, are not in the request; the transport adds them")
    func parameters() throws {
        let url = try #require(try requests(["SMS": ["text": "Hi"]]).first?.url)
        #expect(!url.contains("user"))
        #expect(gateway.addingParameters(to: url) == url + "&user=a%26b&pass=s%20t")
    }

    @Test("A message of 160 characters is sent, a longer one is refused and not cut", arguments: ["x", "é", "🪔"])
    func length(character: String) throws {
        let count = 160 / character.utf16.count
        let text = String(repeating: character, count: count)
        #expect(try requests(["SMS": ["text": .string(text)]]).count == 1)
        #expect(
            refusal(["SMS": ["text": .string(text + "!")]])
                == "SMS.text: expected at most 160 characters, found 161; shorten it or notify twice")
    }

    @Test(
        "A notification without a message for phones is refused",
        arguments: [["GCM": ["alert": "Hi"]], ["SMS": [:]], ["SMS": ["text": ""]], ["alert": "Hi"]] as [JSONValue])
    func noText(options: JSONValue) {
        #expect(
            refusal(options)
                == "the notification has no 'SMS.text', the message for phone numbers")
    }

    @Test(
        "The flat form's message is taken", arguments: [["text": "Hi"], ["text": "Hi", "alert": "no"]] as [JSONValue])
    func flat(options: JSONValue) throws {
        #expect(try requests(options).first?.url.hasSuffix("&msg=Hi") == true)
    }

    @Test("A gateway that is not configured is refused, naming those that are")
    func unknownGateway() {
        let options: JSONValue = ["SMS": ["text": "Hi"]]
        #expect(
            refusal(options, gateways: [SMSGateway(id: "b", hostname: "h"), SMSGateway(id: "a", hostname: "h")])
                == "there is no SMS gateway 'gate': expected one of 'a', 'b' of SMSConfig.xml, which has these; add it there"
        )
        #expect(
            refusal(options, gateways: [])
                == "there is no SMS gateway 'gate': expected one of SMSConfig.xml, which has none; add it there")
    }

    @Test("Malformed options are refused with the key")
    func malformed() {
        #expect(
            refusal(["SMS": ["text": true]])
                == "the notification's options are malformed: SMS.text: expected a string, got true")
    }
}
