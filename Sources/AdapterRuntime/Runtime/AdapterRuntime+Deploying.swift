import Core
import JavaScriptEngine
import Synchronization
import WorklightProject

/// Adapters are deployed one by one while the others run. A new version replaces the one before at once and as a whole.
/// Calls that begin to run afterwards, also queued ones, run in the new version, with its procedures and security tests. Running calls
/// end in the old version. The variables of sessions are reset.
extension AdapterRuntime {
    /// Reads an adapter's folder and runs the script's top level once, apart from everything else. Changes nothing.
    ///
    /// All other files of the project count as they were read at the start.
    public func prepare(adapter name: String) async -> AdapterPreparation {
        let project = state.withLock { $0.project }
        let reading = await ThreadPool.shared.run { project.read(adapter: name) }
        guard let adapter = reading.adapter, !reading.problems.contains(where: { $0.severity == .error }) else {
            return .refused(reading.problems)
        }
        if directory[name] != nil, project.adapters.contains(adapter) { return .unchanged }
        if let problem = emptied(adapter, of: project) { return .refused((reading.problems + [problem]).inOrder) }
        do {
            return .ready(try await candidate(adapter, reading, of: project.replacing(reading)))
        } catch let refused as ScriptLoadingError {
            return .refused((reading.problems + refused.problems).inOrder)
        } catch {
            let problem = error as? ProjectError
            return .refused(
                (reading.problems
                    + [problem ?? ProjectError(.error, file: adapter.descriptor.scriptPath, "\(error)")]).inOrder)
        }
    }

    /// Returns why an empty script must not be deployed over one that is not empty.
    private func emptied(_ adapter: Project.Adapter, of project: Project) -> ProjectError? {
        let name = adapter.descriptor.name
        guard adapter.script.allSatisfy(\.isWhitespace), directory[name] != nil,
            project.adapters.contains(where: { $0.descriptor.name == name && !$0.script.allSatisfy(\.isWhitespace) })
        else { return nil }
        return ProjectError(
            .error, file: adapter.descriptor.scriptPath,
            "the file is empty, and the script of the version that runs is not; write it, or take the adapter away with "
                + "'lamplighter deploy \(name) --remove'")
    }

    /// Ends the script of an adapter that is being tried by ``prepare(adapter:)``, which then refuses it.
    public func dropPreparation(of adapter: String, reason: String) {
        readers.drop(adapter, reason: reason)
    }

    /// - Throws: ``ScriptLoadingError``, ``ProjectError``, `EngineStartError`, ``ServerStoppingError``.
    private func candidate(
        _ adapter: Project.Adapter, _ reading: AdapterReading, of project: Project
    ) async throws -> AdapterCandidate {
        let running = directory[reading.name]
        let reader = try readers.begin(for: reading.name)
        defer { readers.end(reader) }
        var problems: [ProjectError] = []
        var common: AdapterVersion?
        for prepared in try await reader.prepare([adapter], counting: services.coverage != nil) {
            let script = try prepared.get()
            problems +=
                script.remarks
                + [services.standIns == nil ? project.dataSourceProblem(of: adapter.descriptor) : nil].compactMap(
                    \.self)
            common = makeCommon(adapter.descriptor, script, of: project)
        }
        guard let common else { throw ScriptLoadingError(problems: []) }
        // The script may call its own procedures by way of others, and gets those of its new version.
        let untried = LoadedAdapter(common: common, declarations: .none)
        let declarations = try await reader.read(
            common, among: directory.current.replacing(reading.name, by: untried))
        // A function that worked must go on working. Otherwise the version is a mistake: an editor has written half of it, or a name is misspelt.
        let lost = declarations.missing.filter { running?.declarations.functions.contains($0.function) == true }
        guard lost.isEmpty else { throw ScriptLoadingError(problems: problems + lost.map(\.refusal)) }
        return AdapterCandidate(
            loaded: LoadedAdapter(common: common, declarations: declarations), reading: reading,
            scriptProblems: problems + declarations.warnings)
    }

    /// Replaces the deployed version.
    public func install(_ candidate: AdapterCandidate) {
        let name = candidate.adapter
        state.withLock { state in
            state.project = state.project.replacing(candidate.reading)
            state.scriptProblems[name] = candidate.scriptProblems
        }
        replace(name, by: candidate.loaded)
    }

    /// Removes an adapter. Subscriptions to its event sources stay.
    ///
    /// - Returns: whether it was deployed.
    @discardableResult
    public func remove(adapter name: String) -> Bool {
        state.withLock { state in
            state.project = state.project.removing(adapter: name)
            state.scriptProblems[name] = nil
        }
        return replace(name, by: nil)
    }

    /// - Returns: whether there was one before.
    @discardableResult
    private func replace(_ name: String, by loaded: LoadedAdapter?) -> Bool {
        let former = directory.replace(name, by: loaded)
        var unused = Set(former?.eventSources.map { ScopeOwner.poll($0.id) } ?? [])
        unused.subtract(loaded?.eventSources.map { ScopeOwner.poll($0.id) } ?? [])
        if loaded == nil { unused.insert(.conversation(adapter: name)) }
        // Now, for the next deployment may have the same owners.
        pool.drop(unused)
        Task { [pool, directory] in await pool.discardReplaced(in: directory) }
        return former != nil
    }

    /// Returns once no scope of a version that has been replaced is left but those in which calls run.
    func discardReplaced() async {
        await pool.discardReplaced(in: directory)
    }

    /// Returns the number of calls of an adapter's deployed version that wait or run.
    package func waitingCalls(ofAdapter name: String) -> Int { directory[name]?.calls ?? 0 }

    /// Returns the names of an adapter's procedures, in the order of its descriptor.
    public func procedures(ofAdapter name: String) -> [String] {
        directory[name]?.common.descriptor.procedures.map(\.name) ?? []
    }

    /// Returns the names of the parameters of an adapter's procedures, as its script defines them.
    public func parameterNames(ofAdapter name: String) -> [String: [String]] {
        directory[name]?.declarations.parameterNames ?? [:]
    }

    /// Returns the realm in which a procedure finds its user; `nil` when its security test names none, or it has no test.
    public func userRealm(ofProcedure procedure: String, adapter: String) -> String? {
        directory[adapter]?.common.procedures[procedure]?.userRealm
    }
}

/// The project with its adapters in the versions that are deployed, and what is wrong with them.
struct DeployedProject: Sendable {
    var project: Project
    /// The problems found by running the scripts, by adapter; under an empty name those that concern no adapter.
    var scriptProblems: [String: [ProjectError]] = [:]

    var problems: [ProjectError] {
        (project.problems + scriptProblems.sorted { $0.key < $1.key }.flatMap(\.value)).inOrder
    }
}
