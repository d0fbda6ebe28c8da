/// The templates for new projects and adapters, with their tests.
public enum Templates {
    /// The security tests of the project that a new adapter names.
    public struct SecurityTests: Sendable, Hashable {
        /// The test that logged-in users pass; `nil` without one.
        public var user: String?
        /// The test that no client passes; `nil` without one.
        public var backEnd: String?

        public init(user: String? = nil, backEnd: String? = nil) {
            self.user = user
            self.backEnd = backEnd
        }

        /// The security tests of a new project.
        static let ofProject = SecurityTests(user: "UserTest", backEnd: backEndTest)
    }

    /// The name, in a project of ``project(named:)``, of the test that only back ends pass.
    public static let backEndTest = "BackEndTest"

    /// Returns the files of a project with one adapter, for push.
    ///
    /// - Throws: ``NewFilesError`` when the name is not valid; see ``problem(withName:of:)``.
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

    /// Returns the files of an adapter with its test. The declarations for editors are shared files: existing ones stay unchanged.
    ///
    /// - Throws: ``NewFilesError`` when the name is not valid; see ``problem(withName:of:)``.
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

    /// Returns a script that replaces a Java authenticator or login module.
    ///
    /// - Parameters:
    ///   - name: the simple name of the class.
    ///   - path: the file to create, relative to the project's folder.
    public static func realmScript(named name: String, path: String, isLoginModule: Bool) -> NewFiles {
        let text = isLoginModule ? EmbeddedText.loginModule_js : EmbeddedText.authenticator_js
        return NewFiles(files: [NewFiles.File(path: path, text: fill(text, ["name": name]), isShared: false)])
    }

    /// The declarations of the API for scripts, the contents of adapters/worklight.d.ts.
    public static var worklightDeclarations: String {
        EmbeddedText.worklight_d_ts
    }

    /// The declarations of the API for tests, the contents of adapters/harness.d.ts.
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

    /// Returns a message for a name that is not valid; `nil` when it is valid. Projects and adapters have the same rule, because an
    /// application has the name of its project.
    ///
    /// - Parameter kind: `adapter` or `project`.
    public static func problem(withName name: String, of kind: String) -> String? {
        guard name.wholeMatch(of: /[A-Za-z][A-Za-z0-9_]*/) == nil else { return nil }
        return
            "the name '\(name)' is not valid for \(kind == "adapter" ? "an" : "a") \(kind): expected a letter, then letters, "
            + "digits and '_'"
    }

    /// Returns a procedure for the old server that writes the subscriptions to an adapter's event sources.
    ///
    /// - Parameters:
    ///   - procedure: its name.
    ///   - sources: the names of the event sources.
    ///   - users: the path of a file of user ids there.
    ///   - output: the path of the file that it writes.
    public static func subscriptionExport(
        procedure: String, adapter: String, sources: [String], users: String, output: String
    ) -> String {
        func escaped(_ text: String) -> String {
            text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
        }
        return fill(
            EmbeddedText.subscription_export_js.replacing("exportProcedure", with: procedure),
            [
                "adapter": escaped(adapter), "sources": sources.map(escaped).joined(separator: "\", \""),
                "users": escaped(users), "output": escaped(output),
            ])
    }

    private static func fill(_ template: String, _ values: [String: String]) -> String {
        values.reduce(template) { $0.replacing("{{\($1.key)}}", with: $1.value) }
    }
}

/// The kind of a new adapter.
public enum AdapterKind: String, Sendable, Hashable, CaseIterable {
    /// An adapter that notifies users on their devices.
    case push
    /// An adapter with a back end over HTTP.
    case http
    /// An adapter with a database.
    case sql
    /// An adapter without a back end.
    case plain
}
