import Core
import Foundation
import Logging
import PushModel
import PushSandbox
import Storage
import TestSupport
import Testing

/// Walks through docs/moving.md with a project that an old server has left.
@Suite("The page about moving", .long, .defaultTimeLimit)
struct MovingDocumentTests {
    /// The commands of a page, in their order.
    private static func commands(of page: String) throws -> [String] {
        let text = try String(contentsOf: Command.repository.appending(path: "docs/\(page)"), encoding: .utf8)
        return text.split(separator: "\n").compactMap {
            $0.wholeMatch(of: /\s{4,}(lamplighter .*)/).map { String($0.1) }
        }
    }

    private static let authentication = """
        <tns:loginConfiguration xmlns:tns="http://www.worklight.com/auth/config"><securityTests>
        <mobileSecurityTest name="Phones"><testDeviceId provisioningType="none"/><testUser realm="Customers"/></mobileSecurityTest>
        <webSecurityTest name="Browsers"><testUser realm="Customers"/></webSecurityTest>
        </securityTests><realms><realm name="Customers" loginModule="Anybody">
        <className>com.worklight.core.auth.ext.FormBasedAuthenticator</className><parameter name="login-page" value="login.html"/></realm>
        </realms><loginModules><loginModule name="Anybody">
        <className>com.worklight.core.auth.ext.NonValidatingLoginModule</className></loginModule></loginModules></tns:loginConfiguration>
        """

    private static let script = """
        WL.Server.createEventSource({ name: 'Shipped' });
        function list() { return { orders: [{ id: 1, price: 2.5 }], store: 'STORE', responseTime: Math.random() }; }
        """

    /// A `.wlapp` file of an environment.
    private static func application(_ environment: String, _ facts: String, _ files: [(String, String)] = []) -> [(
        String, String
    )] {
        [
            (
                "meta/deployment.data",
                "app.id=Shop\napp.environment=\(environment)\napp.version=1.0\napp.displayname=Shop\n\(facts)"
            )
        ] + files
    }

    /// Writes the files of the old server.
    private func collect(_ folder: TemporaryFolder) async throws {
        func add(_ name: String, _ files: [(String, String)]) throws {
            try Data(zipArchive(files.map { (path: $0.0, text: $0.1) })).write(to: folder.url.appending(path: name))
        }
        let conf = "WEB-INF/classes/conf/"
        try add(
            "shop.war",
            [
                ("META-INF/MANIFEST.MF", "Manifest-Version: 1.0"), ("WEB-INF/web.xml", "<web-app/>"),
                (conf + "worklight.properties", "serverSessionTimeout=10\nstore.name=Old Town\n"),
                (conf + "authenticationConfig.xml", Self.authentication),
                (conf + "login.html", "<form method=\"post\" action=\"j_security_check\">${errorMessage}</form>"),
                ("WEB-INF/classes/com/worklight/server/bundle/project/A.class", "x"),
            ])
        try add("Shop-common.wlapp", Self.application("common", "", [("preview/default/index.html", "common")]))
        try add("Shop-iphone-1.0.wlapp", Self.application("iphone", "app.ios.bundle.id=com.example.shop"))
        try add("Shop-android-1.0.wlapp", Self.application("android", "app.authentication.securitytest=Phones"))
        let page =
            #"<script>WL = {StaticAppProps: {"WORKLIGHT_ROOT_URL": "/old/apps/services/api/Shop/mobilewebapp/"}}</script>"#
        try add(
            "Shop-mobilewebapp-1.0.wlapp",
            Self.application(
                "mobilewebapp", "app.authentication.securitytest=Browsers", [("www/default/index.html", page)]))
        try add(
            "Orders.adapter",
            [
                ("Orders.xml", adapterXML("Orders", procedures: ["list"])),
                ("Orders-impl.js", Self.script.replacing("STORE", with: "Old Town")),
            ])
        try folder.write(
            """
            <server><application id="shop" location="shop.war" context-root="/shop"/><keyStore id="defaultKeyStore" password="secret"/>
            <jndiEntry jndiName="shop/store.name" value="New Town"/></server>
            """, to: "server.xml")
        let keytool = try ChildProcess(
            "keytool",
            [
                "-genkeypair", "-keystore", folder.path("key.jks"), "-storetype", "JKS", "-storepass", "secret",
                "-keypass", "secret",
                "-alias", "default", "-keyalg", "RSA", "-dname", "CN=shop.example.com",
            ])
        try #require(await keytool.exitStatus == 0)
        let rows = try (0..<100).map { number in
            "(\(number),'device-\(number)','\(try DeviceToken(exampleOf: "\(number)", platform: .apple).value)','user \(number)')"
        }
        try folder.write(
            """
            -- MySQL dump 10.13
            CREATE TABLE `NOTIFICATION_DEVICE` (`ID` bigint, `UUID` varchar(64), `TOKEN` varchar(512), `USERID` varchar(255));
            INSERT INTO `NOTIFICATION_DEVICE` VALUES \(rows.joined(separator: ","));
            -- Dump completed
            """, to: "worklight.sql")
        try folder.write(
            """
            application: Shop
            login: {form: {user: ann, password: x}}
            calls: [Orders/list: []]
            """, to: "calls.yaml")
    }

