import Core
import Foundation
import TestSupport
import Testing
import WorklightProject

@testable import ProjectImport

@Suite("Import of an old server's archives", .defaultTimeLimit)
struct ImportTests {
    private static let orders = TestArchive([
        (
            "Orders.xml",
            #"<wl:adapter xmlns:wl="http://www.worklight.com/integration" name="Orders"><connectivity/><procedure name="list"/></wl:adapter>"#
        ),
        ("Orders-impl.js", "function list() { return { orders: [] } }"), ("filter.xsl", "<x/>"),
    ])

    private static let war = TestArchive([
        ("META-INF/MANIFEST.MF", "Manifest-Version: 1.0"), ("WEB-INF/web.xml", "<web-app/>"),
        ("WEB-INF/classes/conf/worklight.properties", "serverSessionTimeout=10"),
        ("WEB-INF/classes/conf/authenticationConfig.xml", authentication),
        ("WEB-INF/classes/conf/login.html", "<html/>"), ("WEB-INF/classes/conf/default.keystore", "key"),
        ("WEB-INF/classes/com/worklight/server/A.class", ""), ("WEB-INF/classes/com/example/Own.class", ""),
    ])

    private static let authentication = """
        <tns:loginConfiguration xmlns:tns="http://www.worklight.com/auth/config"><staticResources/><securityTests>\
        <customSecurityTest name="UserTest"><test realm="R" isInternalUserID="true"/></customSecurityTest></securityTests>\
        <realms><realm name="R" loginModule="L"><className>com.worklight.core.auth.ext.FormBasedAuthenticator</className></realm></realms>\
        <loginModules><loginModule name="L"><className>com.worklight.core.auth.ext.NonValidatingLoginModule</className></loginModule>\
        </loginModules></tns:loginConfiguration>
        """

