import Core
import Foundation
import Yams

/// The calls that two servers get, and the app that makes them: a YAML file, and lines of access logs.
struct ComparedCalls {
    struct Call: Hashable {
        let adapter: String
        let procedure: String
        /// A JSON array, as it is sent.
        let parameters: String
        /// Members that may differ, in addition to those of the file.
        var ignored: [String] = []

        var name: String { "\(adapter)/\(procedure)" }
    }

    /// A login before the calls.
    enum Login: Hashable {
        /// The form of a `FormBasedAuthenticator`.
        case form(user: String, password: String)
        /// A procedure that logs in, as with an `AdapterAuthenticator`.
        case procedure(Call)
    }

    /// Members of results of HTTP adapters that differ from call to call, and the state of the session.
    private static let alwaysIgnored = [
        "responseTime", "totalTime", "responseHeaders.Date", "WL-Authentication-Success",
    ]

    private(set) var application = ""
    private(set) var environment = "android"
    private(set) var version = "1.0"
    private(set) var login: Login?
    private(set) var ignored = alwaysIgnored
    private(set) var calls: [Call] = []
    /// The passwords of the login, which no output may show: a server may return them.
    private(set) var secrets: [String] = []

    /// Reads a file in YAML.
    ///
    /// - Throws: ``CommandError`` with the line.
    mutating func read(yaml text: String, named name: String) throws {
        func fail(_ node: Node, _ reason: String) -> CommandError {
            CommandError(description: "\(name):\(node.mark?.line ?? 1): \(reason)")
        }
        let root: Node
        do {
            guard let node = try Yams.compose(yaml: text), node.mapping != nil else {
                throw CommandError(description: "\(name): expected a mapping, with 'application' and 'calls'")
            }
            root = node
        } catch let error as CommandError {
            throw error
        } catch {
            throw CommandError(description: "\(name): not well-formed YAML: \(error)")
        }
        func list(_ node: Node) throws -> [String] {
            guard let items = node.sequence else { throw fail(node, "expected a list of names") }
            return try items.map { item in
                guard let text = item.string else { throw fail(item, "expected a name") }
                return text
            }
        }
        func string(_ node: Node) throws -> String {
            guard let text = node.string else { throw fail(node, "expected a value") }
            return text
        }
        for (key, value) in root.mapping ?? [:] {
            switch key.string {
            case "application": application = try string(value)
            case "environment": environment = try string(value)
            case "version": version = try string(value)
            case "ignore": ignored += try list(value)
            case "login": login = try readLogin(value, fail)
            case "calls":
                guard let items = value.sequence else {
                    throw fail(value, "expected a list of ADAPTER/PROCEDURE: [PARAMETERS]")
                }
                for item in items {
                    var call: Call?
                    var more: [String] = []
                    for (key, value) in item.mapping ?? [:] {
                        if key.string == "ignore" {
                            more = try list(value)
                        } else {
                            call = try self.call(key, value, fail)
                        }
                    }
                    guard var call else { throw fail(item, "expected ADAPTER/PROCEDURE: [PARAMETERS]") }
                    call.ignored = more
                    calls.append(call)
                }
            default:
                throw fail(
                    key,
                    "there is no key '\(key.string ?? "")'; expected application, environment, version, login, ignore or calls"
                )
            }
        }
        guard !application.isEmpty else {
            throw CommandError(description: "\(name): expected 'application', the id of the app")
        }
    }

    private mutating func readLogin(_ node: Node, _ fail: (Node, String) -> CommandError) throws -> Login {
        guard let (key, value) = node.mapping?.first, node.mapping?.count == 1 else {
            throw fail(node, "expected form: {user, password}, or ADAPTER/PROCEDURE: [PARAMETERS]")
        }
        guard key.string == "form" else { return .procedure(try call(key, try readingPasswords(value, fail), fail)) }
        guard let user = value.mapping?["user"]?.string else { throw fail(value, "expected user") }
        guard let password = try value.mapping?["password"]?.string ?? passwordOfFile(value, fail) else {
            throw fail(value, "expected password, or passwordFile, the path of a file with the password")
        }
        secrets.append(password)
        return .form(user: user, password: password)
    }

