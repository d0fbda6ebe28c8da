import Core
import Crypto
import Foundation
import PushModel
import Testing

@testable import Push

@Suite("Encryption of Web Push")
struct WebPushEncryptionTests {
    @Test("The example of RFC 8291, section 5 and appendix A, comes out bit for bit")
    func standard() throws {
        let subscription = try WebPushSubscription(
            """
            {"endpoint":"https://push.example.net/push/JzLQ3raZJfFBR0aqvOMsLrt54w4rJUsV","keys":{
            "p256dh":"BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
            "auth":"BTBZMqHH6r4Tts7J_aSIgg"}}
            """)
        let key = try P256.KeyAgreement.PrivateKey(
            rawRepresentation: Base64URL.decode("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw")!)
        let body = try WebPushEncryption.encrypt(
            "When I grow up, I want to be a watermelon", to: subscription, key: key,
            salt: Base64URL.decode("DGv6ra1nlYgDCS1FRnbzlw")!)
        #expect(
            Base64URL.encode(body)
                == "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6Tlz"
                + "AC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN")
    }

    @Test(
        "A browser reads what was written for it",
        arguments: ["", "{}", "Grüße 👋", String(repeating: "x", count: 3993)])
    func roundTrip(text: String) throws {
        let browser = BrowserDouble()
        let body = try WebPushEncryption.encrypt(text, to: browser.subscription())
        #expect(try browser.read(body) == text)
        #expect(body.count == text.utf8.count + 103)
    }

    @Test("Each message has its own key and salt")
    func fresh() throws {
        let browser = BrowserDouble()
        let bodies = try (0..<2).map { _ in try WebPushEncryption.encrypt("x", to: browser.subscription()) }
        #expect(bodies[0].prefix(16) != bodies[1].prefix(16))
        #expect(bodies[0][21..<86] != bodies[1][21..<86])
    }

    @Test("Another browser cannot read it")
    func other() throws {
        let body = try WebPushEncryption.encrypt("x", to: BrowserDouble().subscription())
        #expect(throws: (any Error).self) { try BrowserDouble().read(body) }
    }
}
