import Foundation

/// Reads an adapter's XML (server-api 5.1).
struct AdapterReader {
    /// The namespaces of Worklight up to 6.2 and of MobileFirst from 6.3 on; prefixes are free.
    private static let namespaces = ["http://www.worklight.com/integration", "http://www.ibm.com/mfp/integration"]

    private let reader: DocumentReader
    private let properties: WorklightProperties

    /// - Returns: `nil` when there are errors, which are reported.
    static func read(
        _ data: Data, path: String, properties: WorklightProperties, problems: ProblemList
    ) -> AdapterDescriptor? {
        let reader = DocumentReader(path: path, problems: problems)
        let errors = problems.errors
        guard let root = reader.root(of: data, expandedBy: properties) else { return nil }
        let descriptor = AdapterReader(reader: reader, properties: properties).read(root)
        return problems.errors == errors ? descriptor : nil
    }

    private func read(_ root: XMLElement) -> AdapterDescriptor? {
        let path = reader.path
        guard root.name == "adapter", Self.namespaces.contains(root.namespace) else {
            reader.error(
                root,
                "expected an 'adapter' element of namespace \(Self.namespaces.joined(separator: " or ")), found "
                    + "'\(root.name)' of \(root.namespace.isEmpty ? "no namespace" : root.namespace)")
            return nil
        }
        guard let name = root.attributes["name"] else {
            reader.error(root, "the adapter has no 'name' attribute")
            return nil
        }
        guard name.wholeMatch(of: /[A-Za-z][A-Za-z0-9_]*/) != nil else {
            reader.error(
                root, "name=\"\(name)\" is not an adapter name: expected a letter, then letters, digits and '_'")
            return nil
        }
        if let application = root["JAXRSApplicationClass"] {
            reader.error(
                application,
                "this is a Java adapter, and Lamplighter has no Java; write its resources as procedures in \(name)-impl.js and "
                    + "declare them here instead")
            return nil
        }
        let stem = URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent
        if name != stem {
            reader.error(
                root,
                "name=\"\(name)\" differs from the file's name; expected name=\"\(stem)\" as in \(stem).xml and "
                    + "\(stem)-impl.js")
        }
        let children = ["displayName", "description", "connectivity", "procedure"]
        reader.checkVocabulary(
            of: root, attributes: ["name", "authenticationRealm", "securityTest"],
            children: children + ["JSONStoreSync"])
        reader.reportUnresolved(in: root, children: Set(children))
        if root.attributes["authenticationRealm"] != nil {
            reader.note(
                root, "authenticationRealm is ignored: it was replaced by the securityTest of procedures in 5.0")
        }
        return AdapterDescriptor(
            name: name, displayName: root["displayName"]?.content, description: root["description"]?.content,
            connectivity: ConnectivityReader(reader, properties).read(root["connectivity"]),
            procedures: procedures(root), path: path, scriptPath: path.dropLast(".xml".count) + "-impl.js")
    }

    private func procedures(_ root: XMLElement) -> [ProcedureDescriptor] {
        var procedures: [ProcedureDescriptor] = []
        for element in root.all("procedure") {
            guard let procedure = procedure(element, standardTest: root.attributes["securityTest"]) else { continue }
            if let earlier = procedures.first(where: { $0.name == procedure.name }) {
                reader.warning(
                    element,
                    "procedure '\(procedure.name)' is declared on line \(earlier.line) already; this one is ignored")
            } else {
                procedures.append(procedure)
            }
        }
        return procedures
    }

    private func procedure(_ element: XMLElement, standardTest: String?) -> ProcedureDescriptor? {
        guard let name = element.attributes["name"], name.wholeMatch(of: /[A-Za-z_$][A-Za-z0-9_$]*/) != nil else {
            reader.error(
                element, "a procedure needs a 'name' attribute that is the name of a JavaScript function")
            return nil
        }
        reader.checkVocabulary(
            of: element,
            attributes: [
                "name", "requestTimeoutInSeconds", "securityTest", "connectAs", "audit", "scope", "secured",
            ], children: ["displayName", "description"])
        for attribute in ["scope", "secured"] where element.attributes[attribute] != nil {
            reader.note(element, "\(attribute) is ignored: it is of MobileFirst 8.0, which protects by OAuth scopes")
        }
        return ProcedureDescriptor(
            name: name, displayName: element["displayName"]?.content, description: element["description"]?.content,
            requestTimeout: reader.number(
                element.attributes["requestTimeoutInSeconds"], "requestTimeoutInSeconds", of: element, from: 0.001,
                to: 86_400, expected: "a positive number of seconds, a day at most"),
            securityTest: element.attributes["securityTest"] ?? standardTest,
            connectAs: reader.choice(element.attributes["connectAs"], "connectAs", of: element, standard: .server),
            isAudited: reader.flag(element.attributes["audit"], "audit", of: element, standard: false),
            line: element.line)
    }
}
