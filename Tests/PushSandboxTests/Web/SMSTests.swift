import PushSandbox
import TestSupport
import Testing

@Suite("The SMS gateway", .defaultTimeLimit)
struct SMSTests {
    @Test(
        "takes a number and a message under any of the usual names",
        arguments: [
            "to=%2B15551234&text=Hello+%26+welcome", "msisdn=%2B15551234&message=Hello%20%26%20welcome&user=u",
        ])
    func accepts(query: String) async throws {
        try await WebCase.run { web in
            let reply = try await web.send("GET", "http://127.0.0.1:\(web.sandbox.smsPort)/cgi/send?\(query)")
            #expect(reply.status == 200)
            let arrival = try #require(await web.sandbox.waitForArrivals(1, of: .sms).first)
            #expect(arrival.token == "+15551234")
            #expect(String(decoding: arrival.body, as: UTF8.self) == "Hello & welcome")
            #expect(arrival.path == "/cgi/send?\(query)")
        }
    }

    @Test(
        "refuses a request without a number, without a message or with an invalid number",
        arguments: [
            "text=x", "to=12345", "to=home&text=x",
        ])
    func refuses(query: String) async throws {
        try await WebCase.run { web in
            let reply = try await web.send("GET", "http://127.0.0.1:\(web.sandbox.smsPort)/?\(query)")
            #expect(reply.status == 400)
            #expect(web.sandbox.arrivals(of: .sms).first?.isAccepted == false)
        }
    }
}
