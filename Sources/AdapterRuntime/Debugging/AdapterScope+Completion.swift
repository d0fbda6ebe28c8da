import JavaScriptEngine

extension AdapterScope {
    private static let mostCompletions = 200

    /// Returns the possible completions of code: the names of the scope's variables or, after a path such as `WL.Server.`, of its members.
    /// Getters on the way are called.
    func completions(of code: String) -> [String] {
        guard let match = code.firstMatch(of: /(?:^|[^\w$.])((?:[A-Za-z_$][\w$]*\.)*)([A-Za-z_$][\w$]*)?$/) else {
            return []
        }
        let path = match.1.split(separator: ".").map(String.init)
        let beginning = match.2.map(String.init) ?? ""
        let names = try? call("(completion)", limits: adapter.settings.calls) {
            var object = context.global
            for name in path { object = try object.get(name) }
            let list = try context.evaluate(Self.names, file: RuntimeScripts.inspectionFile)
            return try list.call([object]).elements().compactMap(\.string)
        }
        let words = path.isEmpty ? Self.keywords : []
        return Array(
            Set((names ?? []) + words).filter { $0.hasPrefix(beginning) && $0 != beginning }.sorted()
                .prefix(Self.mostCompletions))
    }

    private static let keywords = [
        "function", "return", "typeof", "instanceof", "delete", "while", "switch", "continue", "undefined", "throw",
        "const",
    ]

    /// The names of an object's members, inherited ones included, that can be written behind a dot.
    private static let names = """
        (function (object) {
            var names = [];
            for (var at = object === null || object === undefined ? null : Object(object); at; at = Object.getPrototypeOf(at)) {
                names = names.concat(Object.getOwnPropertyNames(at));
                for (var key in at) names.push(key);
            }
            return names.filter(function (name) { return /^[A-Za-z_$][\\w$]*$/.test(name) && name.indexOf("__") !== 0; });
        })
        """
}
