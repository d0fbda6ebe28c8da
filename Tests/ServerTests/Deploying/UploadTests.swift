import Core
import Foundation
import NIOHTTP1
import TestSupport
import Testing

@testable import Installation
@testable import Management

@Suite("Uploading adapters")
struct UploadTests {
    private static func upload(
        _ server: RunningServer, _ files: [(path: String, text: String)], as adapter: String = "A",
        isDeflated: Bool = true
    ) async throws -> (status: Int, json: JSONValue) {
        let body: JSONValue = [
            "archive": .string(Data(zipArchive(files, isDeflated: isDeflated)).base64EncodedString())
        ]
        let answer = try await server.manage(.PUT, "adapters/\(adapter)", body: body.text)
        return (answer.status, try JSONValue(parsing: answer.body))
    }

    private static func files(_ value: Int, in folder: String = "", name: String = "A") -> [(
        path: String, text: String
    )] {
        [
            ("\(folder)\(name).xml", adapterXML(name)),
            ("\(folder)\(name)-impl.js", "function run() { return { value: \(value) }; }"),
        ]
    }

    private static func value(_ server: RunningServer, of adapter: String = "A") async throws -> JSONValue? {
        let answer = try await server.manage(.POST, "adapters/\(adapter)/invoke", body: #"{"procedure":"run"}"#)
        return try JSONValue(parsing: answer.body)["result"]?["value"]
    }

    @Test("An upload replaces the adapter's files and runs, packed or not, with or without the adapter's folder")
    func replaces() async throws {
        try await RunningServer.run(script: "function run() { return { value: 0 }; }") { (server) async throws in
            for (value, folder, isDeflated) in [(1, "", true), (2, "A/", true), (3, "", false)] {
                let answer = try await Self.upload(server, Self.files(value, in: folder), isDeflated: isDeflated)
                #expect(answer.status == 200 && answer.json["outcome"] == "deployed")
                #expect(try await Self.value(server) == .number(Double(value)))
            }
            let answer = try await Self.upload(server, Self.files(4, name: "New"), as: "New")
            #expect(answer.status == 200)
            #expect(try await Self.value(server, of: "New") == 4)
            let data = try FileManager.default.contentsOfDirectory(atPath: server.installation.settings.dataFolder.path)
            #expect(!data.contains { $0.hasPrefix("upload-") })
        }
    }

    @Test("An adapter that cannot be deployed leaves the former files and the former version")
    func refused() async throws {
        try await RunningServer.run(script: "function run() { return { value: 0 }; }") { (server) async throws in
            let script = server.installation.settings.project.appending(path: "adapters/A/A-impl.js")
            let former = try String(contentsOf: script, encoding: .utf8)
            let answer = try await Self.upload(
                server, [("A.xml", adapterXML("A")), ("A-impl.js", "function run( {"), ("more.js", "")])
            #expect(answer.status == 422)
            #expect(answer.json["problems"]?.array?.first?["line"] == 1)
            #expect(try String(contentsOf: script, encoding: .utf8) == former)
            let names = try FileManager.default.contentsOfDirectory(atPath: script.deletingLastPathComponent().path)
            #expect(names.sorted() == ["A-impl.js", "A.xml"])
            #expect(try await Self.value(server) == 0)
            for empty in [[], [(path: "A/", text: "")]] {
                #expect(try await Self.upload(server, empty).status == 400)
                #expect(try String(contentsOf: script, encoding: .utf8) == former)
            }
            // An adapter that did not exist before does not exist afterwards.
            #expect(try await Self.upload(server, [("x.js", "")], as: "B").status == 422)
            let folder = server.installation.settings.project.appending(path: "adapters/B")
            #expect(!FileManager.default.fileExists(atPath: folder.path))
        }
    }

    @Test(
        "Names that no folder can have are refused, and the former files stay",
        arguments: [
            ["a", "a/b"], ["a/b", "a"], ["a/b/c", "a"], ["a", "a"], ["a\u{1B}[2Jb"], ["a\u{202E}b"], ["a\nb"],
            [String(repeating: "a", count: 256)],
        ])
    func impossible(paths: [String]) async throws {
        try await RunningServer.run(script: "function run() { return { value: 0 }; }") { (server) async throws in
            let answer = try await Self.upload(server, Self.files(1) + paths.map { ($0, "x") })
            #expect(answer.status == 400 && answer.json["field"] == "archive")
            let detail = try #require(answer.json["detail"]?.string)
            #expect(detail == detail.printable && !detail.contains(server.installation.settings.project.path))
            #expect(try await Self.value(server) == 0)
        }
    }

    @Test(
        "Files outside the adapter's folder are refused",
        arguments: ["../B/B.xml", "/etc/passwd", "a/../../b", "a\\b", "./a", "a//b"])
    func unsafe(path: String) async throws {
        try await RunningServer.run(script: "function run() { return { value: 0 }; }") { (server) async throws in
            let answer = try await Self.upload(server, Self.files(1) + [(path, "x")])
            #expect(answer.status == 400 && answer.json["field"] == "archive")
            #expect(try await Self.value(server) == 0)
        }
    }

    @Test("An adapter has a name that is safe as a folder's", arguments: ["..", ".hidden", "a%2Fb", "a%20b"])
    func names(name: String) async throws {
        try await RunningServer.run(script: "function run() {}") { (server) async throws in
            #expect(try await Self.upload(server, Self.files(1), as: name).status == 400)
        }
    }

    @Test("A file that is not a zip archive, is damaged, or unpacks to more than 32 MiB is refused")
    func damaged() throws {
        let whole = zipArchive([("a.js", String(repeating: "x", count: 1000))])
        #expect(try ZipArchive(whole, limit: 1000, mostFiles: 1).files.first?.bytes.count == 1000)
        #expect(throws: ZipError.self) { try ZipArchive(whole, limit: 999, mostFiles: 1) }
        #expect(throws: ZipError.self) { try ZipArchive(whole, limit: 1000, mostFiles: 0) }
        #expect(throws: ZipError.self) { try ZipArchive([], limit: 1000, mostFiles: 9) }
        for end in 0..<whole.count {
            #expect(throws: ZipError.self) { try ZipArchive(Array(whole[..<end]), limit: 1000, mostFiles: 9) }
        }
        // Any byte may be wrong: that is an error or another file, and never a crash.
        for index in whole.indices {
            var bytes = whole
            bytes[index] ^= 0xFF
            _ = try? ZipArchive(bytes, limit: 1000, mostFiles: 9)
        }
    }
}
