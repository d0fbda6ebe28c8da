import Foundation
import LamplighterTesting
import TestSupport
import Testing

/// Does in Swift what docs/testing-adapters.md shows under "From Swift", with the adapter of its walk.
@Suite("docs/testing-adapters.md, from Swift")
struct DocumentTests {
    @Test("The price of a lamp is sent once")
    func prices() async throws {
        let folder = try TemporaryFolder([
            "adapters/Prices/Prices.xml": adapterXML("Prices", procedures: [], connectivity: Self.http)
        ])
        try folder.write(try #require(Self.blocks("js").last), to: "adapters/Prices/Prices-impl.js")

        let shop = try await HarnessProject(reading: folder.url)
        let harness = try await AdapterHarness(shop, options: .adapter("Prices"))
        let nothing = try await harness.evaluate("lastPrice")
        #expect(nothing == .null)
        try await harness.user("ann").device("phone").subscribe(to: "Alerts")
        harness.backEnd().get("/prices/lamp", .json(["price": 40]), .json(["price": 30]))

        try await harness.advance(by: .seconds(600))

        let sent = try harness.sent
        try #require(sent.count == 1)
        try sent[0].expect(
            body: [
                "aps": ["alert": ["action-loc-key": .null, "body": "A lamp costs 30 now"], "badge": 1, "sound": ""],
                "payload": .string(#"{"alias":"Alerts"}"#),
            ])
    }

    @Test("Stubs with expectations, comparisons and limits")
    func more() async throws {
        var options = AdapterHarness.Options.adapter("Prices")
        options.runtime.calls.cpuTime = .seconds(1)
        let harness = try await AdapterHarness(
            adapter: "Prices",
            script: """
                function find(id) {
                    var answer = WL.Server.invokeHttp({ method: "get", path: "/prices/lamp", parameters: { currency: "EUR" } });
                    return { name: answer.price === 40 ? "Lamp" : "" };
                }
                """, options: options)
        harness.backEnd().get("/prices/lamp") { request in
            #expect(request.parameter("currency") == "EUR")
            return .json(["price": 40])
        }
        try await harness.call("find", 7).expect(["isSuccessful": true, "name": "Lamp"])
        try await harness.call("find", 7).expect(containing: ["name": "Lamp"])
    }

    @Test("The printed examples match the tests above")
    func printed() throws {
        let source = try String(contentsOfFile: #filePath, encoding: .utf8)
        let blocks = try Self.blocks("swift").filter { !$0.contains("import PackageDescription") }
        #expect(blocks.count == 4)
        for line in blocks.flatMap({ $0.split(separator: "\n") }).map({ $0.trimmingCharacters(in: .whitespaces) })
        where line.count > 3 && line.contains(/harness|expect|options|sent|request|"aps"|return/)
            && !line.contains("AdapterHarness(shop.value") && line != "let harness: AdapterHarness"
        {
            #expect(source.contains(line), "\(line)")
        }
    }

    @Test("The Package.swift that is printed names what this package has")
    func package() throws {
        let printed = try #require(Self.blocks("swift").first)
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
        let own = try String(contentsOf: folder.appending(path: "../../Package.swift"), encoding: .utf8)
        #expect(printed.contains(#".product(name: "LamplighterTesting", package: "lamplighter")"#))
        for line in [#".library(name: "LamplighterTesting""#, "// swift-tools-version: 6.2", ".macOS(.v15)"] {
            #expect(own.contains(line), "\(line)")
        }
        #expect(printed.hasPrefix("// swift-tools-version: 6.2\n"))
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
