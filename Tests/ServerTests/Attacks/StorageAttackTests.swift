import Core
import Foundation
import HTTPServer
import Logging
import NIOCore
import NIOHTTP1
import PushModel
import Storage
import TestSupport
import Testing

@testable import Installation

@Suite("Attacks that fill the disk")
struct StorageAttackTests {
    /// Runs `body` against a server that believes what this machine says of where requests come from.
    private static func run(
        over version: WireProtocol, log: LogRecorder? = nil,
        guests: (total: Int, perNetwork: Int) = (1 << 30, 1 << 30),
        logs: (total: Int, perNetwork: Int) = (1 << 30, 1 << 30), _ body: @Sendable (RunningServer) async throws -> Void
    ) async throws {
        let proxies = try TrustedProxies(["127.0.0.1"])
        try await RunningServer.attacked(
            over: version, log: log,
            change: {
                $0.trustedProxies = proxies
                $0.guestQuota.total = guests.total
                $0.guestQuota.perNetwork = guests.perNetwork
                $0.clientLogQuota.total = logs.total
                $0.clientLogQuota.perNetwork = logs.perNetwork
            }, body)
    }

    private static func phone(_ server: RunningServer, _ device: String, at address: String) -> WireClient {
        let client = WireClient(server, device: device)
        client.headers = [("X-Forwarded-For", address)]
        return client
    }

    /// Makes devices up until the server has enough of them.
    ///
    /// - Returns: the statuses of the responses that were not a success.
    private static func makeUp(_ server: RunningServer, _ count: Int, at address: (Int) -> String) async throws -> [Int]
    {
        var refusals: [Int] = []
        for number in 0..<count {
            let address = address(number)
            let client = phone(server, "made-up-\(address)-\(number)", at: address)
            let answer = try await client.act("notifications", [("updateToken", String(repeating: "t", count: 200))])
            if answer.status != 200 {
                refusals.append(answer.status)
                #expect(answer["errorCode"] == "UNEXPECTED_ERROR" && answer["errorMsg"]?.string?.isEmpty == false)
            }
        }
        return refusals
    }

