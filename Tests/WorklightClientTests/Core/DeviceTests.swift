import Foundation
import TestSupport
import Testing

@testable import WorklightClient

@Suite("Data that a client keeps from one run to the next", .defaultTimeLimit)
struct DeviceTests {
    private func deviceID(_ folder: TemporaryFolder) async throws -> String {
        let server = try LoopbackServer {
            $0.number == 0 ? .challenge(#"{"wl_deviceNoProvisioningRealm":{"token":"t"}}"#) : .json(#"{"userInfo":{}}"#)
        }
        let settings = WorklightSettings(
            host: "127.0.0.1", port: server.port, applicationID: "A", requestTimeout: .noLimit)
        try await SDKTestClient(settings, folder: folder).connect()
        let answer = server.requests.value.last?.header("Authorization").flatMap(JSONText.object(parsing:))
        let id = (answer?["wl_deviceNoProvisioningRealm"] as? [String: Any])?["ID"] as? [String: Any]
        return try #require((id?["device"] as? [String: String])?["id"])
    }

    @Test("The device has the same id at the next start, and another one elsewhere")
    func device() async throws {
        let folder = try TemporaryFolder()
        let first = try await deviceID(folder)
        #expect(UUID(uuidString: first) != nil)
        #expect(try await deviceID(folder) == first)
        #expect(try await deviceID(TemporaryFolder()) != first)
    }

    @Test("A folder that cannot be written fails the connect, and is named")
    func unwritable() async throws {
        let folder = try TemporaryFolder(["file": "no folder"])
        let server = try LoopbackServer { _ in .challenge(#"{"wl_deviceNoProvisioningRealm":{"token":"t"}}"#) }
        let client = WLClient(
            settings: WorklightSettings(
                host: "127.0.0.1", port: server.port, applicationID: "A", requestTimeout: .noLimit),
            folder: folder.url.appending(path: "file/below"))
        let error = await #expect(throws: WLError.self) { try await client.connect() }
        #expect(error?.message.contains("file/below/device-id") == true)
    }

    @Test("Cookies that last come back at the next start, the others do not")
    func cookies() async throws {
        let server = try LoopbackServer { _ in
            .json(
                #"{"userInfo":{}}"#,
                headers: [
                    "Set-Cookie: WL_PERSISTENT_COOKIE=p; Expires=Sat, 20-Nov-2094 00:00:00 GMT; Path=/wl",
                    "Set-Cookie: JSESSIONID=s; Path=/wl",
                ])
        }
        let folder = try TemporaryFolder()
        let settings = WorklightSettings(
            host: "127.0.0.1", port: server.port, context: "wl/", applicationID: "A",
            requestTimeout: .noLimit)
        let first = try SDKTestClient(settings, folder: folder)
        try await first.connect()
        try await first.connect()
        try await SDKTestClient(settings, folder: folder).connect()
        let sent = server.requests.value.map { $0.header("Cookie") }
        #expect(sent == [nil, "WL_PERSISTENT_COOKIE=p; JSESSIONID=s", "WL_PERSISTENT_COOKIE=p"])
    }

    @Test("Two clients have their own cookies")
    func own() async throws {
        let server = try LoopbackServer { _ in
            .json(#"{"userInfo":{}}"#, headers: ["Set-Cookie: JSESSIONID=s; Path=/"])
        }
        try await server.client().connect()
        try await server.client().connect()
        #expect(server.requests.value.map { $0.header("Cookie") } == [nil, nil])
    }

    @Test("A cookie is sent only to its path and its host")
    func jar() throws {
        var jar = ClientCookieJar()
        let url = try #require(URL(string: "http://server/wl/apps/init"))
        jar.take(
            ["a=1; Path=/wl", "b=2; Path=/other", "c=3; Path=/wl; Secure", "d=4", "e=5; Path=/wl/apps"], from: url)
        #expect(jar.header(for: url) == "d=4; e=5; a=1")
        #expect(jar.header(for: try #require(URL(string: "https://server/wl/x"))) == "a=1; c=3")
        #expect(jar.header(for: try #require(URL(string: "http://server/wlx"))) == nil)
        #expect(jar.header(for: try #require(URL(string: "http://other/wl/apps"))) == nil)
    }

    @Test("A cookie is replaced by one of its name, and removed by one that has run out")
    func replaced() throws {
        var jar = ClientCookieJar()
        let url = try #require(URL(string: "http://server/"))
        jar.take(["a=1; Path=/"], from: url)
        jar.take(["a=2; Path=/"], from: url)
        #expect(jar.header(for: url) == "a=2")
        jar.take(["a=3; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT"], from: url)
        #expect(jar.header(for: url) == nil)
        jar.take(["b=1; Max-Age=0; Path=/", "no cookie", "=x"], from: url)
        #expect(jar.cookies.isEmpty)
    }
}