    @Test("leads from the files of an old server to all of its devices, with the commands that it shows")
    func walk() async throws {
        let folder = try TemporaryFolder()
        try await collect(folder)
        let commands = try Self.commands(of: "moving.md")
        #expect(
            commands.map { $0.split(separator: " ")[1] } == ["import", "check", "serve", "call", "compare"],
            "\(commands)")

        let imported = try await Command.shell(commands[0], in: folder.url)
        try #require(imported.status == 0, "\(imported)")
        #expect(imported.output.contains("-> .lamplighter/secrets/key.key.pem"), "\(imported.output)")
        let checked = try await Command.shell(commands[1], in: folder.url)
        #expect(checked.errors.contains(": 0 errors, 3 warnings"), "\(checked)")
        let sandbox = try await PushSandbox.start(logger: Logger(label: "sandbox") { _ in SwiftLogNoOpLogHandler() })
        let settings = try String(contentsOfFile: folder.path("shop/lamplighter.yaml"), encoding: .utf8)
        #expect(settings.contains("contextRoot: /shop"))

        // The old server has another name in a result.
        try FileManager.default.copyItem(atPath: folder.path("shop"), toPath: folder.path("old"))
        try folder.write(Self.script.replacing("STORE", with: "Older Town"), to: "old/adapters/Orders/Orders-impl.js")
        for project in ["shop", "old"] {
            try TestCertificates.giveServerKey(to: folder.url.appending(path: "\(project)/.lamplighter"))
        }
        let old = try await ServerProcess([folder.path("old")])
        #expect(commands[2] == "lamplighter serve shop")
        let server = try await ServerProcess([folder.path("shop")])
        let called = try await Command.shell(commands[3], in: folder.url)
        #expect(called.output.contains(#""store":"Old Town""#), "\(called)")
        let compared = try await Command.shell(
            commands[4].replacing("http://old.example.com:10080", with: old.url), in: folder.url)
        #expect(compared.output == "different Orders/list []\n  store: \"Older Town\" -> \"Old Town\"\n", "\(compared)")
        _ = await old.end(with: SIGTERM)
        _ = await server.end(with: SIGTERM)

        let proposal = try await Command.shell(
            "lamplighter import-devices worklight.sql --project shop", in: folder.url)
        #expect(proposal.errors.contains("nothing was imported"), "\(proposal)")
        var mapping = try String(contentsOfFile: folder.path("worklight.mapping.yaml"), encoding: .utf8)
        mapping.replace("confirmed: false", with: "confirmed: true")
        mapping.replace(#/  #? ?device:.*\n/#, with: "  device: UUID\n")
        mapping.replace(#/  user:.*\n/#, with: "  user: USERID\n")
        try folder.write(mapping, to: "worklight.mapping.yaml")
        let devices = try await Command.shell("lamplighter import-devices worklight.sql --project shop", in: folder.url)
        #expect(devices.output == "rows: 100\nimported: 100\n", "\(devices) \(mapping)")

        try folder.useAPNs(of: sandbox, in: "shop/", and: settings + "mode: production")
        let production = try await ServerProcess([folder.path("shop")])
        let sent = try await Command.shell("lamplighter send hi --everybody --project shop", in: folder.url)
        #expect(sent.status == 0, "\(sent)")
        _ = await sandbox.waitForArrivals(100, of: .apns)
        #expect(Set(sandbox.arrivals(of: .apns).compactMap(\.token)).count == 100)
        let page = try await Command.shell(
            "curl -s \(production.url)/shop/apps/services/www/Shop/mobilewebapp/", in: folder.url)
        #expect(page.output.contains("j_security_check"), "\(page)")
        #expect(await production.end(with: SIGTERM) == 0)
        await sandbox.stop()
    }
}
