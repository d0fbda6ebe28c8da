import Foundation
import WorklightProject

/// `server.xml` of WebSphere Liberty: the parts of the old server's configuration that a project needs.
///
/// A JNDI entry `CONTEXT/KEY` sets the property `KEY` of the project at that context root, and wins over `worklight.properties`.
struct ServerConfiguration {
    private let name: String
    private let root: XMLElement
    private let variables: [String: String]

    /// - Throws: ``ImportError`` with the line at which the file is not the expected XML.
    init(reading data: Data, named name: String) throws(ImportError) {
        self.name = name
        do {
            root = try XMLElement.read(FileText(markup: data).text, path: name)
        } catch {
            throw ImportError(error.place, error.message)
        }
        guard root.name == "server" || root.name == "client" else {
            throw ImportError(
                "\(name):\(root.line)",
                "found the element '\(root.name)', expected 'server', as in Liberty's server.xml")
        }
        variables = root.all("variable").reduce(into: [:]) { $0[$1.attributes["name"] ?? ""] = $1.attributes["value"] }
    }

    /// Plans the project's settings and properties.
    ///
    /// - Parameters:
    ///   - archives: the names of the given `.war` files: the context root is that of one of them.
    ///   - keystores: the names of the given keystores.
    func plan(archives: [String], keystores: [String], in plan: inout ImportPlan, _ settings: inout ImportedSettings)
        throws(ImportError)
    {
        for include in root.all("include") {
            plan.leaveOut(
                "include \(value(include, "location") ?? "")", of: name,
                because: "included files are not read; import their contents")
        }
        let context = contextRoot(archives, in: &plan)
        guard context?.wholeMatch(of: /[A-Za-z0-9._~\/\-]*/) != nil || context == nil else {
            throw ImportError(name, "the context root of the .war file has other characters than a path; correct it")
        }
        if let context { settings.setContextRoot("/" + context, from: name) }
        var lines = properties(of: context, in: &plan)
        for source in root.all("dataSource") { lines += try properties(of: source, in: &plan) }
        if !lines.isEmpty {
            try plan.append(
                "\n# From \(name), which wins over the lines above.\n" + lines.joined(separator: "\n") + "\n", of: name,
                "JNDI entries and data sources", to: WorklightProperties.path)
        }
        planPorts(in: &plan)
        planKeystores(except: keystores, in: &plan)
    }

