import Foundation

/// What one adapter's folder holds.
public struct AdapterReading: Sendable {
    public let name: String
    /// `nil` when there are errors.
    public let adapter: Project.Adapter?
    /// What is wrong with its files, by file and line.
    public let problems: [ProjectError]
}

extension Project {
    /// Reads one adapter's folder. What its files name elsewhere in the project is looked for in this project, not in its files;
    /// a security test that is not there is an error, since the adapter could only ever be deployed to be of no use.
    ///
    /// Blocks.
    public func read(adapter name: String) -> AdapterReading {
        let problems = ProblemList()
        // The name may be anybody's, and becomes a path.
        guard name.wholeMatch(of: /[A-Za-z][A-Za-z0-9_]*/) != nil else {
            problems.add(
                ProjectError(
                    .error, file: "adapters",
                    "'\(name.prefix(100))' is no adapter name: a letter is expected, then letters, digits and '_'"))
            return AdapterReading(name: name, adapter: nil, problems: problems.problems)
        }
        let adapter = ProjectReader(folder: folder, problems: problems).adapter(
            named: name, properties, isWanted: true)
        for procedure in adapter?.descriptor.procedures ?? [] {
            guard let test = procedure.securityTest, test != AuthenticationConfiguration.unprotectedTest,
                authentication.securityTest(named: test) == nil
            else { continue }
            let known = authentication.securityTests.map(\.name).joined(separator: ", ")
            problems.add(
                ProjectError(
                    .error, file: adapter?.descriptor.path ?? "adapters/\(name)", line: procedure.line,
                    "the security test '\(test)' is not defined in the configuration that the server runs with; "
                        + (known.isEmpty ? "there are none" : "there are: \(known)")
                        + "; define it in \(AuthenticationConfiguration.path) and restart the server"))
        }
        return AdapterReading(
            name: name, adapter: problems.errors == 0 ? adapter : nil, problems: problems.problems.inOrder)
    }

    /// The project with what was read in place of the adapter of that name.
    public func replacing(_ reading: AdapterReading) -> Project {
        let others = adapters.filter { $0.descriptor.name != reading.name }
        return with(
            adapters: others + (reading.adapter.map { [$0] } ?? []), problems: reading.problems,
            ofAdapter: reading.name)
    }

    /// The project without the adapter of that name.
    public func removing(adapter name: String) -> Project {
        with(adapters: adapters.filter { $0.descriptor.name != name }, problems: [], ofAdapter: name)
    }
}

extension ProjectError {
    /// Whether it is about that adapter's files.
    func concerns(adapter name: String) -> Bool {
        file == "adapters/\(name)" || file.hasPrefix("adapters/\(name)/")
    }
}
