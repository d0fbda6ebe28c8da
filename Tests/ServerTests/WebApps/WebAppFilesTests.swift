import Foundation
import HTTPTypes
import Installation
import NIOHTTP1
import TestSupport
import Testing

@testable import ClientProtocol
@testable import HTTPServer

@Suite("Files of web apps", .defaultTimeLimit)
struct WebAppFilesTests {
    private static let descriptor = """
        <application id="Shop" xmlns="http://www.worklight.com/application-descriptor">
        <mainFile>start.html</mainFile><android version="2.0"/><mobileWebApp version="1.0"/><desktopBrowser version="1.0"/>
        </application>
        """

    private static let files = [
        "adapters/A/A.xml": adapterXML("A"), "adapters/A/A-impl.js": "function run() {}",
        "apps/Shop/application-descriptor.xml": descriptor,
        "apps/Shop/mobileWebApp/www/default/start.html": "<p>start</p>",
        "apps/Shop/mobileWebApp/www/default/index.html": "<p>index</p>",
        "apps/Shop/mobileWebApp/www/default/js/app.js": "var app = 1;",
        "apps/Shop/mobileWebApp/www/default/.hidden": "hidden",
        "apps/Shop/mobileWebApp/www/wide/js/app.js": "var app = 'wide';",
        "apps/Shop/mobileWebApp/www/.git/config": "outside",
        "apps/Shop/mobileWebApp/secret.txt": "outside",
        "apps/Shop/android/preview/default/index.html": "<p>preview 2.0</p>",
        "apps/Shop/versions/android/1.9/preview/default/index.html": "<p>preview 1.9</p>",
        "apps/Shop/common/preview/default/index.html": "<p>common</p>",
    ]

    private static let base = "/shop/apps/services/www/Shop/mobilewebapp"

    private func run(
        over version: WireProtocol = .http1, in folder: TemporaryFolder? = nil,
        mode: InstallationSettings.Mode = .development, files: [String: String] = files,
        _ body: @Sendable (RunningServer) async throws -> Void
    ) async throws {
        try await RunningServer.run(
            files: files, in: folder, over: version,
            change: {
                $0.contextRoot = "/shop"
                $0.mode = mode
            }, body)
    }

    @Test(
        "A file is served with and without its skin, in any case of the environment",
        arguments: [
            ("/js/app.js", "var app = 1;"), ("/default/js/app.js", "var app = 1;"),
            ("/wide/js/app.js", "var app = 'wide';"), ("/", "<p>start</p>"), ("/index.html", "<p>index</p>"),
        ])
    func skins(path: String, content: String) async throws {
        try await run { server in
            for base in [Self.base, "/shop/apps/services/www/Shop/mobileWebApp"] {
                let answer = try await server.send(.GET, base + path)
                #expect(answer.status == 200 && answer.body == content)
            }
        }
    }

    @Test("A file has its type, an entity tag and a time; with either the browser gets 304")
    func caching() async throws {
        try await run { server in
            let path = Self.base + "/js/app.js"
            let first = try await server.send(.GET, path)
            #expect(first.headers["content-type"] == ["text/javascript"])
            #expect(first.headers["cache-control"] == ["no-cache"])
            let tag = try #require(first.headers["etag"].first)
            let modified = try #require(first.headers["last-modified"].first)
            for header in [
                ("If-None-Match", tag), ("If-None-Match", "\"x\", W/\(tag)"), ("If-None-Match", "*"),
                ("If-Modified-Since", modified),
            ] {
                let second = try await server.send(.GET, path, headers: [header])
                #expect(second.status == 304 && second.body == "" && second.headers["etag"] == [tag], "\(header)")
            }
            let other = try await server.send(.GET, path, headers: [("If-None-Match", "\"x\"")])
            #expect(other.status == 200)
            let head = try await server.send(.HEAD, path)
            #expect(head.status == 200 && head.body == "" && head.headers["content-length"] == ["12"])
        }
    }