    /// The value of an attribute with its variables replaced.
    private func value(_ element: XMLElement, _ name: String) -> String? {
        element.attributes[name]?.replacing(/\$\{([^}]*)\}/) { match in variables[String(match.1)] ?? String(match.0) }
    }

    // MARK: The application

    /// - Returns: the context root of the project without slashes; `nil` if it is unknown.
    private func contextRoot(_ archives: [String], in plan: inout ImportPlan) -> String? {
        let applications = (root.all("application") + root.all("webApplication")).compactMap {
            element -> (war: String, root: String)? in
            guard let location = value(element, "location") else { return nil }
            let war = (location as NSString).lastPathComponent
            let root =
                value(element, "context-root") ?? value(element, "contextRoot") ?? value(element, "name")
                ?? String(war.dropLast(4))
            return (war, root.trimmingCharacters(in: CharacterSet(charactersIn: "/ ")))
        }
        if let found = applications.first(where: { archives.contains($0.war) }) { return found.root }
        guard !applications.isEmpty else { return nil }
        let list = applications.map { "\($0.war) at /\($0.root)" }.joined(separator: ", ")
        plan.remarks.append(
            "\(name): none of its applications is a given .war file (\(list)); import it together with the project's .war file, or set contextRoot"
        )
        return nil
    }

    // MARK: Properties

    /// The JNDI entries of the project: those below its context root, and those below none.
    private func properties(of context: String?, in plan: inout ImportPlan) -> [String] {
        var lines: [String] = []
        var others: [String: Int] = [:]
        let text = plan.text(of: WorklightProperties.path) ?? ""
        let known = Dictionary(
            WorklightProperties(parsing: text).entries.map { ($0.key, $0.value) }, uniquingKeysWith: { $1 })
        var replaced: Set<String> = []
        for entry in root.all("jndiEntry") {
            guard let full = value(entry, "jndiName"), let text = value(entry, "value"),
                full.unicodeScalars.allSatisfy({ $0.value >= 0x20 })
            else { continue }
            let prefix = context.map { $0 + "/" } ?? ""
            let key = !prefix.isEmpty && full.hasPrefix(prefix) ? String(full.dropFirst(prefix.count)) : full
            guard !key.contains("/") else {
                others[String(key.prefix { $0 != "/" }), default: 0] += 1
                continue
            }
            let value =
                text.count > 1 && text.hasPrefix("\"") && text.hasSuffix("\"")
                ? String(text.dropFirst().dropLast()) : text
            if let old = known[key], old != value {
                plan.remarks.append(
                    "\(key) has different values in \(WorklightProperties.path) and in \(name):\(entry.line): the latter is used"
                )
                replaced.insert(key)
            }
            lines.append("\(Self.key(key))=\(Self.escaped(value))")
        }
        comment(out: replaced, in: &plan)
        for (prefix, count) in others.sorted(by: { $0.key < $1.key }) {
            plan.leaveOut(
                "JNDI entries \(prefix)/… (\(count))", of: name,
                because:
                    "they are for another context root than \(context.map { "/" + $0 } ?? "that of the project, which is unknown")"
            )
        }
        return lines
    }

    /// Makes comments of the lines of properties, so that their new values are the only ones.
    private func comment(out keys: Set<String>, in plan: inout ImportPlan) {
        guard !keys.isEmpty, let text = plan.text(of: WorklightProperties.path) else { return }
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            let key = line.drop(while: \.isWhitespace).prefix { !"=: \t".contains($0) }
            return keys.contains(String(key)) ? "# Replaced by \(name): \(line)" : String(line)
        }
        plan.replace(WorklightProperties.path, by: lines.joined(separator: "\n"))
    }

    private static func key(_ key: String) -> String { key.replacing(/[:=\s\\]/) { "\\\($0.output)" } }

    private static func escaped(_ value: String) -> String {
        // By scalars: a line break of two characters counts as one character of Swift's.
        value.unicodeScalars.reduce(into: "") { result, scalar in
            switch scalar {
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            default: result.unicodeScalars.append(scalar)
            }
        }
    }

    // MARK: Data sources

    /// The ends of the JNDI names of the old server's own databases.
    private static let ownSources = ["WorklightDS", "WorklightReportsDS", "WorklightAdminDS"]

    private func properties(of source: XMLElement, in plan: inout ImportPlan) throws(ImportError) -> [String] {
        guard let jndiName = value(source, "jndiName") else { return [] }
        let part = "dataSource \(jndiName)"
        guard !Self.ownSources.contains(where: jndiName.hasSuffix) else {
            plan.leaveOut(part, of: name, because: "it is the old server's own database")
            return []
        }
        let facts = source.children.first { $0.name.hasPrefix("properties") }
        // The credentials are with the database's properties, or in a separate element.
        let credentials = [
            facts, source["containerAuthData"],
            value(source, "containerAuthDataRef").flatMap { element("authData", id: $0) },
        ].compactMap(\.self)
        let key = Self.key("jndi.\(jndiName)")
        var lines: [String] = []
        if let facts, let url = url(facts, source) {
            lines.append("\(key).url=\(Self.escaped(url))")
        } else {
            plan.remarks.append(
                "\(name):\(source.line): the kind of database of \(jndiName) is not known; "
                    + WorklightProperties.dataSourceAdvice(jndiName: jndiName))
        }
        if let user = credentials.lazy.compactMap({ value($0, "user") }).first {
            lines.append("\(key).user=\(Self.escaped(user))")
        }
        guard let element = credentials.first(where: { value($0, "password") != nil }),
            let written = value(element, "password")
        else { return lines }
        guard let password = Self.password(written) else {
            plan.remarks.append(
                "\(name):\(element.line): the password of \(jndiName) is encrypted; set \(key).password in \(WorklightProperties.path)"
            )
            return lines
        }
        let path = "\(ImportedSettings.secrets)/\(jndiName.replacing(/[^A-Za-z0-9_.\-]/, with: "-")).password"
        try plan.add(.text(password), of: name, "the password of \(part)", to: path, isSecret: true)
        return lines + ["\(key).password=${file:\(path)}"]
    }

    /// Returns a password that Liberty's `securityUtility` has encoded by `{xor}`, or one in clear; `nil` for an encrypted one.
    static func password(_ text: String) -> String? {
        guard text.hasPrefix("{") else { return text }
        guard text.hasPrefix("{xor}"), let bytes = Data(base64Encoded: String(text.dropFirst("{xor}".count))) else {
            return nil
        }
        return String(decoding: bytes.map { $0 ^ UInt8(ascii: "_") }, as: UTF8.self)
    }

    /// An element at the top of the file that others name by its id.
    private func element(_ name: String, id: String) -> XMLElement? {
        root.all(name).first { $0.attributes["id"] == id }
    }

    /// The JDBC URL of a data source; `nil` if the kind of database is unknown.
    private func url(_ facts: XMLElement, _ source: XMLElement) -> String? {
        if let url = value(facts, "URL") ?? value(facts, "url") { return url }
        let driver = source["jdbcDriver"] ?? value(source, "jdbcDriverRef").flatMap { element("jdbcDriver", id: $0) }
        let libraries = root.all("library").filter { $0.attributes["id"] == driver?.attributes["libraryRef"] }
        let words =
            ([driver?.attributes["libraryRef"], driver?.attributes["javax.sql.DataSource"]].compactMap(\.self)
            + libraries.flatMap(\.children).flatMap {
                [$0.attributes["includes"], $0.attributes["name"]].compactMap(\.self)
            })
            .joined(separator: " ").lowercased()
        let kind = String(facts.name.dropFirst("properties".count).drop { $0 == "." })
        let host = value(facts, "serverName") ?? "localhost"
        let database = value(facts, "databaseName") ?? ""
        func address(_ port: String) -> String { "\(host):\(value(facts, "portNumber") ?? port)" }
        return switch kind {
        case "db2.jcc": "jdbc:db2://\(address("50000"))/\(database)"
        case "postgresql": "jdbc:postgresql://\(address("5432"))/\(database)"
        case "oracle": "jdbc:oracle:thin:@//\(address("1521"))/\(value(facts, "serviceName") ?? database)"
        case "microsoft.sqlserver": "jdbc:sqlserver://\(address("1433"));databaseName=\(database)"
        case "derby.client": "jdbc:derby://\(address("1527"))/\(database)"
        case "" where words.contains("mysql") || words.contains("mariadb"):
            "jdbc:mysql://\(address("3306"))/\(database)"
        case "" where words.contains("postgres"): "jdbc:postgresql://\(address("5432"))/\(database)"
        default: nil
        }
    }

    // MARK: Ports and keystores

    private func planPorts(in plan: inout ImportPlan) {
        for endpoint in root.all("httpEndpoint") {
            let ports = [("httpPort", "HTTP"), ("httpsPort", "HTTPS")].compactMap { key, protocolName in
                value(endpoint, key).map { "\($0) (\(protocolName))" }
            }
            guard !ports.isEmpty else { continue }
            plan.remarks.append(
                "\(name):\(endpoint.line): apps reached the old server at port \(ports.joined(separator: " and ")); set port, and "
                    + "tls.certificate for HTTPS, or have a proxy listen there")
        }
    }

    /// The name of a keystore's file.
    private func file(of store: XMLElement) -> String {
        ((value(store, "location") ?? "key.jks") as NSString).lastPathComponent
    }

    /// Returns the password of a keystore; `nil` if there is none, or an encrypted one.
    ///
    /// - Parameter name: the name of its file.
    func keystorePassword(of name: String) -> String? {
        root.all("keyStore").first { file(of: $0) == name }.flatMap { value($0, "password") }.flatMap(Self.password)
    }

    private func planKeystores(except given: [String], in plan: inout ImportPlan) {
        for store in root.all("keyStore") where !given.contains(file(of: store)) {
            plan.remarks.append(
                """
                \(name):\(store.line): for the certificate in \(file(of: store)), import this file too, or run \
                \(Keystore.command(file(of: store))); then set tls.certificate and tls.key
                """)
        }
    }
}
