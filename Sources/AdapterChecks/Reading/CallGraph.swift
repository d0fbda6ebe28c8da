import AdapterSyntax

/// The functions of a script that can run when one of them is called, as far as names show. Code inside a function belongs to it.
struct CallGraph {
    private let facts: ScriptFacts
    /// The functions that are in no other, by the name of the variable that leads to them.
    private var functions: [String: [Int]] = [:]

    init(_ facts: ScriptFacts) {
        self.facts = facts
        for (index, function) in facts.functions.enumerated() where function.outer == nil {
            let owner = facts.variables.first { $0.range.contains(function.range) }?.name
            let written = function.name?.split(separator: ".").first.map(String.init)
            for name in Set([owner, written].compactMap { $0 }) { functions[name, default: []].append(index) }
        }
    }

    /// Returns the functions of a callback: the function literal itself, or those that its name leads to.
    func functions(of value: LiteralValue) -> [Int] {
        if case .function(let range) = value {
            return facts.functions.indices.filter { facts.functions[$0].range == range }
        }
        return value.functionName.map(functions(named:)) ?? []
    }

    /// Returns the functions to which a name leads; for `Service.load`, those of `Service`.
    func functions(named name: String) -> [Int] {
        name.split(separator: ".").first.flatMap { functions[String($0)] } ?? []
    }

    /// Returns the functions to which a path leads in a call: `Service.load`, where `Service` has one of that name, else as the name.
    func functions(atPath path: String) -> [Int] {
        let all = functions(named: path)
        let parts = path.split(separator: ".")
        guard parts.count > 1 else { return all }
        let named = all.filter { facts.functions[$0].name?.split(separator: ".").last == parts.last }
        return named.isEmpty ? all : named
    }

    /// Returns the functions that a function names.
    func next(to index: Int) -> Set<Int> {
        let function = facts.functions[index]
        return Set(function.globalsRead.union(function.freeNames).flatMap { functions[$0] ?? [] })
    }

    /// Returns `roots` and all that they may call, directly or not.
    func reach(of roots: [Int]) -> Set<Int> {
        var reached = Set(roots)
        var pending = roots
        while let index = pending.popLast() {
            for next in next(to: index) where reached.insert(next).inserted { pending.append(next) }
        }
        return reached
    }
}