    @Test("A changed file has another entity tag")
    func change() async throws {
        let folder = try TemporaryFolder()
        try await run(in: folder) { server in
            let path = Self.base + "/js/app.js"
            let tag = try await server.send(.GET, path).headers["etag"]
            try folder.write("var app = 2;", to: "apps/Shop/mobileWebApp/www/default/js/app.js")
            let answer = try await server.send(.GET, path, headers: [("If-None-Match", tag[0])])
            #expect(answer.status == 200 && answer.body == "var app = 2;")
        }
    }

    @Test("A folder without its slash is redirected to the one with it, so that relative paths in the page are right")
    func slash() async throws {
        try await run { server in
            let answer = try await server.send(.GET, Self.base)
            #expect(answer.status == 303 && answer.headers["location"] == [Self.base + "/"])
        }
    }

    @Test(
        "Nothing outside of the environment's folder is served, and no hidden file",
        arguments: [
            "/../secret.txt", "/default/../../secret.txt", "/%2e%2e/%2e%2e/secret.txt",
            "/default%2f..%2f..%2fsecret.txt",
            "/.hidden", "/default/.hidden", "/.git/config", "/link.txt", "/linked/secret.txt", "/js/app.js/",
            "//js/app.js",
            "/js//app.js",
            "/no.js", "/js%00/app.js",
        ])
    func outside(path: String) async throws {
        let folder = try TemporaryFolder()
        for (path, text) in Self.files { try folder.write(text, to: path) }
        let skin = folder.path("apps/Shop/mobileWebApp/www/default")
        try FileManager.default.createSymbolicLink(
            atPath: skin + "/link.txt", withDestinationPath: "../../secret.txt")
        try FileManager.default.createSymbolicLink(atPath: skin + "/linked", withDestinationPath: "../..")
        try await run(in: folder) { server in
            let answer = try await server.sendRaw("GET", Self.base + path)
            let status = answer.dropFirst(9).prefix(3)
            #expect(["404", "400"].contains(status), "\(answer)")
            #expect(!answer.contains("outside") && !answer.contains("hidden\n"))
        }
    }

    @Test("A link that changes after the check leads to no other file")
    func swappedLink() throws {
        let folder = try TemporaryFolder(["www/a.js": "inside", "secret.js": "outside"])
        let link = folder.path("www/link.js")
        let root = folder.path("www")
        func lead(to path: String) throws {
            try? FileManager.default.removeItem(atPath: link)
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
        }
        try lead(to: "../secret.js")
        #expect(WebAppFile(link, below: root) == nil)
        try lead(to: "a.js")
        let file = try #require(WebAppFile(link, below: root))
        #expect(try file.bytes(from: 1, count: 3) == Array("nsi".utf8))
        try lead(to: "../secret.js")
        #expect(throws: WebAppFile.ChangedError.self) { try file.bytes(from: 0, count: 6) }
    }

    @Test("A pipe in the folder is not served")
    func pipe() throws {
        let folder = try TemporaryFolder(["www/a.js": "inside"])
        try #require(mkfifo(folder.path("www/pipe.js"), 0o600) == 0)
        #expect(WebAppFile(folder.path("www/pipe.js"), below: folder.path("www")) == nil)
    }

    @Test("A part of a file is served to a player of sound and video", arguments: WireProtocol.allCases)
    func range(version: WireProtocol) async throws {
        let folder = try TemporaryFolder()
        let film = (0..<300_000).map { String($0 % 10) }.joined()
        try await run(
            over: version, in: folder,
            files: Self.files.merging(["apps/Shop/mobileWebApp/www/default/film.mp4": film]) { $1 }
        ) { server in
            let path = Self.base + "/film.mp4"
            let whole = try await server.send(.GET, path)
            #expect(whole.status == 200 && whole.body == film && whole.headers["accept-ranges"] == ["bytes"])
            let tag = whole.headers["etag"][0]
            for (range, content, place) in [
                ("bytes=0-3", "0123", "0-3"), ("bytes=299998-", "89", "299998-299999"),
                ("bytes=-3", "789", "299997-299999"), ("bytes=299999-400000", "9", "299999-299999"),
                ("bytes=5-200004", String(film.dropFirst(5).prefix(200_000)), "5-200004"),
            ] {
                let part = try await server.send(.GET, path, headers: [("Range", range), ("If-Range", tag)])
                #expect(part.status == 206 && part.body == content, "\(range)")
                #expect(part.headers["content-range"] == ["bytes \(place)/300000"])
            }
            let behind = try await server.send(.GET, path, headers: [("Range", "bytes=300000-")])
            #expect(behind.status == 416 && behind.headers["content-range"] == ["bytes */300000"])
            let old = try await server.send(.GET, path, headers: [("Range", "bytes=0-3"), ("If-Range", "\"x\"")])
            #expect(old.status == 200 && old.body == film)
        }
    }

