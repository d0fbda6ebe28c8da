import Foundation

/// Reads an application's descriptor (server-api 5.2).
struct ApplicationReader {
    /// The environments of hybrid applications, by the names of their elements.
    private static let environments: Set = [
        "iphone", "ipad", "android", "blackberry", "blackberry10", "windowsPhone", "windowsPhone8",
        "windowsPhoneUniversal", "windows8", "mobileWebApp", "desktopBrowser", "adobeAir", "air", "macOSDashboard",
        "vistaSidebar", "facebook", "iGoogle",
        "embeddedPage",
    ]

    /// The elements in the root that a server needs; the rest is for building the client.
    private static let used: Set = [
        "displayName", "description", "tags", "smsGateway", "pushSender", "userIdentityRealms", "accessTokenExpiration",
        "usage", "mainFile",
    ]

    /// The elements in an environment's that a server needs.
    private static let usedOfEnvironment: Set = ["pushSender", "smsGateway"]

    private let reader: DocumentReader
    private let project: URL

    /// - Returns: `nil` when there are errors, which are reported.
    static func read(
        _ data: Data, path: String, project: URL, properties: WorklightProperties, problems: ProblemList
    ) -> ApplicationDescriptor? {
        let reader = DocumentReader(path: path, problems: problems)
        let errors = problems.errors
        guard let root = reader.root(of: data, expandedBy: properties) else { return nil }
        let application = ApplicationReader(reader: reader, project: project).read(root)
        return problems.errors == errors ? application : nil
    }

    private func read(_ root: XMLElement) -> ApplicationDescriptor? {
        let isNative = root.name.hasPrefix("native")
        guard isNative || root.name == "application" else {
            reader.error(root, "expected an 'application' or a 'native…App' element, found '\(root.name)'")
            return nil
        }
        guard
            root.namespace.hasPrefix("http://www.worklight.com/") || root.namespace.hasPrefix("http://www.ibm.com/mfp/")
        else {
            reader.error(
                root,
                "expected a namespace such as http://www.worklight.com/application-descriptor, found "
                    + (root.namespace.isEmpty ? "none" : root.namespace))
            return nil
        }
        guard let id = root.attributes["id"], !id.isEmpty else {
            reader.error(root, "the application has no 'id' attribute")
            return nil
        }
        noteIgnored(root)
        reader.reportUnresolved(in: root, children: Self.used)
        let elements = isNative ? [root] : root.children.filter { Self.environments.contains($0.name) }
        for element in elements where !isNative {
            reader.reportUnresolved(in: element, children: Self.usedOfEnvironment)
        }
        return ApplicationDescriptor(
            id: id, displayName: root["displayName"]?.content, description: root["description"]?.content,
            platformVersion: root.attributes["platformVersion"], environments: elements.map(environment),
            tags: tags(root), userIdentityRealms: realms(root), startupRealms: root["usage"].map(startupRealms) ?? [],
            accessTokenExpiration: reader.number(
                root["accessTokenExpiration"]?.content, "accessTokenExpiration",
                of: root["accessTokenExpiration"] ?? root, from: 0, expected: "a number of seconds"),
            smsGateway: (root["smsGateway"] ?? elements.compactMap { $0["smsGateway"] }.first)?.attributes["id"],
            mainFile: mainFile(root), path: reader.path)
    }

    /// In 5.0 and 6.x an element of the application. A path is not the name of a file.
    private func mainFile(_ root: XMLElement) -> String? {
        guard let name = root["mainFile"]?.content?.trimmingCharacters(in: .whitespacesAndNewlines), !name.isEmpty
        else {
            return nil
        }
        guard !name.contains("/"), !name.hasPrefix(".") else {
            reader.warning(
                root["mainFile"] ?? root, "expected the name of a file, found '\(name)'; index.html is served")
            return nil
        }
        return name
    }

    private func environment(_ element: XMLElement) -> ApplicationDescriptor.Environment {
        let push = element["pushSender"]
        return ApplicationDescriptor.Environment(
            name: element.name, version: element.attributes["version"],
            securityTest: element.attributes["securityTest"], bundleID: element.attributes["bundleId"],
            pushSender: push.map(pushSender), certificates: certificates(environment: element.name),
            line: element.line)
    }

