import TestSupport
import Testing
import WorklightProject

@Suite("Application descriptors")
struct ApplicationDescriptorTests {
    private func read(_ xml: String, files: [String: String] = [:]) throws -> Project {
        let folder = try TemporaryFolder(
            files.merging(["adapters/.keep": "", "apps/App/application-descriptor.xml": xml]) { $1 })
        return withExtendedLifetime(folder) { Project(reading: folder.url) }
    }

    private static let hybrid = """
        <application id="App" platformVersion="6.2.0.0" xmlns="http://www.worklight.com/application-descriptor">
          <displayName>My app</displayName><description>Does things</description>
          <mainFile>index.html</mainFile><features/>
          <iphone bundleId="com.example.app" version="1.0" securityTest="T"><pushSender password="apple"/></iphone>
          <android version="1.1"><pushSender key="google" senderId="42"/></android>
          <windowsPhone8 version="1.2"><pushSender serviceName="s" keyAlias="k" keyAliasPassword="p"/></windowsPhone8>
          <windows8 version="1.3">
            <pushSender clientSecret="c" packageSID="sid" appIdentityName="n" appIdentityPublisher="pub"/></windows8>
          <smsGateway id="gate"/>
          <tags><tag><name>news</name><description>All news</description></tag><tag><name>sport</name></tag></tags>
          <userIdentityRealms>First, Second</userIdentityRealms>
          <accessTokenExpiration>600</accessTokenExpiration>
        </application>
        """

    @Test("windowsPhoneUniversal of 7.1 is an environment")
    func universal() throws {
        let project = try read(
            Self.hybrid.replacing("windowsPhone8", with: "windowsPhoneUniversal"),
            files: ["server/conf/SMSConfig.xml": "<sms><gateway id='gate' hostname='h'/></sms>"])
        #expect(project.application(id: "App")?.environment(named: "windowsPhoneUniversal")?.version == "1.2")
        let ignored = project.problems.filter { $0.severity == .note }.map(\.message)
        #expect(ignored == ["ignored, since they are for building the client: features"])
    }

    @Test("Placeholders without a value in elements that only the client's build reads are no problem")
    func unresolvedAndIgnored() throws {
        let project = try read(
            """
            <application id="App" xmlns="http://www.worklight.com/application-descriptor">
            <worklightServerRootURL>http://${local.IPAddress}:${local.httpPort}${own.path}</worklightServerRootURL>
            <android version="1.0"><security><publicSigningKey>${signing.key}</publicSigningKey></security></android>
            </application>
            """)
        #expect(project.application(id: "App")?.environments.map(\.name) == ["android"])
        #expect(project.problems.map(\.severity) == [.note])
    }