    @Test(
        "The previews of each environment and version are served in development",
        arguments: [
            ("android/2.0", "<p>preview 2.0</p>"), ("android/1.9", "<p>preview 1.9</p>"),
            ("common/1.0", "<p>common</p>"),
        ])
    func preview(version: String, content: String) async throws {
        try await run { server in
            let answer = try await server.send(.GET, "/shop/apps/services/preview/Shop/\(version)/default/index.html")
            #expect(answer.status == 200 && answer.body == content)
        }
    }

    @Test("No preview is served in production")
    func previewInProduction() async throws {
        try await run(mode: .production) { server in
            let answer = try await server.send(.GET, "/shop/apps/services/preview/Shop/common/1.0/default/index.html")
            #expect(answer.status == 404 && !answer.body.contains("apps/"))
            #expect(try await server.send(.GET, Self.base + "/").status == 200)
        }
    }

    @Test(
        "A path without a file is 404 with the origin of such files",
        arguments: [
            ("/apps/services/www/Shop/desktopbrowser/", "lamplighter import Shop-desktopbrowser-VERSION.wlapp"),
            ("/apps/services/www/Shop/android/", "the environment 'android' is not for browsers"),
            ("/apps/services/www/Other/mobilewebapp/", "there is no application 'Other' here"),
            ("/apps/services/preview/Shop/android/1.0/default/", "lamplighter import Shop-android-1.0.wlapp"),
            ("/apps/services/www/Shop/mobilewebapp/no.css", "there is no file no.css"),
        ])
    func missing(path: String, reason: String) async throws {
        try await run { server in
            let answer = try await server.send(.GET, "/shop" + path)
            let text = answer.body
            #expect(
                answer.status == 404 && (text.contains(reason) || text.contains("there is no such file")), "\(text)")
            #expect(answer.headers["content-type"] == ["text/plain; charset=UTF-8"])
        }
    }

    @Test("Only GET and HEAD read files")
    func method() async throws {
        try await run { server in
            let answer = try await server.send(.PUT, Self.base + "/js/app.js", body: "x")
            #expect(answer.status == 405 && answer.headers["allow"] == ["GET, HEAD"])
        }
    }

    @Test("A page gets this server's context root in place of the old one, and no other byte changes")
    func replacement() throws {
        let page =
            Array(
                #"""
                <script>WL.StaticAppProps = { "APP_ID": "Shop", "APP_SERVICES_URL": "\/Old\/apps\/services\/",
                "WORKLIGHT_ROOT_URL": '/Old/apps/services/api/Shop/mobilewebapp/', ROOT_URL: "/Old/apps/services/x",
                "WORKLIGHT_ROOT_URL":"http:\/\/old.example.com:10080\/Old\/apps\/services\/api\/Shop\/android\/" }</script>

                """#.utf8) + [0xE4, 0xFF]
        let expected =
            Array(
                #"""
                <script>WL.StaticAppProps = { "APP_ID": "Shop", "APP_SERVICES_URL": "\/shop\/apps\/services\/",
                "WORKLIGHT_ROOT_URL": '/shop/apps/services/api/Shop/mobilewebapp/', ROOT_URL: "/Old/apps/services/x",
                "WORKLIGHT_ROOT_URL":"\/shop\/apps\/services\/api\/Shop\/android\/" }</script>

                """#.utf8) + [0xE4, 0xFF]
        #expect(WebAppPage.page(page, under: "/shop") == expected)
        let plain = Array(#"{"WORKLIGHT_ROOT_URL": "/apps/services/api/Shop/mobilewebapp/"}"#.utf8)
        #expect(WebAppPage.page(plain, under: "") == plain)
    }
}