    private func pushSender(_ element: XMLElement) -> ApplicationDescriptor.PushSender {
        reader.checkVocabulary(
            of: element,
            attributes: [
                "password", "key", "senderId", "clientSecret", "packageSID", "appIdentityName", "appIdentityPublisher",
                "serviceName", "keyAlias", "keyAliasPassword",
            ], children: ["authenticatedPush"])
        let certificate = element["authenticatedPush"]
        return ApplicationDescriptor.PushSender(
            password: element.attributes["password"], key: element.attributes["key"],
            senderID: element.attributes["senderId"], clientSecret: element.attributes["clientSecret"],
            packageSID: element.attributes["packageSID"], appIdentityName: element.attributes["appIdentityName"],
            appIdentityPublisher: element.attributes["appIdentityPublisher"],
            serviceName: element.attributes["serviceName"] ?? certificate?.attributes["serviceName"],
            keyAlias: element.attributes["keyAlias"] ?? certificate?.attributes["keyAlias"],
            keyAliasPassword: element.attributes["keyAliasPassword"] ?? certificate?.attributes["keyAliasPassword"],
            line: element.line)
    }

    /// A file in the environment's folder goes before one beside the descriptor.
    private func certificates(environment: String) -> [ApplicationDescriptor.APNSCertificate] {
        let folder = (reader.path as NSString).deletingLastPathComponent
        return ApplicationDescriptor.APNSCertificate.Kind.allCases.compactMap { kind in
            let name = "apns-certificate-\(kind.rawValue).p12"
            let path = ["\(folder)/\(environment)/\(name)", "\(folder)/\(name)"].first { path in
                FileManager.default.fileExists(atPath: project.appending(path: path).path)
            }
            return path.map { ApplicationDescriptor.APNSCertificate(kind: kind, path: $0) }
        }
    }

    private func tags(_ root: XMLElement) -> [ApplicationDescriptor.Tag] {
        var tags: [ApplicationDescriptor.Tag] = []
        for element in root["tags"]?.all("tag") ?? [] {
            guard let name = element.value("name") else {
                reader.error(element, "a tag has no 'name'")
                continue
            }
            if tags.contains(where: { $0.name == name }) {
                reader.warning(element, "the tag '\(name)' is declared twice; this one is ignored")
            } else {
                tags.append(ApplicationDescriptor.Tag(name: name, description: element.value("description")))
            }
        }
        return tags
    }

    private func realms(_ root: XMLElement) -> [String] {
        let text = root["userIdentityRealms"]?.content ?? root.attributes["userIdentityRealms"] ?? ""
        return text.split(separator: ",").map { $0.trimmingCharacters(in: .whitespacesAndNewlines) }
            .filter { !$0.isEmpty }
    }

    /// `usage` of 5.0, which `securityTest` of an environment replaced. With `onDemand` users log in when something asks for it, and with
    /// `never` nothing does: both ask for nothing when the application starts.
    private func startupRealms(_ usage: XMLElement) -> [ApplicationDescriptor.StartupRealm] {
        reader.checkVocabulary(of: usage, attributes: ["requireAuthentication"], children: ["realm"])
        enum Moment: String, CaseIterable { case onStartup, onDemand, never }
        let moment = reader.choice(
            usage.attributes["requireAuthentication"], "requireAuthentication", of: usage, standard: Moment.never)
        guard moment == .onStartup else { return [] }
        let realms = usage.all("realm").compactMap { realm in
            realm.value("name").map { ApplicationDescriptor.StartupRealm(name: $0, line: realm.line) }
        }
        if realms.isEmpty {
            reader.error(
                usage, "requireAuthentication=\"onStartup\" names no realm; expected <realm name=\"…\"/> in usage")
        }
        return realms
    }

    /// Much of the file is for the client's build; one line says so.
    private func noteIgnored(_ root: XMLElement) {
        let ignored = root.children.map(\.name).filter { !Self.used.contains($0) && !Self.environments.contains($0) }
        guard !ignored.isEmpty else { return }
        let names = Set(ignored).sorted().joined(separator: ", ")
        reader.note(root, "ignored, since they are for building the client: \(names)")
    }
}
