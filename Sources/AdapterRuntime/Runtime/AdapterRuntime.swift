import JavaScriptEngine
import Logging
public import PushModel
import Synchronization
public import WorklightProject

/// Runs a project's adapters.
///
/// Adapters are loaded each for itself: one that is broken is reported and left out, the others work.
public final class AdapterRuntime: Sendable {
    private let project: Project
    let services: RuntimeServices
    private let settings: RuntimeSettings
    private let directory = EventSourceDirectory()
    private let adapters = Mutex<[String: LoadedAdapter]>([:])

    public init(project: Project, services: RuntimeServices, settings: RuntimeSettings = RuntimeSettings()) {
        self.project = project
        self.services = services
        self.settings = settings
    }

    /// Loads every adapter of the project.
    ///
    /// - Returns: what is wrong with them, the project's own problems among it.
    public func load() async -> [ProjectProblem] {
        var problems = project.problems
        for adapter in project.adapters {
            let common = AdapterCommon(
                adapter: adapter, properties: project.properties, services: services, settings: settings,
                directory: directory)
            do {
                let (host, script) = try await ScopeHost.load(common, threadName: common.name)
                let loaded = LoadedAdapter(common: common, calls: host, eventSources: script.eventSources)
                directory.replace(adapter: common.name, with: script.eventSources)
                adapters.withLock { $0[common.name] = loaded }
                problems += script.warnings
            } catch let problem as ProjectProblem {
                problems.append(problem)
            } catch {
                problems.append(ProjectProblem(.error, file: common.descriptor.scriptPath, "\(error)"))
            }
        }
        return problems
    }

    /// The names of the adapters that are loaded, sorted.
    public var adapterNames: [String] {
        adapters.withLock { $0.keys.sorted() }
    }

    /// The event sources of all loaded adapters, sorted.
    public var eventSources: [EventSourceDeclaration] { directory.all }

    /// Calls a procedure. It never throws: whatever goes wrong is in the answer, as clients expect it (server-api 4).
    ///
    /// - Parameter parameters: a JSON array of the arguments, or one of the spellings in ``ParameterList``.
    public func invoke(adapter: String, procedure: String, parameters: String) async -> ProcedureResult {
        guard let loaded = self.adapter(named: adapter) else {
            return .failure(["Runtime: \(UnknownNameError(kind: "adapter", name: adapter, known: adapterNames))"])
        }
        guard let descriptor = loaded.common.descriptor.procedure(named: procedure) else {
            let known = loaded.common.descriptor.procedures.map(\.name)
            let error = UnknownNameError(
                kind: "procedure", name: procedure, known: known, place: "in \(loaded.common.descriptor.path)")
            return .failure(["Runtime: \(error)"])
        }
        do throws(ParameterError) {
            return await loaded.invoke(descriptor, parameters: try ParameterList(parameters))
        } catch {
            return .failure(["Runtime: \(error)"])
        }
    }

    /// Runs an event source's poll once. A poll scheduler decides when.
    ///
    /// - Throws: ``PollFailure`` with the JavaScript stack, ``UnknownNameError``, ``ProjectProblem``.
    public func poll(_ source: EventSourceID) async throws {
        guard let loaded = adapter(named: source.adapter) else {
            throw UnknownNameError(kind: "adapter", name: source.adapter, known: adapterNames)
        }
        try await loaded.poll(source.name)
    }

    /// Ends every running call, for a server that stops and has waited long enough.
    public func interrupt(reason: String) async {
        for adapter in adapters.withLock({ Array($0.values) }) {
            await adapter.interrupt(reason: reason)
        }
    }

    func adapter(named name: String) -> LoadedAdapter? {
        adapters.withLock { $0[name] }
    }

    /// The declaration of an event source.
    ///
    /// - Throws: ``UnknownNameError``.
    func declaration(of source: EventSourceID) throws(UnknownNameError) -> EventSourceDeclaration {
        if let declaration = directory.declaration(of: source) { return declaration }
        throw UnknownNameError(
            kind: "event source", name: source.description, known: eventSources.map(\.id.description))
    }
}

/// A name that nothing has.
public struct UnknownNameError: Error, Hashable, CustomStringConvertible {
    /// What should have had it: "adapter", "procedure", "event source".
    public let kind: String
    public let name: String
    /// The names that there are.
    public let known: [String]
    /// Where they are declared.
    public var place: String = ""

    public var description: String {
        let article = kind.first.map { "aeiou".contains($0) } == true ? "an" : "a"
        let shown = known.prefix(10).joined(separator: ", ") + (known.count > 10 ? ", …" : "")
        return "there is no \(kind) '\(name.prefix(100))'" + (place.isEmpty ? "" : " \(place)") + "; "
            + (known.isEmpty ? "there is not \(article) \(kind) at all" : "there are: \(shown)")
    }
}
