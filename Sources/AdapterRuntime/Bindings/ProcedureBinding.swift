import Core
import JavaScriptEngine
import Logging
import WorklightProject

/// `WL.Server.invokeProcedure`: one procedure calls another, of the same adapter or of another one (server-api 2.5).
extension AdapterScope {
    static func declareProcedures(in table: inout BindingTable.Declarations) {
        // Real code passes a second argument, copied from client code: it is ignored.
        table.addWaiting("invokeProcedure") { scope, call in
            let options = call[0]
            guard options.isObject else {
                throw HostError(
                    "invokeProcedure: expected an object with 'adapter' and 'procedure', got \(options.kind)")
            }
            guard let adapter = try options.get("adapter").string else {
                throw HostError("invokeProcedure: 'adapter' must be a string, got \(try options.get("adapter").kind)")
            }
            guard let procedure = try options.get("procedure").string else {
                throw HostError(
                    "invokeProcedure: 'procedure' must be a string, got \(try options.get("procedure").kind)")
            }
            for key in options.memberNames where !["adapter", "procedure", "parameters"].contains(key) {
                scope.adapter.log.warnOnce(
                    "invokeProcedure \(key)", to: scope.logger,
                    scope.atCall(
                        "invokeProcedure: the option '\(key)' is not known and does nothing"
                            + Suggestion.hint(for: key, among: ["adapter", "procedure", "parameters"])))
            }
            return try scope.invoke(adapter: adapter, procedure: procedure, parameters: options.get("parameters"))
        }
    }

    /// The other procedure runs in the caller's own scope of that adapter, as a part of the running call: with its caller, and
    /// within its limits.
    private func invoke(adapter: String, procedure: String, parameters: ScriptValue) throws -> BackEndCall {
        let name = "\(adapter)/\(procedure)"
        let (other, descriptor): (AdapterVersion, LoadedProcedure)
        do {
            other = try table.call.adapters.adapter(named: adapter).common
            descriptor = try other.procedure(named: procedure)
        } catch {
            logger.error("\(atCall("invokeProcedure: \(error)"))")
            let told = self.adapter.settings.failureReference?.message(for: error) ?? "\(error)"
            return .result(try makeResult(.failure(["Runtime: \(told)"]), of: name))
        }
        guard table.call.functions.count < Self.deepestCalls else {
            throw HostError(
                "invokeProcedure: \(name) is not called, since \(Self.deepestCalls) procedures wait for each other; find those that call "
                    + "each other without end")
        }
        let adapters = table.call.adapters
        guard adapters.group(of: self.name).id == adapters.group(of: adapter).id || table.isAlone else {
            throw HostError(
                "invokeProcedure: \(name) is not called, since the script of \(self.name) does not show that it calls \(adapter); write the call "
                    + "as WL.Server.invokeProcedure({ adapter: \"\(adapter)\", procedure: … })")
        }
        let list = try argumentList(parameters)
        let scope = try table.scope(of: other)
        return .procedure { [self] then in
            scope.invoke(descriptor, parameters: list) { result in
                then { [self] in try makeResult(result, of: name) }
            }
        }
    }

    /// The highest number of procedures that call each other, each one within the other.
    private static let deepestCalls = 100

    private func makeResult(_ result: ProcedureResult, of procedure: String) throws -> ScriptValue {
        guard let value = context.parse(json: result.json) else {
            throw HostError("invokeProcedure: the result of \(procedure) is not JSON: \(result.json.prefix(200))")
        }
        return value
    }

    /// Returns the arguments, which are documented as an array. No value means no arguments; a single value that is not an array is the only
    /// argument.
    private func argumentList(_ value: ScriptValue) throws -> String {
        guard !value.isNullOrUndefined, let text = try value.json() else { return "[]" }
        return value.isArray ? text : "[\(text)]"
    }
}