    @Test(
        "by made-up devices of one address end at its quota, and block no other address", arguments: WireProtocol.any
    )
    func devices(version: WireProtocol) async throws {
        let log = LogRecorder()
        try await Self.run(over: version, log: log, guests: (1 << 30, 10_000)) { (server) async throws in
            let refusals = try await Self.makeUp(server, 40) { _ in "198.51.100.1" }
            #expect((20..<40).contains(refusals.count) && Set(refusals) == [507])
            #expect(try server.installation.store.guestUsage(of: "198.51.100.1").own < 11_000)
            #expect(log.messages(at: .warning).contains { $0.contains("limits.guestDataPerAddress") })
            #expect(try await Self.makeUp(server, 1) { _ in "192.0.2.1" } == [])
            // A user who logs in has a device there, too.
            let user = Self.phone(server, "phone-1", at: "198.51.100.1")
            try await user.call("submit", #"["ann","adapter-secret"]"#)
            #expect(try await user.act("notifications", [("updateToken", "token-1")]).status == 200)
        }
    }

    @Test("by made-up devices of many addresses end at the quota of all", arguments: WireProtocol.any)
    func many(version: WireProtocol) async throws {
        try await Self.run(over: version, guests: (10_000, 1 << 30)) { (server) async throws in
            let refusals = try await Self.makeUp(server, 40) { "198.51.100.\($0)" }
            #expect((20..<40).contains(refusals.count) && Set(refusals) == [507])
        }
    }

    @Test("by subscriptions and preferences count, too, and unsubscribing makes room", arguments: WireProtocol.any)
    func subscriptions(version: WireProtocol) async throws {
        try await Self.run(over: version, guests: (1 << 30, 20_000)) { (server) async throws in
            let client = Self.phone(server, "phone-1", at: "198.51.100.1")
            #expect(try await client.act("notifications", [("updateToken", "token-1")]).status == 200)
            let options = JSONValue.object(["t": .string(String(repeating: "o", count: 9000))]).text
            let source = [("adapter", "A"), ("eventSource", "Open")]
            #expect(try await client.act("notifications", [("subscribe", options)] + source).status == 200)
            let preferences = JSONValue.object(["k": .string(String(repeating: "p", count: 8000))]).text
            #expect(try await client.act("setup", [("userprefs", preferences)]).status == 200)
            var status = 200
            for number in 0..<5 where status == 200 {
                let more = JSONValue.object(["k\(number)": .string(String(repeating: "p", count: 2000))]).text
                status = try await client.act("setup", [("userprefs", more)]).status
            }
            #expect(status == 507)
            #expect(try await client.act("notifications", [("subscribe", "{}")] + source).status == 507)
            #expect(try await client.act("notifications", [("unsubscribe", "{}")] + source).status == 200)
            #expect(try await client.act("notifications", [("subscribe", "{}")] + source).status == 200)
        }
    }

    @Test("by more preferences than one owner may have are refused before they are written")
    func manyPreferences() async throws {
        try await RunningServer.attacked { (server) async throws in
            let client = WireClient(server)
            let given = "{" + (0..<50_000).map { "\"k\($0)\":\"\"" }.joined(separator: ",") + "}"
            #expect(try await client.act("init").status == 200)
            let log = server.storePath + "-wal"
            let before = try Self.size(of: log)
            let answer = try await client.act("setup", [("userprefs", given)])
            #expect(answer.status == 400 && answer.text.contains("at most 100 keys"), "\(answer.text)")
            #expect(try Self.size(of: log) < before + 100_000)
        }
    }

    private static func size(of path: String) throws -> Int {
        try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
    }

    @Test("stay within the quotas over restarts")
    func restarted() async throws {
        let folder = try TemporaryFolder()
        let proxies = try TrustedProxies(["127.0.0.1"])
        for isFirst in [true, false] {
            try await RunningServer.run(files: AttackedProject.files, in: folder) {
                $0.trustedProxies = proxies
                $0.guestQuota.perNetwork = 5_000
            } _: { (server) async throws in
                let refusals = try await Self.makeUp(server, 20) { _ in "198.51.100.1" }
                #expect(isFirst ? refusals.count < 20 : refusals.count == 20)
            }
        }
    }

    /// An upload that packs well.
    private static func upload(_ entries: Int, _ text: String) throws -> ByteBuffer {
        let entry = #"{"level":"ERROR","msg":"\#(text)\#(String(repeating: " ", count: 900))"},"#
        let body = JSONValue.object(["__logdata": .string(String(repeating: entry, count: entries))]).text
        return ByteBuffer(bytes: try #require(Zlib.gzip(Array(body.utf8))))
    }

    private static func send(_ upload: ByteBuffer, _ server: RunningServer, from address: String) async throws {
        let answer = try await server.upload(
            upload, to: "/apps/services/loguploader",
            headers: [("X-Forwarded-For", address), ("Content-Encoding", "gzip")])
        // Else the client would send it again and again.
        #expect(answer.hasPrefix("HTTP/1.1 201"))
    }

    @Test(
        "by well-packed logs of one address push only that address's entries out, and no file grows beyond the quota",
        arguments: WireProtocol.any)
    func logs(version: WireProtocol) async throws {
        let (total, ofNetwork) = TestExtent.size((1 << 20, 1 << 17), full: (8 << 20, 1 << 20))
        try await Self.run(over: version, logs: (total, ofNetwork)) { (server) async throws in
            try await Self.send(try Self.upload(3, "honest"), server, from: "192.0.2.1")
            let flood = try Self.upload(TestExtent.size(300, full: 3000), "flood")
            #expect(flood.readableBytes < 100_000)
            for _ in 0..<5 { try await Self.send(flood, server, from: "198.51.100.1") }
            let log = server.installation.telemetry.clientLog
            #expect(try log.byteCount() < ofNetwork + 51_000)
            #expect(try log.clientLog(matching: ClientLogFilter(text: "honest"), limit: 9).count == 3)
            for number in 0..<12 { try await Self.send(flood, server, from: "203.0.113.\(number)") }
            #expect(try log.byteCount() <= total)
            let store = try FileManager.default.attributesOfItem(atPath: server.storePath)
            #expect((store[.size] as? Int ?? .max) < 2 << 20)
            let file = try FileManager.default.attributesOfItem(atPath: log.path)
            #expect((file[.size] as? Int ?? .max) < 2 * total)
        }
    }

    @Test("by logs that pages of other sites send from browsers are refused", arguments: WireProtocol.any)
    func foreignLogs(version: WireProtocol) async throws {
        try await RunningServer.attacked(over: version) { (server) async throws in
            let answer = try await server.sendRaw(
                "POST", "/apps/services/loguploader",
                headers: ["Origin: http://evil.example", "Content-Type: text/plain"],
                body: #"{"__logdata":"{\"msg\":\"x\"},"}"#)
            #expect(answer.hasPrefix("HTTP/1.1 403"))
            #expect(try server.installation.telemetry.clientLog.byteCount() == 0)
        }
    }
}

extension RunningServer {
    /// The file of the store.
    fileprivate var storePath: String { installation.folder.url.appending(path: SQLStore.fileName).path }
}
