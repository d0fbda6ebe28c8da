import Core
import Foundation
import PushModel
import Testing

@Suite("A rule for a version of an application")
struct ApplicationRuleTests {
    private let noon = Date(timeIntervalSince1970: 1_700_000_000.75)

    private func rule(
        application: String = "Reader", environment: String = "android", access: ApplicationRule.Access = .notify,
        message: String? = "Hi", link: String? = nil, checksum: Int? = nil, messageID: String? = nil,
        at date: Date? = nil
    ) throws(ClientValueError) -> ApplicationRule {
        try ApplicationRule(
            applicationID: application, environment: environment, version: "1.0", access: access, message: message,
            downloadLink: link, checksum: checksum, messageID: messageID, updatedAt: date ?? noon)
    }

    @Test("The environment is compared without its case")
    func environment() throws {
        #expect(try rule(environment: "iOSNative") == rule(environment: "IOSnative"))
        #expect(try rule(environment: "iOSNative").environment == "iosnative")
    }

    @Test("A new message's id is the time in milliseconds, as a number that JavaScript holds")
    func messageID() throws {
        #expect(try rule().messageID == "1700000000750")
        #expect(try rule(at: Date(timeIntervalSince1970: -5)).messageID == "0")
        #expect(try rule(at: .distantFuture).messageID == "64092211200000")
        #expect(try rule(at: Date(timeIntervalSince1970: .infinity)).messageID == "999999999999999")
        #expect(try rule(at: Date(timeIntervalSince1970: .nan)).messageID == "0")
    }

    @Test(
        "An empty message for the user is refused for notify and disabled",
        arguments: [ApplicationRule.Access.notify, .disabled], [nil, " \n\u{A0}"])
    func messageNeeded(access: ApplicationRule.Access, message: String?) throws {
        let error = #expect(throws: ClientValueError.self) { try rule(access: access, message: message) }
        #expect(
            error?.description
                == "message: expected a message for the user, because access is \(access.rawValue), found none")
        #expect(try rule(access: .active, message: message).message == message)
    }

    @Test("Empty or too long strings, or a NUL character, are refused with part and limit, unquoted")
    func texts() throws {
        let long = String(repeating: "€", count: 86)
        let errors = [
            #expect(throws: ClientValueError.self) { try rule(application: "") },
            #expect(throws: ClientValueError.self) { try rule(application: long) },
            #expect(throws: ClientValueError.self) { try rule(environment: "a\u{0}") },
            #expect(throws: ClientValueError.self) { try rule(message: String(repeating: "x", count: 4097)) },
            #expect(throws: ClientValueError.self) { try rule(link: String(repeating: "x", count: 2049)) },
        ]
        let (name, expected) = ("1 to 256 bytes of UTF-8", "of UTF-8 without a NUL character")
        #expect(
            errors.map { $0?.description } == [
                "applicationID: expected \(name) without a NUL character, found 0 bytes",
                "applicationID: expected \(name) without a NUL character, found 258 bytes",
                "environment: expected \(name) without a NUL character, found a NUL character",
                "message: expected 1 to 4096 bytes \(expected), found 4097 bytes",
                "downloadLink: expected 1 to 2048 bytes \(expected), found 2049 bytes",
            ])
        #expect(throws: Never.self) {
            try rule(application: String(long.dropLast()), message: String(repeating: "x", count: 4096))
        }
    }

    @Test("A checksum is a number that JavaScript holds exactly")
    func checksum() throws {
        #expect(try rule(checksum: 9_007_199_254_740_991).checksum == 9_007_199_254_740_991)
        #expect(throws: ClientValueError.self) { try rule(checksum: 9_007_199_254_740_992) }
        #expect(throws: ClientValueError.self) { try rule(checksum: .min) }
    }

    @Test(
        "A message's id is a number that clients may read as JSON",
        arguments: ["", "07", "-1", "1.5", "x", "٣", "1234567890123456"])
    func messageIDs(text: String) {
        #expect(throws: ClientValueError.self) { try rule(messageID: text) }
    }

    @Test("An unchanged message keeps its id")
    func sameMessage() throws {
        let earlier = try rule(messageID: "5")
        #expect(try rule(access: .disabled, link: "x").replacing(earlier).messageID == "5")
        #expect(try rule(access: .disabled, link: "x").replacing(earlier).access == .disabled)
        #expect(try rule(messageID: "9").replacing(nil).messageID == "9")
    }

    @Test("Another message has another id, also when the clock went back, and after the largest")
    func otherMessage() throws {
        let earlier = try rule(message: "Old", messageID: "1900000000000")
        #expect(try rule().replacing(earlier).messageID == "1900000000001")
        #expect(try rule().replacing(rule(access: .active, message: nil, messageID: "5")).messageID == "1700000000750")
        #expect(try rule().replacing(rule(message: "Old", messageID: "999999999999999")).messageID == "0")
        #expect(try rule(message: "\u{E9}").replacing(rule(message: "e\u{301}", messageID: "5")).messageID != "5")
    }
}
