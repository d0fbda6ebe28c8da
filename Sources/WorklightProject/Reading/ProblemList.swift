/// What is wrong with a project, gathered while it is read.
final class ProblemList {
    private(set) var problems: [ProjectError] = []

    func add(_ problem: ProjectError) {
        problems.append(problem)
    }

    /// How many errors there are.
    var errors: Int { problems.count { $0.severity == .error } }
}

extension [ProjectError] {
    /// By file and line; what concerns the file as a whole comes first.
    public var inOrder: [ProjectError] {
        enumerated().sorted { left, right in
            (left.element.file, left.element.line ?? 0, left.offset)
                < (right.element.file, right.element.line ?? 0, right.offset)
        }.map(\.element)
    }
}
