import Foundation

/// Reads authenticationConfig.xml (server-api 5.3).
struct AuthenticationReader {
    private typealias Configuration = AuthenticationConfiguration

    private let reader: DocumentReader

    static func read(
        _ data: Data, properties: WorklightProperties, problems: ProblemList
    ) -> AuthenticationConfiguration {
        let reader = DocumentReader(path: AuthenticationConfiguration.path, problems: problems)
        var unreadable = AuthenticationConfiguration()
        unreadable.isReadable = false
        guard let root = reader.root(of: data, expandedBy: properties) else { return unreadable }
        guard root.name == "loginConfiguration" else {
            reader.error(root, "expected a 'loginConfiguration' element, found '\(root.name)'")
            return unreadable
        }
        reader.checkVocabulary(of: root, children: ["staticResources", "securityTests", "realms", "loginModules"])
        // Realms and login modules keep their own: only those that something uses must be complete.
        reader.reportUnresolved(in: root, children: ["staticResources", "securityTests"])
        return AuthenticationReader(reader: reader).read(root)
    }

    private func read(_ root: XMLElement) -> Configuration {
        var configuration = Configuration()
        checkChildren(root["realms"], "realm")
        checkChildren(root["loginModules"], "loginModule")
        checkChildren(root["staticResources"], "resource")
        configuration.staticResources = root["staticResources"]?.all("resource").compactMap(resource) ?? []
        configuration.securityTests = root["securityTests"]?.children.compactMap(securityTest) ?? []
        configuration.realms = root["realms"]?.all("realm").compactMap(realm) ?? []
        configuration.loginModules = root["loginModules"]?.all("loginModule").compactMap(loginModule) ?? []
        tellDuplicates("security test", configuration.securityTests.map { ($0.name, $0.line) })
        tellDuplicates("realm", configuration.realms.map { ($0.name, $0.line) })
        tellDuplicates("login module", configuration.loginModules.map { ($0.name, $0.line) })
        return configuration
    }

    /// Warns of elements in a list that are of another kind.
    private func checkChildren(_ list: XMLElement?, _ name: String) {
        guard let list else { return }
        reader.checkVocabulary(of: list, children: [name])
    }

    private func resource(_ element: XMLElement) -> Configuration.StaticResource? {
        reader.checkVocabulary(of: element, attributes: ["id", "securityTest"], children: ["urlPatterns"])
        guard let id = name(of: element, "id") else { return nil }
        let patterns = element["urlPatterns"]?.content ?? ""
        return Configuration.StaticResource(
            id: id, securityTest: element.attributes["securityTest"],
            urlPatterns: patterns.split(separator: ";").map { $0.trimmingCharacters(in: .whitespacesAndNewlines) },
            line: element.line)
    }

    private func securityTest(_ element: XMLElement) -> Configuration.SecurityTest? {
        guard let kind = Configuration.SecurityTest.Kind(rawValue: element.name) else {
            reader.warning(
                element,
                "'\(element.name)' is not a security test and is ignored; expected mobileSecurityTest, webSecurityTest or "
                    + "customSecurityTest")
            return nil
        }
        guard let name = name(of: element, "name") else { return nil }
        if name == Configuration.unprotectedTest {
            reader.error(element, "the security test '\(name)' is built in and cannot be defined")
        }
        let tests = element.children.flatMap { kind == .custom ? custom($0) : predefined($0) }
        return Configuration.SecurityTest(
            name: name, kind: kind, tests: implied(by: kind, element) + tests, line: element.line)
    }

    /// Returns the implied tests of every mobile and web test.
    private func implied(by kind: Configuration.SecurityTest.Kind, _ element: XMLElement) -> [Configuration.Test] {
        switch kind {
        case .custom: []
        case .web: [test("wl_antiXSRFRealm", element)]
        case .mobile: [test("wl_antiXSRFRealm", element), test("wl_remoteDisableRealm", element)]
        }
    }

    private func test(
        _ realm: String, _ element: XMLElement, isUser: Bool = false, isDevice: Bool = false, isShared: Bool = false
    ) -> Configuration.Test {
        Configuration.Test(
            realm: realm, step: nil, isInternalUserID: isUser, isInternalDeviceID: isDevice, isSharedOnDevice: isShared,
            mode: element.attributes["mode"], provisioningType: element.attributes["provisioningType"],
            line: element.line)
    }

