extension SyntaxTree {
    /// Whether objects of the script can be iterators as JavaScript 1.7 had them, so that every loop must ask for them.
    func hasIterators(_ names: NameTable) -> Bool {
        var result = names.free.contains { $0.name == "Iterator" || $0.name == "StopIteration" }
        forEach { id in
            switch kind(id) {
            case .generatorExpression: result = true
            case .yield where detail(id) == 2: result = true
            case .identifier where text(id) == Self.iteratorKey: result = true
            case .stringLiteral where key(id) == Self.iteratorKey: result = true
            default: break
            }
        }
        return result
    }

    private static let iteratorKey = "__iterator__"
}