    @Test("The machine's own keys have a value, or are a warning, and the application is loaded")
    func localKeys() throws {
        let project = try read(
            """
            <application id="App" xmlns="http://www.worklight.com/application-descriptor">
            <displayName>at ${local.IPAddress}</displayName>
            <description>${local.nobodyKnows}</description>
            </application>
            """)
        let application = try #require(project.application(id: "App"))
        #expect(application.displayName?.wholeMatch(of: /at \d+\.\d+\.\d+\.\d+/) != nil)
        #expect(
            project.problems.map(\.description) == [
                "apps/App/application-descriptor.xml:3: warning: ${local.nobodyKnows} is not defined; add a line "
                    + "local.nobodyKnows=… to server/conf/worklight.properties, or set the environment variable "
                    + "LAMPLIGHTER_PROPERTY_LOCAL_NOBODYKNOWS"
            ])
    }

    @Test("A placeholder without a value in an element that the server reads is an error")
    func unresolved() throws {
        let project = try read(
            """
            <application id="App" xmlns="http://www.worklight.com/application-descriptor">
            <android version="1.0"><pushSender key="k" senderId="${sender}"/></android>
            </application>
            """)
        #expect(project.applications == [])
        #expect(project.problems.map(\.severity) == [.error])
        #expect(project.problems.first?.message.hasPrefix("${sender} is not defined") == true)
    }

    @Test("A hybrid application's environments, push senders, tags and realms are read")
    func hybrid() throws {
        let project = try read(
            Self.hybrid,
            files: ["server/conf/SMSConfig.xml": "<sms><gateway id='gate' hostname='h'/></sms>"])
        let app = try #require(project.application(id: "App"))
        #expect(app.displayName == "My app" && app.description == "Does things" && app.platformVersion == "6.2.0.0")
        #expect(app.environments.map(\.name) == ["iphone", "android", "windowsPhone8", "windows8"])
        #expect(app.environments.map(\.version) == ["1.0", "1.1", "1.2", "1.3"])
        let iphone = try #require(app.environment(named: "iphone"))
        #expect(
            iphone.bundleID == "com.example.app" && iphone.securityTest == "T" && iphone.pushSender?.password == "apple"
        )
        let google = app.environment(named: "android")?.pushSender
        #expect(google?.key == "google" && google?.senderID == "42")
        let phone = app.environment(named: "windowsPhone8")?.pushSender
        #expect(phone?.serviceName == "s" && phone?.keyAlias == "k" && phone?.keyAliasPassword == "p")
        let windows = app.environment(named: "windows8")?.pushSender
        #expect(windows?.clientSecret == "c" && windows?.packageSID == "sid")
        #expect(windows?.appIdentityName == "n" && windows?.appIdentityPublisher == "pub")
        #expect(app.tags.map(\.name) == ["news", "sport"] && app.tags[0].description == "All news")
        #expect(app.userIdentityRealms == ["First", "Second"])
        #expect(app.accessTokenExpiration == 600 && app.smsGateway == "gate")
    }

    @Test("Elements for the client's build are noted in one line")
    func ignored() throws {
        let notes = try read(Self.hybrid).problems.filter { $0.severity == .note }
        #expect(
            notes.map(\.description) == [
                "apps/App/application-descriptor.xml:1: note: ignored, since they are for building the client: features"
            ])
    }

    @Test(
        "A native application is its own environment",
        arguments: [
            ("nativeIOSApp", "http://www.worklight.com/native-ios-descriptor"),
            ("nativeAndroidApp", "http://www.worklight.com/native-android-descriptor"),
            ("nativeWindowsPhone8App", "http://www.ibm.com/mfp/native-windowsphone8-descriptor"),
        ])
    func native(name: String, namespace: String) throws {
        let app = try #require(
            try read(
                """
                <\(name) id="App" platformVersion="7.0" version="1.0" securityTest="T" bundleId="b" xmlns="\(namespace)">
                <displayName>N</displayName><pushSender password="p" key="k"/></\(name)>
                """
            ).application(id: "App"))
        #expect(app.environments.map(\.name) == [name])
        #expect(app.environments[0].version == "1.0" && app.environments[0].securityTest == "T")
        #expect(app.environments[0].pushSender?.password == "p")
    }

    @Test("Apple's certificates are found, those of the environment first")
    func certificates() throws {
        let project = try read(
            Self.hybrid,
            files: [
                "apps/App/apns-certificate-sandbox.p12": "x", "apps/App/apns-certificate-production.p12": "x",
                "apps/App/iphone/apns-certificate-production.p12": "x",
            ])
        let certificates = project.application(id: "App")?.environment(named: "iphone")?.certificates ?? []
        #expect(
            certificates.map(\.path) == [
                "apps/App/apns-certificate-sandbox.p12", "apps/App/iphone/apns-certificate-production.p12",
            ])
        #expect(certificates.map(\.kind) == [.sandbox, .production])
    }

    @Test("A problem in a descriptor is reported with its line, and the application is left out")
    func wrong() throws {
        for (xml, reason) in [
            ("<app/>", "expected an 'application'"), ("<application id='x'/>", "expected a namespace"),
            ("<application xmlns='http://www.worklight.com/application-descriptor'/>", "no 'id'"),
            ("<application", "not well-formed"),
        ] {
            let project = try read(xml)
            #expect(project.applications == [])
            #expect(project.problems.first?.place.hasPrefix("apps/App/application-descriptor.xml:1") == true)
            #expect(project.problems.first?.message.contains(reason) == true)
        }
    }

    @Test("Two applications cannot have one id")
    func duplicate() throws {
        let project = try read(Self.hybrid, files: ["apps/Other/application-descriptor.xml": Self.hybrid])
        #expect(project.applications.count == 1)
        #expect(
            project.problems.contains {
                $0.message.contains("is the id of apps/App/application-descriptor.xml already")
            })
    }

    @Test("An SMS gateway that is not defined is reported")
    func missingGateway() throws {
        #expect(
            try read(Self.hybrid).problems.contains {
                $0.message == "smsGateway 'gate' is not defined in server/conf/SMSConfig.xml"
            })
    }
}

extension ApplicationDescriptor {
    fileprivate func environment(named name: String) -> Environment? { environments.first { $0.name == name } }
}
