/// Writes application descriptors from the facts of `.wlapp` files, which hold none.
enum ApplicationDescriptorText {
    /// Returns the descriptor of an application with web resources.
    ///
    /// - Parameter common: the facts that all environments share.
    static func hybrid(_ application: String, _ common: DeploymentData, _ environments: [DeploymentData]) -> String {
        let attributes = attributes([
            ("id", application), ("platformVersion", platform(common)),
            ("xmlns", "http://www.worklight.com/application-descriptor"),
        ])
        var lines = [declaration, "<application\(attributes)>"] + shared(common, environments)
        for environment in environments {
            let children = pushSender(environment)
            let start = "    <\(environment.environment ?? "")\(Self.attributes(facts(environment)))"
            lines +=
                children.isEmpty
                ? [start + "/>"] : [start + ">"] + children + ["    </\(environment.environment ?? "")>"]
        }
        return (lines + ["</application>", ""]).joined(separator: "\n")
    }

    /// Returns the descriptor of a native application.
    static func native(_ application: String, _ data: DeploymentData) -> String {
        let root = "\(data.environment ?? "native")App"
        let attributes = attributes(
            [("id", application), ("platformVersion", platform(data))] + facts(data) + [
                ("xmlns", "http://www.worklight.com/native-application-descriptor")
            ])
        let lines =
            [declaration, "<\(root)\(attributes)>"] + shared(data, [data]) + pushSender(data) + ["</\(root)>", ""]
        return lines.joined(separator: "\n")
    }

    private static let declaration = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>"

    /// Such as `6.2.0.00` of `6.2.0.00.20141002-1640`.
    private static func platform(_ data: DeploymentData) -> String? {
        data["platform.version"]?.split(separator: ".").prefix(4).joined(separator: ".")
    }

    private static func facts(_ data: DeploymentData) -> [(String, String?)] {
        [
            ("version", data.version.isEmpty ? nil : data.version), ("bundleId", data["app.ios.bundle.id"]),
            ("securityTest", data["app.authentication.securitytest"]),
        ]
    }

    private static func shared(_ common: DeploymentData, _ environments: [DeploymentData]) -> [String] {
        func first(_ key: String) -> String? { common[key] ?? environments.lazy.compactMap { $0[key] }.first }
        return [
            ("displayName", common["app.displayname"]), ("description", common["app.description"]),
            ("mainFile", first("app.mainfile")),
            ("userIdentityRealms", first("app.user.identity.realms")),
            ("accessTokenExpiration", first("app.token.expiration")),
        ].compactMap { name, value in value.map { "    <\(name)>\(escaped($0))</\(name)>" } }
    }

    /// Without the key and the password, which are secrets.
    private static func pushSender(_ data: DeploymentData) -> [String] {
        data["app.push.android.sender.id"].map { ["        <pushSender senderId=\"\(escaped($0))\"/>"] } ?? []
    }

    private static func attributes(_ list: [(String, String?)]) -> String {
        list.compactMap { name, value in value.map { " \(name)=\"\(escaped($0))\"" } }.joined()
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;").replacing(
            "\"", with: "&quot;")
    }
}