    /// The tests that mobile and web tests name.
    private func predefined(_ element: XMLElement) -> [Configuration.Test] {
        switch element.name {
        case "testUser":
            reader.checkVocabulary(of: element, attributes: ["realm", "sso"])
            let isShared = reader.flag(element.attributes["sso"], "sso", of: element, standard: false)
            return name(of: element, "realm").map { [test($0, element, isUser: true, isShared: isShared)] } ?? []
        case "testDeviceId":
            reader.checkVocabulary(of: element, attributes: ["provisioningType", "realm"])
            let realm =
                element.attributes["realm"]
                ?? (element.attributes["provisioningType"] == "auto"
                    ? "wl_deviceAutoProvisioningRealm" : "wl_deviceNoProvisioningRealm")
            return [test(realm, element, isDevice: true)]
        case "testAppAuthenticity": return [test("wl_authenticityRealm", element)]
        case "testDirectUpdate": return [test("wl_directUpdateRealm", element)]
        default:
            reader.warning(
                element,
                "'\(element.name)' is not a test and is ignored; expected testUser, testDeviceId, testAppAuthenticity or "
                    + "testDirectUpdate")
            return []
        }
    }

    private func custom(_ element: XMLElement) -> [Configuration.Test] {
        guard element.name == "test" else {
            reader.warning(element, "'\(element.name)' is not a test and is ignored; expected 'test'")
            return []
        }
        reader.checkVocabulary(
            of: element, attributes: ["realm", "step", "isInternalUserID", "isInternalDeviceID", "mode"])
        guard let realm = name(of: element, "realm") else { return [] }
        let step = element.attributes["step"].map { text in
            reader.integer(text, "step", of: element, in: 1...1000, standard: 1)
        }
        return [
            Configuration.Test(
                realm: realm, step: step,
                isInternalUserID: reader.flag(
                    element.attributes["isInternalUserID"], "isInternalUserID", of: element, standard: false),
                isInternalDeviceID: reader.flag(
                    element.attributes["isInternalDeviceID"], "isInternalDeviceID", of: element, standard: false),
                isSharedOnDevice: false, mode: element.attributes["mode"], provisioningType: nil, line: element.line)
        ]
    }

    private func realm(_ element: XMLElement) -> Configuration.Realm? {
        reader.checkVocabulary(
            of: element, attributes: ["name", "loginModule"], children: ["className", "parameter", "onLoginUrl"])
        guard let name = name(of: element, "name") else { return nil }
        if element["className"]?.content == nil {
            reader.error(element, "the realm '\(name)' has no 'className'; expected its authenticator's class")
        }
        return Configuration.Realm(
            name: name, loginModule: element.attributes["loginModule"], className: element["className"]?.content,
            onLoginURL: element["onLoginUrl"]?.content, parameters: parameters(element),
            unresolvedKeys: element.allUnresolvedKeys, line: element.line)
    }

    private func loginModule(_ element: XMLElement) -> Configuration.LoginModule? {
        reader.checkVocabulary(
            of: element,
            attributes: [
                "name", "audit", "expirationInSeconds", "canBeResourceLogin", "isIdentityAssociationKey",
                "ssoDeviceLoginModule",
            ], children: ["className", "parameter"])
        guard let name = name(of: element, "name") else { return nil }
        let attributes = element.attributes
        return Configuration.LoginModule(
            name: name, className: element["className"]?.content,
            isAudited: reader.flag(attributes["audit"], "audit", of: element, standard: false),
            expiration: reader.number(
                attributes["expirationInSeconds"], "expirationInSeconds", of: element, from: -1,
                expected: "a number of seconds, or -1 for never") ?? 3600,
            canBeResourceLogin: reader.flag(
                attributes["canBeResourceLogin"], "canBeResourceLogin", of: element, standard: false),
            isIdentityAssociationKey: reader.flag(
                attributes["isIdentityAssociationKey"], "isIdentityAssociationKey", of: element, standard: false),
            ssoDeviceLoginModule: attributes["ssoDeviceLoginModule"], parameters: parameters(element),
            unresolvedKeys: element.allUnresolvedKeys, line: element.line)
    }

    private func parameters(_ element: XMLElement) -> [Configuration.Parameter] {
        element.all("parameter").compactMap { parameter in
            guard let name = name(of: parameter, "name") else { return nil }
            return Configuration.Parameter(name: name, value: parameter.attributes["value"] ?? parameter.content ?? "")
        }
    }

    private func name(of element: XMLElement, _ attribute: String) -> String? {
        if let name = element.attributes[attribute], !name.isEmpty { return name }
        reader.error(element, "'\(element.name)' has no '\(attribute)' attribute")
        return nil
    }

    private func tellDuplicates(_ kind: String, _ names: [(name: String, line: Int)]) {
        var lines: [String: Int] = [:]
        for (name, line) in names {
            if let first = lines[name] {
                reader.problems.add(
                    ProjectError(
                        .error, file: reader.path, line: line,
                        "the \(kind) '\(name)' is defined on line \(first) already; rename or remove one of them"))
            } else {
                lines[name] = line
            }
        }
    }
}
