import Foundation
import LamplighterTesting
import PushModel
import TestSupport
import Testing

/// Does in Swift what docs/testing-adapters.md shows under "From Swift", with the adapter of its walk.
@Suite("docs/testing-adapters.md, from Swift")
struct DocumentTests {
    @Test("The price of a lamp is told once")
    func prices() async throws {
        let folder = try TemporaryFolder([
            "adapters/Prices/Prices.xml": adapterXML("Prices", procedures: [], connectivity: Self.http)
        ])
        try folder.write(try #require(Self.blocks("js").last), to: "adapters/Prices/Prices-impl.js")

        let harness = try await AdapterHarness(project: folder.url, options: .adapter("Prices"))
        try await harness.user("ann").device("phone").subscribe(to: "Alerts")
        harness.backEnd().get("/prices/lamp", .json(["price": 40]), .json(["price": 30]))

        try await harness.advance(by: .seconds(600))

        let sent = try harness.sent
        #expect(sent.count == 1)
        try sent[0].expect(
            body: [
                "aps": ["alert": ["action-loc-key": .null, "body": "A lamp costs 30 now"], "badge": 1, "sound": ""],
                "payload": .string(#"{"alias":"Alerts"}"#),
            ])
    }

    @Test("What is printed is what the test above does")
    func printed() throws {
        let source = try String(contentsOfFile: #filePath, encoding: .utf8)
        let lines = try #require(Self.blocks("swift").first).split(separator: "\n")
        for line in lines.drop(while: { !$0.contains(".subscribe(to:") })
        where line.trimmingCharacters(in: .whitespaces).count > 3 {
            #expect(source.contains(line.trimmingCharacters(in: .whitespaces)), "\(line)")
        }
    }

    private static let http = """
        <connectivity><connectionPolicy xsi:type="http:HTTPConnectionPolicyType">
            <protocol>http</protocol><domain>shop.example.com</domain><port>80</port>
        </connectionPolicy></connectivity>
        """

    private static func blocks(_ language: String) throws -> [String] {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(
            path: "../../docs/testing-adapters.md")
        let parts = try String(contentsOf: file, encoding: .utf8).components(separatedBy: "```")
        return stride(from: 1, to: parts.count, by: 2).map { parts[$0] }.filter { $0.hasPrefix("\(language)\n") }
            .map { String($0.dropFirst(language.count + 1)) }
    }
}