    /// Replaces the parameters `{passwordFile: PATH}` of a login by the file's contents.
    private mutating func readingPasswords(_ parameters: Node, _ fail: (Node, String) -> CommandError) throws -> Node {
        guard let items = parameters.sequence else { return parameters }
        return Node.sequence(
            Node.Sequence(
                try items.map { item in
                    guard let password = try passwordOfFile(item, fail) else { return item }
                    secrets.append(password)
                    return Node(password, Tag(.str), .doubleQuoted)
                }, parameters.tag, .any, parameters.mark))
    }

    /// - Returns: `nil` unless the node is a mapping with `passwordFile`.
    private func passwordOfFile(_ node: Node, _ fail: (Node, String) -> CommandError) throws -> String? {
        guard let path = node.mapping?["passwordFile"]?.string else { return nil }
        guard let data = FileManager.default.contents(atPath: path) else {
            throw fail(node, "passwordFile: \(path) cannot be read")
        }
        return String(decoding: data, as: UTF8.self).trimmingCharacters(in: .newlines)
    }

    /// Returns a string for the output, on one line and without passwords of the login.
    func shown(_ text: String) -> String {
        // In JSON a password has its escapes.
        let forms = secrets.flatMap { [String(JSONValue.string($0).text.dropFirst().dropLast()), $0] }
        return forms.filter { !$0.isEmpty }.reduce(text) { $0.replacing($1, with: "…") }.printableLine
    }

    private func call(_ key: Node, _ value: Node, _ fail: (Node, String) -> CommandError) throws -> Call {
        let parts = (key.string ?? "").split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, !parts.contains("") else {
            throw fail(key, "'\(key.string ?? "")' is not ADAPTER/PROCEDURE")
        }
        guard value.null == nil else { return Call(adapter: parts[0], procedure: parts[1], parameters: "[]") }
        guard value.sequence != nil else { throw fail(value, "expected a list of parameters") }
        return Call(adapter: parts[0], procedure: parts[1], parameters: Self.json(value).text)
    }

    private static func json(_ node: Node) -> JSONValue {
        if let items = node.sequence { return .array(items.map(json)) }
        if let members = node.mapping {
            return .object(members.reduce(into: JSONObject()) { $0[$1.key.string ?? ""] = json($1.value) })
        }
        // A value in quotation marks is a string, whatever it holds.
        if let scalar = node.scalar, scalar.style == .plain {
            if node.null != nil { return .null }
            if let flag = node.bool { return .bool(flag) }
            if let number = node.float { return .number(number) }
        }
        return .string(node.string ?? "")
    }

    /// Takes the calls of procedures from an access log: each once, and only of these procedures.
    ///
    /// - Parameter procedures: `ADAPTER/PROCEDURE`.
    mutating func read(log text: String, only procedures: Set<String>) {
        var known = Set(calls)
        for line in text.split(whereSeparator: \.isNewline) {
            guard let target = line.firstMatch(of: /"?GET (\S+)/)?.1, let call = Self.call(target),
                procedures.contains(call.name), known.insert(call).inserted
            else { continue }
            calls.append(call)
        }
    }

    /// The call of `/invoke?adapter=…`, or of `/adapters/ADAPTER/PROCEDURE?params=…`.
    private static func call(_ target: Substring) -> Call? {
        let path = target.prefix { $0 != "?" }
        let fields = FormFields(String(target.dropFirst(path.count + 1)))
        if path.hasSuffix("/invoke") {
            guard let adapter = fields["adapter"], let procedure = fields["procedure"] else { return nil }
            return Call(adapter: adapter, procedure: procedure, parameters: fields["parameters"] ?? "[]")
        }
        guard let match = path.firstMatch(of: /\/adapters\/([^\/]+)\/([^\/]+)$/) else { return nil }
        return Call(adapter: String(match.1), procedure: String(match.2), parameters: fields["params"] ?? "[]")
    }
}
