import Foundation

extension AdapterDescriptor {
    /// The namespaces of Worklight up to 6.2 and of MobileFirst from 6.3 on; prefixes are free.
    private static let namespaces = ["http://www.worklight.com/integration", "http://www.ibm.com/mfp/integration"]

    /// Reads an adapter's XML.
    ///
    /// - Parameters:
    ///   - path: the file, relative to the project's folder.
    ///   - warn: told what does not matter enough to refuse the adapter.
    /// - Throws: ``ProjectProblem``.
    init(reading data: Data, path: String, warn: (ProjectProblem) -> Void) throws(ProjectProblem) {
        let root = try XMLElement.read(data, path: path)
        guard root.name == "adapter", Self.namespaces.contains(root.namespace) else {
            throw ProjectProblem(
                .error, file: path, line: root.line,
                "expected an 'adapter' element of namespace \(Self.namespaces.joined(separator: " or ")), found "
                    + "'\(root.name)' of \(root.namespace.isEmpty ? "no namespace" : root.namespace)")
        }
        guard let name = root.attributes["name"] else {
            throw ProjectProblem(.error, file: path, line: root.line, "the adapter has no 'name' attribute")
        }
        guard Self.isName(name) else {
            throw ProjectProblem(
                .error, file: path, line: root.line,
                "name=\"\(name)\" is no adapter name: a letter is expected, then letters, digits and '_'")
        }
        let stem = URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent
        if name != stem {
            throw ProjectProblem(
                .error, file: path, line: root.line,
                "name=\"\(name)\" differs from the file's name; expected name=\"\(stem)\" as in \(stem).xml and "
                    + "\(stem)-impl.js")
        }
        var procedures: [ProcedureDescriptor] = []
        for element in root.all("procedure") {
            let procedure = try Self.procedure(element, path: path)
            if let earlier = procedures.first(where: { $0.name == procedure.name }) {
                warn(
                    ProjectProblem(
                        .warning, file: path, line: element.line,
                        "procedure '\(procedure.name)' is declared on line \(earlier.line) already; this one is ignored"
                    ))
            } else {
                procedures.append(procedure)
            }
        }
        self.init(
            name: name, displayName: root["displayName"]?.content, description: root["description"]?.content,
            connectivity: try Self.httpPolicy(root["connectivity"]?["connectionPolicy"], path: path).map { .http($0) }
                ?? .none,
            procedures: procedures,
            path: path, scriptPath: path.dropLast(".xml".count) + "-impl.js")
    }

    private static func isName(_ name: String) -> Bool {
        name.wholeMatch(of: /[A-Za-z][A-Za-z0-9_]*/) != nil
    }

    private static func procedure(
        _ element: XMLElement, path: String
    ) throws(ProjectProblem) -> ProcedureDescriptor {
        guard let name = element.attributes["name"], name.wholeMatch(of: /[A-Za-z_$][A-Za-z0-9_$]*/) != nil else {
            throw ProjectProblem(
                .error, file: path, line: element.line,
                "a procedure needs a 'name' attribute that is the name of a JavaScript function")
        }
        let timeout = try number("requestTimeoutInSeconds", of: element, path: path, from: 0.001)
        return ProcedureDescriptor(
            name: name, requestTimeout: timeout, securityTest: element.attributes["securityTest"], line: element.line)
    }

    /// The HTTP policy, also when its type is not given, as older tools left it out.
    private static func httpPolicy(
        _ element: XMLElement?, path: String
    ) throws(ProjectProblem) -> HTTPConnectionPolicy? {
        guard let element else { return nil }
        let type = element.attributes.first { $0.key.hasSuffix("type") }?.value ?? "HTTPConnectionPolicyType"
        guard type.hasSuffix("HTTPConnectionPolicyType") else { return nil }
        let scheme = (element["protocol"]?.content ?? "http").lowercased()
        guard scheme == "http" || scheme == "https" else {
            throw ProjectProblem(
                .error, file: path, line: element["protocol"]?.line, "protocol '\(scheme)' is neither http nor https")
        }
        var port = scheme == "https" ? 443 : 80
        if let text = element["port"]?.content {
            guard let number = Int(text), (1...65535).contains(number) else {
                throw ProjectProblem(
                    .error, file: path, line: element["port"]?.line, "port '\(text)' is no number between 1 and 65535")
            }
            port = number
        }
        func milliseconds(_ name: String) throws(ProjectProblem) -> Int {
            guard let child = element[name], let text = child.content else { return 30_000 }
            guard let number = Int(text), number > 0 else {
                throw ProjectProblem(
                    .error, file: path, line: child.line, "\(name) '\(text)' is no positive number of milliseconds")
            }
            return number
        }
        var policy = HTTPConnectionPolicy()
        policy.scheme = scheme
        policy.domain = element["domain"]?.content
        policy.port = port
        policy.connectionTimeout = try milliseconds("connectionTimeoutInMilliseconds")
        policy.socketTimeout = try milliseconds("socketTimeoutInMilliseconds")
        return policy
    }

    private static func number(
        _ attribute: String, of element: XMLElement, path: String, from minimum: Double
    ) throws(ProjectProblem) -> Double? {
        guard let text = element.attributes[attribute] else { return nil }
        guard let number = Double(text), number.isFinite, number >= minimum else {
            throw ProjectProblem(
                .error, file: path, line: element.line, "\(attribute)=\"\(text)\" is no positive number of seconds")
        }
        return number
    }
}
