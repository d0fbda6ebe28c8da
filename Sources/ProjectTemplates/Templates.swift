/// New projects and adapters: small, and tested.
public enum Templates {
    /// The security tests that a new adapter names, where the project has such.
    public struct SecurityTests: Sendable, Hashable {
        /// Who passes it is a user who is logged in.
        public var user: String?
        /// No client passes it.
        public var backEnd: String?

        public init(user: String? = nil, backEnd: String? = nil) {
            self.user = user
            self.backEnd = backEnd
        }

        /// Those of a new project.
        static let ofProject = SecurityTests(user: "UserTest", backEnd: backEndTest)
    }

    /// What ``project(named:)`` calls the test that only back ends pass.
    public static let backEndTest = "BackEndTest"

    /// A project with one adapter, for push.
    ///
    /// - Throws: ``NewFilesError`` when it cannot be called so.
    public static func project(named name: String) throws(NewFilesError) -> NewFiles {
        try check(name, of: "project")
        let values = ["name": name, "lowercase": name.lowercased()]
        let files = [
            ("README.md", EmbeddedText.project_md), (".gitignore", EmbeddedText.gitignore),
            ("lamplighter.yaml", EmbeddedText.lamplighter_yaml),
            ("apps/\(name)/application-descriptor.xml", EmbeddedText.application_descriptor_xml),
            ("server/conf/authenticationConfig.xml", EmbeddedText.authenticationConfig_xml),
            ("server/conf/users", EmbeddedText.users),
            ("server/conf/worklight.properties", EmbeddedText.worklight_properties),
        ].map { NewFiles.File(path: $0.0, text: fill($0.1, values), isShared: false) }
        return NewFiles(
            files: files + (try adapter(named: "Messages", kind: .push, tests: .ofProject).files))
    }

    /// An adapter with its test, and the declarations for editors where they are missing.
    ///
    /// - Throws: ``NewFilesError`` when it cannot be called so.
    public static func adapter(
        named name: String, kind: AdapterKind, tests: SecurityTests
    ) throws(NewFilesError) -> NewFiles {
        try check(name, of: "adapter")
        func line(_ before: String, _ test: String?, _ after: String) -> String {
            test.map { before + $0 + after } ?? ""
        }
        let values = [
            "name": name, "attribute": line(" securityTest=\"", tests.user, "\""),
            "backEndAttribute": line(" securityTest=\"", tests.backEnd, "\""),
            "option": line("    securityTest: \"", tests.user, "\",\n"),
        ]
        let (xml, script, test) = texts(of: kind)
        let own = [
            ("\(name).xml", xml), ("\(name)-impl.js", script), ("\(name).test.js", test),
            ("jsconfig.json", EmbeddedText.jsconfig_json),
        ].map { NewFiles.File(path: "adapters/\(name)/\($0.0)", text: fill($0.1, values), isShared: false) }
        let shared = [("worklight.d.ts", worklightDeclarations), ("harness.d.ts", harnessDeclarations)]
        return NewFiles(
            files: own + shared.map { NewFiles.File(path: "adapters/\($0.0)", text: $0.1, isShared: true) })
    }

    /// A script in place of a Java authenticator or login module.
    ///
    /// - Parameters:
    ///   - name: the simple name of the class.
    ///   - path: the file to make, relative to the project's folder.
    public static func realmScript(named name: String, path: String, isLoginModule: Bool) -> NewFiles {
        let text = isLoginModule ? EmbeddedText.loginModule_js : EmbeddedText.authenticator_js
        return NewFiles(files: [NewFiles.File(path: path, text: fill(text, ["name": name]), isShared: false)])
    }

    /// What scripts can call, as adapters/worklight.d.ts has it.
    public static var worklightDeclarations: String {
        EmbeddedText.worklight_d_ts
    }

    /// What tests can call, as adapters/harness.d.ts has it.
    public static var harnessDeclarations: String {
        EmbeddedText.harness_d_ts
    }

    private static func texts(of kind: AdapterKind) -> (xml: String, script: String, test: String) {
        switch kind {
        case .push: (EmbeddedText.push_xml, EmbeddedText.push_impl_js, EmbeddedText.push_test_js)
        case .http: (EmbeddedText.http_xml, EmbeddedText.http_impl_js, EmbeddedText.http_test_js)
        case .sql: (EmbeddedText.sql_xml, EmbeddedText.sql_impl_js, EmbeddedText.sql_test_js)
        case .plain: (EmbeddedText.plain_xml, EmbeddedText.plain_impl_js, EmbeddedText.plain_test_js)
        }
    }

    private static func check(_ name: String, of kind: String) throws(NewFilesError) {
        if let problem = problem(withName: name, of: kind) { throw NewFilesError(problem) }
    }

    /// Returns why a name is not valid; `nil` when it is valid. Projects and adapters have the same rule, because an
    /// application has the name of its project.
    ///
    /// - Parameter kind: `adapter` or `project`.
    public static func problem(withName name: String, of kind: String) -> String? {
        guard name.wholeMatch(of: /[A-Za-z][A-Za-z0-9_]*/) == nil else { return nil }
        return
            "the name '\(name)' is not valid for \(kind == "adapter" ? "an" : "a") \(kind): expected a letter, then letters, "
            + "digits and '_'"
    }

    private static func fill(_ template: String, _ values: [String: String]) -> String {
        values.reduce(template) { $0.replacing("{{\($1.key)}}", with: $1.value) }
    }
}

/// What a new adapter is for.
public enum AdapterKind: String, Sendable, Hashable, CaseIterable {
    /// Notifies users on their devices.
    case push
    /// Asks a back end over HTTP.
    case http
    /// Keeps something in a database.
    case sql
    /// Neither: a procedure that answers by itself.
    case plain
}