    @Test("An adapter's archive becomes the adapter's folder")
    func adapter() throws {
        let folder = try ImportFolder()
        let report = try folder.run([try folder.add("Orders.adapter", Self.orders)])
        #expect(
            folder.paths == [
                "adapters/Orders/Orders-impl.js", "adapters/Orders/Orders.xml", "adapters/Orders/filter.xsl",
            ])
        #expect(report.writtenPaths.sorted() == folder.paths)
        #expect(Project(reading: folder.project).adapters.map(\.descriptor.name) == ["Orders"])
    }

    @Test("An adapter in Java is named with the work that is left")
    func javaAdapter() throws {
        let folder = try ImportFolder()
        let archive = TestArchive([
            ("Cart.xml", "<mfp:adapter xmlns:mfp='http://www.ibm.com/mfp/integration' name='Cart'/>"),
            ("lib/cart.jar", ""),
        ])
        let report = try folder.run([try folder.add("Cart.adapter", archive)])
        #expect(folder.paths == [])
        #expect(report.items.map(\.outcome) == [.leftOut("the adapter 'Cart' is written in Java")])
        #expect(
            report.remarks == [
                "Cart.adapter: write the Java adapter 'Cart' again in JavaScript: lamplighter new adapter Cart"
            ])
    }

    @Test("A project's archive becomes server/conf; IBM's files are left out, and Java classes are named")
    func runtime() throws {
        let folder = try ImportFolder()
        var war = Self.war
        war.entries.append(("WEB-INF/lib/own.jar", TestArchive([("com/example/Own.class", "")]).data))
        war.entries.append(("WEB-INF/lib/worklight-jee-library.jar", TestArchive([("com/worklight/A.class", "")]).data))
        let report = try folder.run([try folder.add("shop.war", war)])
        #expect(
            folder.paths == [
                "server/conf/authenticationConfig.xml", "server/conf/default.keystore", "server/conf/login.html",
                "server/conf/worklight.properties",
            ])
        #expect(try folder.permissions("server/conf/default.keystore") == 0o600)
        #expect(try folder.permissions("server/conf/login.html") == 0o600)
        #expect(
            report.leftOut == [
                "WEB-INF/lib/own.jar: Java does not run here",
                "WEB-INF/lib/worklight-jee-library.jar: it is a part of IBM's server",
                "WEB-INF/classes/ (the project's classes: 1): Java does not run here",
                "web.xml, IBM's classes and the like (files: 3): they are parts of IBM's server",
            ])
        #expect(
            report.remarks.count == 1 && report.remarks[0].hasPrefix("own.jar, the project's classes in shop.war: "))
    }

    /// An application with two versions of one environment, a web environment, and push for an environment of Apple's.
    private static func shop(_ folder: ImportFolder) throws -> [URL] {
        [
            try folder.add(
                "Shop-common.wlapp",
                .application(environment: "COMMON", files: [("preview/default/index.html", "common")])),
            try folder.add(
                "Shop-android-1.9.wlapp",
                .application(environment: "android", version: "1.9", files: [("preview/default/index.html", "1.9")])),
            try folder.add(
                "Shop-android-1.10.wlapp",
                .application(
                    environment: "android", version: "1.10",
                    facts: [
                        "app.authentication.securitytest=UserTest", "app.mainfile=Shop.html",
                        "app.push.android.sender.key=GCM-KEY",
                        "app.push.android.sender.id=123456",
                        "platform.version=6.2.0.00.20141002-1640",
                    ], files: [("preview/default/index.html", "1.10"), ("meta/thumbnail.png", "png")])),
            try folder.add(
                "Shop-iphone-1.0.wlapp",
                .application(
                    environment: "iphone",
                    facts: ["app.ios.bundle.id=com.example.shop", "app.push.ios.sender.password=SECRET-1"],
                    files: [
                        ("meta/apns-certificate-production.p12", "P12-A"),
                        ("meta/apns-certificate-sandbox.p12", "P12-B"),
                    ])),
            try folder.add(
                "Shop-mobilewebapp-1.0.wlapp",
                .application(
                    environment: "mobilewebapp",
                    files: [("www/default/index.html", "web"), ("www/default/js/a.js", "a")])),
        ]
    }

    @Test(
        "An application's archives become its descriptor, with the latest version of each environment, and its resources"
    )
    func application() throws {
        let folder = try ImportFolder()
        let files = try Self.shop(folder) + [try folder.add("shop.war", Self.war)]
        _ = try folder.run(files)
        #expect(
            try folder.text("apps/Shop/application-descriptor.xml") == """
                <?xml version="1.0" encoding="UTF-8"?>
                <application id="Shop" xmlns="http://www.worklight.com/application-descriptor">
                    <displayName>The Shop</displayName>
                    <mainFile>Shop.html</mainFile>
                    <android version="1.10" securityTest="UserTest">
                        <pushSender senderId="123456"/>
                    </android>
                    <iphone version="1.0" bundleId="com.example.shop"/>
                    <mobileWebApp version="1.0"/>
                </application>

                """)
        #expect(try folder.text("apps/Shop/android/preview/default/index.html") == "1.10")
        #expect(try folder.text("apps/Shop/versions/android/1.9/preview/default/index.html") == "1.9")
        #expect(try folder.text("apps/Shop/common/preview/default/index.html") == "common")
        #expect(try folder.text("apps/Shop/mobileWebApp/www/default/js/a.js") == "a")
        let project = Project(reading: folder.project)
        #expect(project.problems.filter { $0.severity == .error } == [])
        #expect(project.applications.first?.environments.map(\.name) == ["android", "iphone", "mobileWebApp"])
    }

    @Test("Push credentials are in files that only their owner reads, and in no other file, report or remark")
    func secrets() throws {
        let folder = try ImportFolder()
        let report = try folder.run(try Self.shop(folder))
        let base = ".lamplighter/secrets/Shop-iphone-apns"
        for (path, text) in [
            "\(base).password": "SECRET-1", "\(base)-production.p12": "P12-A", "\(base)-sandbox.p12": "P12-B",
        ] {
            #expect(try folder.text(path) == text)
            #expect(try folder.permissions(path) == 0o600)
        }
        #expect(
            try folder.text("lamplighter.yaml") == """
                # Written by lamplighter import. docs/settings.md lists all settings.
                # Remove the # of these lines when this server shall send to the phones of the old server's users.
                # applications:
                #   Shop:
                #     apns:
                #       certificate: \(base)-production.p12
                #       password: ${file:\(base).password}
                #       environment: production

                """)
        let others = try folder.paths.filter { !$0.hasPrefix(".lamplighter/secrets/") }.map(folder.text)
        for text in others + ["\(report)"] {
            for secret in ["SECRET-1", "GCM-KEY", "P12-A", "P12-B"] { #expect(!text.contains(secret)) }
        }
        #expect(
            report.remarks == [
                "\(base)-sandbox.p12 is not used: lamplighter.yaml names \(base)-production.p12 for the application 'Shop'"
            ])
    }

    @Test("An archive of all archives of an application is opened")
    func all() throws {
        let folder = try ImportFolder()
        let parts = try Self.shop(folder).map { ($0.lastPathComponent, try Data(contentsOf: $0)) }
        var all = TestArchive([])
        all.entries = parts.map { ($0.0, $0.1) }
        _ = try folder.run([try folder.add("Shop-all.wlapp", all)])
        #expect(
            Project(reading: folder.project).applications.first?.environments.map(\.version) == ["1.10", "1.0", "1.0"])
    }

    @Test("A native application has a descriptor of its kind")
    func native() throws {
        let folder = try ImportFolder()
        let file = try folder.add(
            "Cart-Androidnative-1.0.wlapp",
            .application("Cart", environment: "Androidnative", facts: ["app.authentication.securitytest=UserTest"]))
        _ = try folder.run([file])
        let application = try #require(Project(reading: folder.project).applications.first)
        #expect(application.id == "Cart" && application.environments.map(\.name) == ["nativeAndroidApp"])
        #expect(application.environments.first?.securityTest == "UserTest")
    }

    @Test("In an existing project new files are added, and no file is overwritten")
    func existing() throws {
        let folder = try ImportFolder()
        let file = try folder.add("Orders.adapter", Self.orders)
        _ = try folder.run([file])
        #expect(try folder.run([file]).items.allSatisfy { if case .unchanged = $0.outcome { true } else { false } })
        try Data("changed".utf8).write(to: folder.project.appending(path: "adapters/Orders/Orders-impl.js"))
        try FileManager.default.removeItem(at: folder.project.appending(path: "adapters/Orders/filter.xsl"))
        let report = try folder.run([file])
        #expect(
            report.items.map(\.outcome) == [
                .unchanged("adapters/Orders/Orders.xml"), .different("adapters/Orders/Orders-impl.js"),
                .written("adapters/Orders/filter.xsl"),
            ])
        #expect(try folder.text("adapters/Orders/Orders-impl.js") == "changed")
        #expect(try folder.text("adapters/Orders/Orders-impl.js.imported").hasPrefix("function list()"))
        #expect(try folder.others(than: [file]) == ["shop"])
    }

    @Test(
        "A file that cannot be imported is an error that names it, and nothing is written",
        arguments: [
            (
                "a.zip", TestArchive([]).data,
                "a.zip: a file of this kind is not imported; expected .war, .wlapp, .adapter, server.xml or a keystore"
            ),
            ("A.adapter", Data("text".utf8), "A.adapter: not a zip archive"),
            ("A.adapter", orders.data.dropLast(60), "A.adapter: not a zip archive, or cut off"),
            (
                "A.adapter", TestArchive([("../x", "")]).data,
                "A.adapter: the entry '../x' is a link, has control characters, or lies outside"
            ),
            (
                "A.adapter", TestArchive([("/etc/x", "")]).data,
                "A.adapter: the entry '/etc/x' is a link, has control characters, or lies outside"
            ),
            ("A.adapter", TestArchive([("...xml", "<adapter >")]).data, "A.adapter: '..' is not an adapter's name"),
            ("A.adapter", TestArchive([(".xml", "<adapter >")]).data, "A.adapter: '' is not an adapter's name"),
            (
                "A.adapter", TestArchive([("a//x", "")]).data,
                "A.adapter: the entry 'a//x' is a link, has control characters, or lies outside"
            ),
            ("A.adapter", TestArchive([("a.txt", "")]).data, "A.adapter: there is no adapter in it"),
            ("a.war", TestArchive([("a.txt", "")]).data, "a.war: there is no WEB-INF/classes/conf/ in it"),
            ("a.wlapp", TestArchive([("a.txt", "")]).data, "a.wlapp: there is no meta/deployment.data in it"),
            (
                "a.wlapp", TestArchive.application("../a", environment: "android").data,
                "a.wlapp: meta/deployment.data: app.id is '../a'; expected letters"
            ),
            (
                "a.wlapp", TestArchive.application(environment: "watch").data,
                "a.wlapp: meta/deployment.data: app.environment is 'watch', which is not an environment of Worklight"
            ),
        ])
    func bad(name: String, data: Data, message: String) throws {
        let folder = try ImportFolder()
        let files = [try folder.add("Orders.adapter", Self.orders), try folder.add(name, data)]
        let error = try #require(throws: ImportError.self) { try folder.run(files) }
        #expect(error.description.hasPrefix(message))
        #expect(try folder.others(than: files) == [])
    }

    @Test("An archive that unpacks to more than it may, or has too many files, is refused")
    func bomb() throws {
        let folder = try ImportFolder()
        let file = try folder.add("A.adapter", TestArchive([("a", String(repeating: "0", count: 1 << 20)), ("b", "")]))
        for (var limits, reason) in [
            (ZipArchive.Limits(bytes: 1 << 19), "unpack to more than a gigabyte"),
            (ZipArchive.Limits(files: 1), "more than 50000 files"),
        ] {
            let target = folder.url.appending(path: UUID().uuidString)
            try FileManager.default.createDirectory(at: target, withIntermediateDirectories: true)
            let error = try #require(throws: ImportError.self) {
                try ZipArchive(unpacking: file, named: "A.adapter", into: target, limits: &limits)
            }
            #expect(error.description.contains(reason))
        }
    }

    @Test("The archives of an import share the limits")
    func sharedLimits() throws {
        let folder = try ImportFolder()
        let file = try folder.add("A.adapter", TestArchive([("a", String(repeating: "0", count: 100)), ("b", "")]))
        let target = folder.url.appending(path: "target")
        try FileManager.default.createDirectory(at: target, withIntermediateDirectories: true)
        var limits = ZipArchive.Limits(files: 10, bytes: 1000)
        _ = try ZipArchive(unpacking: file, named: "A.adapter", into: target, limits: &limits)
        #expect(limits.files == 8 && limits.bytes == 900)
    }

    @Test("An entry's name with control characters is refused, and the error spells them out")
    func controlCharacters() throws {
        let folder = try ImportFolder()
        let file = try folder.add("A.adapter", TestArchive([("a\u{1b}[2J", "")]))
        let error = try #require(throws: ImportError.self) { try folder.run([file]) }
        #expect(error.description.hasPrefix("A.adapter: the entry 'a\\u001b[2J"), "\(error)")
        #expect(!error.description.hasControlCharacters)
    }

    @Test(
        "An existing project with a link or a folder on the way is left as it is, and the error names the obstacle",
        arguments: ["adapters", "adapters/Orders", "adapters/Orders/filter.xsl"], [true, false])
    func obstacle(path: String, isLink: Bool) throws {
        guard isLink || path.hasSuffix(".xsl") else { return }
        let folder = try ImportFolder()
        let file = try folder.add("Orders.adapter", Self.orders)
        let outside = folder.url.appending(path: "outside")
        try FileManager.default.createDirectory(at: outside, withIntermediateDirectories: true)
        let obstacle = folder.project.appending(path: path)
        for made in [folder.project.appending(path: "server"), obstacle.deletingLastPathComponent()] {
            try FileManager.default.createDirectory(at: made, withIntermediateDirectories: true)
        }
        if isLink {
            // The link to a file leads nowhere.
            let target = path.hasSuffix(".xsl") ? outside.appending(path: "none") : outside
            try FileManager.default.createSymbolicLink(at: obstacle, withDestinationURL: target)
        } else {
            try FileManager.default.createDirectory(at: obstacle, withIntermediateDirectories: true)
        }
        let error = try #require(throws: ImportError.self) { try folder.run([file]) }
        #expect(error.description.hasPrefix("\(obstacle.path): it is a \(isLink ? "link" : "folder"); expected"))
        #expect(!folder.paths.contains("adapters/Orders/Orders.xml"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: outside.path) == [])
        #expect(try folder.others(than: [file]).sorted() == ["outside", "shop"])
    }

    @Test("Another's folder beside the project is not used for secrets")
    func stagingFolder() throws {
        let folder = try ImportFolder()
        let other = folder.url.appending(path: ".shop.import-\(ProcessInfo.processInfo.processIdentifier)")
        try FileManager.default.createDirectory(at: other, withIntermediateDirectories: true)
        _ = try folder.run([try folder.add("shop.war", Self.war)])
        #expect(try FileManager.default.contentsOfDirectory(atPath: other.path) == [])
    }

    @Test("A version that is passed twice counts once; with different contents it is refused")
    func repetition() throws {
        let folder = try ImportFolder()
        let files = try Self.shop(folder)
        var all = TestArchive([])
        all.entries = try files.map { ($0.lastPathComponent, try Data(contentsOf: $0)) }
        let report = try folder.run(files + [try folder.add("Shop-all.wlapp", all)])
        #expect(!folder.paths.contains { $0.hasPrefix("apps/Shop/versions/") && !$0.contains("/1.9/") })
        #expect(report.leftOut.contains(": it is the same as Shop-android-1.10.wlapp"))
        let other = try folder.add(
            "Shop-new.wlapp", .application(environment: "android", version: "1.10", files: [("www/default/a.js", "b")]))
        let error = #expect(throws: ImportError.self) { try folder.run(files + [other]) }
        #expect(error?.description.hasPrefix("Shop-new.wlapp: Shop-android-1.10.wlapp has the same version") == true)
    }

    @Test("A folder without a project, and a file, are refused as the project's folder")
    func noProject() throws {
        let folder = try ImportFolder()
        let file = try folder.add("Orders.adapter", Self.orders)
        try FileManager.default.createDirectory(at: folder.project, withIntermediateDirectories: true)
        try Data("x".utf8).write(to: folder.project.appending(path: "notes.txt"))
        let error = #expect(throws: ImportError.self) { try folder.run([file]) }
        #expect(error?.description.contains("it is a folder without a project") == true)
        let other = #expect(throws: ImportError.self) { try ProjectImport.run([file], to: file) }
        #expect(other?.description.contains("it is a file") == true)
    }

    @Test("Two archives with different contents for one file are refused")
    func conflict() throws {
        let folder = try ImportFolder()
        var other = Self.orders
        other.entries[1].content = Data("function list() {}".utf8)
        let files = [try folder.add("Orders.adapter", Self.orders), try folder.add("Orders-2.adapter", other)]
        let error = try #require(throws: ImportError.self) { try folder.run(files) }
        #expect(
            error.description
                == "Orders-2.adapter: 'Orders-impl.js' and a part of Orders.adapter would both be adapters/Orders/Orders-impl.js; leave one of the two files out"
        )
    }
}
