import Foundation
import PushModel
import Storage
import TestSupport
import Testing

@testable import Installation
@testable import WorklightClient

/// One after the other: the logger's settings are the process's.
@Suite("2.11, 2.12: OCLogger", .serialized, .defaultTimeLimit)
struct OCLoggerTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        OCLogger.folder = folder.url
        OCLogger.setLevel(OCLogger_DEBUG)
        OCLogger.setCapture(true)
        OCLogger.setMaxFileSize(100_000)
    }

    /// Returns the file's entries of a package.
    private func entries(_ package: String) throws -> [[String: Any]] {
        guard let text = try? String(contentsOf: folder.url.appending(path: "wl.log"), encoding: .utf8) else {
            return []
        }
        guard !text.isEmpty else { return [] }
        #expect(text.hasSuffix(","))
        let list = try JSONSerialization.jsonObject(with: Data("[\(text.dropLast())]".utf8))
        return try #require(list as? [[String: Any]]).filter { $0["pkg"] as? String == package }
    }

    @Test("2.11.1 A package has one logger, another package another one")
    func instances() {
        #expect(OCLogger.getInstanceWithPackage("one") === OCLogger.getInstanceWithPackage("one"))
        #expect(OCLogger.getInstanceWithPackage("one") !== OCLogger.getInstanceWithPackage("two"))
    }

    @Test(
        "2.11.2, 2.11.3, 2.12 A level lets through what is as grave or graver",
        arguments: [
            (OCLogger_ERROR, ["ERROR"]), (OCLogger_WARN, ["ERROR", "WARN"]),
            (OCLogger_INFO, ["ERROR", "WARN", "INFO"]),
            (OCLogger_LOG, ["ERROR", "WARN", "INFO", "LOG"]),
            (OCLogger_DEBUG, ["ERROR", "WARN", "INFO", "LOG", "DEBUG"]),
        ])
    func levels(level: OCLogType, expected: [String]) throws {
        OCLogger.setLevel(level)
        #expect(OCLogger.getLevel() == level)
        let logger = try #require(OCLogger.getInstanceWithPackage("levels"))
        logger.error("e")
        logger.warn("w")
        logger.info("i")
        logger.log("l")
        logger.debug("d")
        #expect(try entries("levels").map { $0["level"] as? String } == expected)
    }

    @Test("2.11.5, 2.11.6 Capturing is turned off and on")
    func capture() throws {
        let logger = try #require(OCLogger.getInstanceWithPackage("capture"))
        OCLogger.setCapture(false)
        #expect(OCLogger.getCapture() == false)
        logger.info("lost")
        OCLogger.setCapture(true)
        #expect(OCLogger.getCapture())
        logger.info("kept")
        #expect(try entries("capture").map { $0["msg"] as? String } == ["kept"])
    }

    @Test("2.11.7, 2.11.8 A full file takes no more, and 10,000 bytes are the least")
    func size() throws {
        OCLogger.setMaxFileSize(9_999)
        #expect(OCLogger.getMaxFileSize() == 10_000)
        OCLogger.setMaxFileSize(20_000)
        #expect(OCLogger.getMaxFileSize() == 20_000)
        let logger = try #require(OCLogger.getInstanceWithPackage("size"))
        for _ in 0..<30 { logger.info(String(repeating: "x", count: 1000)) }
        let file = folder.url.appending(path: "wl.log")
        let size = try Data(contentsOf: file).count
        #expect(size <= 20_000 && size > 18_000)
        logger.info(String(repeating: "y", count: 2000))
        #expect(try Data(contentsOf: file).count == size)
    }

    @Test("2.11.9 to 2.11.13 Metadata is kept with the message, and a format gets its arguments")
    func metadata() throws {
        let logger = try #require(OCLogger.getInstanceWithPackage("metadata"))
        logger.metadata(["id": 7, "when": Date(timeIntervalSince1970: 0)], info: "%@ has %d", "ann", 3)
        logger.metadata(["id": 8], debug: "d")
        logger.metadata(nil, error: "%d%%", 100)
        logger.metadata(nil, log: "50% of it")
        logger.metadata(["a": ["b": true]], warn: "w")
        let entries = try entries("metadata")
        #expect(entries.map { $0["level"] as? String } == ["INFO", "DEBUG", "ERROR", "LOG", "WARN"])
        #expect(entries[0]["msg"] as? String == "ann has 3")
        #expect((entries[0]["metadata"] as? [String: Any])?["id"] as? Int == 7)
        #expect((entries[0]["metadata"] as? [String: Any])?["when"] is String)
        #expect(entries[2]["msg"] as? String == "100%")
        #expect(entries[3]["msg"] as? String == "50% of it")
    }

    @Test("2.11.4 send uploads the log to the server, and it is deleted from the file afterwards")
    func send() async throws {
        try await TestServer.withClient { (server, client) async throws in
            OCLogger.client = client.client
            defer { OCLogger.client = nil }
            OCLogger.getInstanceWithPackage("sent").warn("the \"lamp\" is out, Köln")
            OCLogger.send()
            // The server has the log before the client learns that it was taken, and deletes it. Other suites may log meanwhile.
            try await waitUntil { try entries("sent").isEmpty }
            let logged = try server.installation.telemetry.clientLog.clientLog(matching: ClientLogFilter(), limit: 100)
            let entry = try #require(logged.first { $0.entry.package == "sent" })
            #expect(entry.entry.message == "the \"lamp\" is out, Köln")
        }
    }

    @Test("2.11.4 An empty log is not sent")
    func nothing() async throws {
        OCLogger.setCapture(false)
        try? FileManager.default.removeItem(at: folder.url.appending(path: "wl.log"))
        #expect(try await OCLogger.upload() == false)
    }

    @Test("2.11.4 Entries that the server refuses stay, and entries logged meanwhile are not lost")
    func refused() async throws {
        let server = try LoopbackServer { .html("no", status: $0.number == 0 ? 503 : 201) }
        let client = try server.client()
        OCLogger.client = client.client
        defer { OCLogger.client = nil }
        OCLogger.getInstanceWithPackage("stays").info("one")
        await #expect(throws: WLError.self) { try await OCLogger.upload() }
        #expect(try entries("stays").count == 1)
        let sent = try #require(LogStore.shared.beginSending())
        OCLogger.getInstanceWithPackage("stays").info("two")
        LogStore.shared.endSending(sent)
        #expect(try entries("stays").map { $0["msg"] as? String } == ["two"])
    }

    @Test("The time is written as clients of 7.x do: GMT, milliseconds not padded")
    func timestamp() {
        let date = Date(timeIntervalSince1970: 1_700_000_000.018)
        #expect(LogStore.timestamp(date) == "14-11-2023 22:13:20:18")
    }
}
