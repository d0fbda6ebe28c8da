import AdapterSyntax
import WorklightProject

/// Methods of Java's strings and maps: in the original their receivers were objects of Java's, here they are JavaScript's.
enum JavaMethodCheck: ScriptCheck {
    /// The replacement to write, by method.
    private static let ofTexts = [
        "length": "length, without the parentheses", "contains": "text.includes(part)",
        "isEmpty": "text.length === 0", "compareTo": "text.localeCompare(other)",
        "compareToIgnoreCase": "text.toLowerCase().localeCompare(other.toLowerCase())",
        "contentEquals": "text === other", "matches": "/^(?:pattern)$/.test(text)", "replaceFirst": "text.replace(…)",
        "toCharArray": "text.split(\"\")", "getBytes": "code that uses characters: a JavaScript string has no bytes",
    ]
    private static let ofHeaders = [
        "get": "headers[name]", "getOrDefault": "headers[name] || value", "containsKey": "name in headers",
        "contains": "Object.values(headers).includes(value)",
        "containsValue": "Object.values(headers).includes(value)", "keySet": "Object.keys(headers)",
        "values": "Object.values(headers)", "entrySet": "Object.entries(headers)",
        "size": "Object.keys(headers).length", "length": "Object.keys(headers).length",
        "isEmpty": "Object.keys(headers).length === 0", "put": "headers[name] = value",
        "remove": "delete headers[name]",
    ]

    static func problems(in script: ParsedScript, of project: ParsedProject) -> [ProjectError] {
        let tree = script.tree
        var calls: [(call: NodeID, object: NodeID, method: String)] = []
        for id in tree.all where tree.kind(id) == .call {
            let callee = tree.unwrapped(tree.child(id, 0))
            guard tree.kind(callee) == .member else { continue }
            let method = tree.name(tree.child(callee, 1))
            if ofTexts[method] != nil || ofHeaders[method] != nil {
                calls.append((id, tree.child(callee, 0), method))
            }
        }
        guard !calls.isEmpty else { return [] }
        let own = ownMethods(of: tree)
        let kinds = ValueKinds(script)
        return calls.compactMap { call in
            guard !own.contains(call.method) else { return nil }
            switch kinds.kind(call.object) {
            case .text:
                return ofTexts[call.method].map {
                    problem(script, call.call, "a JavaScript string has no \(call.method)() as Java's strings have", $0)
                }
            case .headers:
                return ofHeaders[call.method].map {
                    problem(
                        script, call.call,
                        "responseHeaders is an object and has no \(call.method)() as Java's maps have", $0)
                }
            default: return nil
            }
        }
    }

    private static func problem(_ script: ParsedScript, _ call: NodeID, _ what: String, _ mend: String) -> ProjectError
    {
        script.problem(.javaMethod, at: script.tree.range(call), "\(what): the call fails; write \(mend)")
    }

    /// Methods that a script makes itself, as in `String.prototype.contains = …`, or that it asks for.
    private static func ownMethods(of tree: SyntaxTree) -> Set<String> {
        var names: Set<String> = []
        for id in tree.all {
            if let subject = ExistenceGuards.subject(of: id, tree).map(tree.unwrapped),
                tree.kind(subject) == .member
            {
                names.insert(tree.name(tree.child(subject, 1)))
            }
            switch tree.kind(id) {
            case .assignment:
                let target = tree.unwrapped(tree.child(id, 0))
                if tree.kind(target) == .member { names.insert(tree.name(tree.child(target, 1))) }
            // Object.defineProperty(String.prototype, "contains", …)
            case .call where tree.childCount(id) > 2:
                let key = tree.unwrapped(tree.child(id, 2))
                if tree.kind(key) == .stringLiteral { names.insert(tree.key(key)) }
            default: break
            }
        }
        return names
    }
}

/// Uses of Java classes, most of which do not exist.
enum JavaClassCheck: ScriptCheck {
    private static let available = Set(JavaLibrary.Member.allCases.map(\.rawValue))

    static func problems(in script: ParsedScript, of project: ParsedProject) -> [ProjectError] {
        let tree = script.tree
        let names = JavaNames(script)
        var problems: [ProjectError] = []
        for id in tree.all {
            guard tree.kind(id) == .call || tree.kind(id) == .new, let name = names.javaPath(tree.child(id, 0)),
                !available.contains(name)
            else { continue }
            problems.append(
                script.problem(
                    .javaClass, at: tree.range(name == "JavaAdapter" ? tree.child(id, 0) : id),
                    "calling \(name) fails: Lamplighter has no Java; \(JavaLibrary.replacement(for: name))"))
        }
        return problems
    }
}
