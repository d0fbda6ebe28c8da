import TestSupport
import WorklightProject

/// A project for tests of realms and security tests.
struct RealmTestProject {
    let folder: TemporaryFolder
    let project: Project

    static let adapter = """
        <wl:adapter xmlns:wl="http://www.worklight.com/integration" name="A">
        <procedure name="open"/><procedure name="free" securityTest="wl_unprotected"/>
        <procedure name="guarded" securityTest="T"/><procedure name="missing" securityTest="Nowhere"/>
        </wl:adapter>
        """

    /// - Parameters:
    ///   - tests, realms, modules: the elements of authenticationConfig.xml, each on its line: tests on the third, realms on the
    ///     sixth, modules on the ninth.
    ///   - applications: the descriptors by their ids.
    ///   - files: more files.
    init(
        tests: String = "", realms: String = "", modules: String = "", applications: [String: String] = [:],
        script: String = "function open() {}", files: [String: String] = [:]
    ) throws {
        var all = files
        all["adapters/A/A.xml"] = Self.adapter
        all["adapters/A/A-impl.js"] =
            script + "\nfunction free() {} function guarded() {} function missing() {}"
        all["server/conf/authenticationConfig.xml"] = """
            <tns:loginConfiguration xmlns:tns="http://www.worklight.com/auth/config">
            <securityTests>
            \(tests)
            </securityTests>
            <realms>
            \(realms)
            </realms>
            <loginModules>
            \(modules)
            </loginModules>
            </tns:loginConfiguration>
            """
        for (id, text) in applications { all["apps/\(id)/application-descriptor.xml"] = text }
        folder = try TemporaryFolder(all)
        project = Project(reading: folder.url)
    }

    static func application(_ inner: String, id: String = "App") -> String {
        """
        <application id="\(id)" platformVersion="6.2.0.0" xmlns="http://www.worklight.com/application-descriptor">
        <displayName>App</displayName>\(inner)</application>
        """
    }

    /// A realm of one of IBM's authenticators.
    static func realm(
        _ name: String, _ authenticator: String, module: String = "M", package: String = "com.worklight.core.auth.ext.",
        _ parameters: [String: String] = [:]
    ) -> String {
        "<realm name=\"\(name)\" loginModule=\"\(module)\"><className>\(package)\(authenticator)</className>"
            + xml(parameters) + "</realm>"
    }

    /// The login module `M`.
    static func module(
        _ className: String, package: String = "com.worklight.core.auth.ext.",
        attributes: String = "", _ parameters: [String: String] = [:]
    ) -> String {
        "<loginModule name=\"M\" \(attributes)><className>\(package)\(className)</className>" + xml(parameters)
            + "</loginModule>"
    }

    private static func xml(_ parameters: [String: String]) -> String {
        parameters.sorted { $0.key < $1.key }
            .map { "<parameter name=\"\($0.key)\" value=\"\($0.value)\"/>" }.joined()
    }
}
