import Foundation

/// The contents of one adapter's folder.
public struct AdapterReading: Sendable {
    public let name: String
    /// `nil` when there are errors.
    public let adapter: Project.Adapter?
    /// The problems of its files, ordered by file and line.
    public let problems: [ProjectError]
}

extension Project {
    /// Reads one adapter's folder. References from its files to the rest of the project are resolved in this project, not in its files. A missing
    /// security test is an error, since the adapter would be useless once deployed.
    ///
    /// Blocks.
    public func read(adapter name: String) -> AdapterReading {
        let problems = ProblemList()
        // The name may be anybody's, and becomes a path.
        guard name.wholeMatch(of: /[A-Za-z][A-Za-z0-9_]*/) != nil else {
            problems.add(
                ProjectError(
                    .error, file: "adapters",
                    "'\(name.prefix(100))' is not an adapter name: expected a letter, then letters, digits and '_'"))
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

    /// The project with the adapter just read in place of the one of that name.
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
    /// Returns true if it is about that adapter's files.
    func concerns(adapter name: String) -> Bool {
        file == "adapters/\(name)" || file.hasPrefix("adapters/\(name)/")
    }
}
