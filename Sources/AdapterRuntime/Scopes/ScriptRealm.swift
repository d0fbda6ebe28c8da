import AdapterSyntax
import JavaScriptEngine

/// A global scope of the engine with the server's functions: `WL`, `console`, Java's packages.
///
/// Its functions work for the scope whose call is the innermost one in the machine, since a scope's scripts run nowhere else. So they hold no
/// scope, and scopes can share a realm.
final class ScriptRealm {
    unowned let context: ScriptContext
    unowned let table: ScopeTable
    /// The methods of the object that `getClientRequest` returns, made when they are first needed.
    var requestPrototype: ScriptValue?
    /// The functions that user subscriptions share, made with the first subscription.
    var subscriptionFunctions: SubscriptionFunctions?
    /// True if ``installRhinoLibrary()`` has been called.
    var hasRhinoLibrary = false

    init(_ context: ScriptContext, in table: ScopeTable) {
        self.context = context
        self.table = table
    }

    /// Makes a native function for scripts. `body` gets the scope that calls it.
    ///
    /// - Parameter title: the function's name in traces, if it is another one.
    func makeFunction(
        _ name: String, title: String? = nil, _ body: @escaping (AdapterScope, HostCall) throws -> ScriptValue
    ) throws -> ScriptValue {
        try context.makeFunction(name) { [unowned table] call in
            guard let scope = table.running else { throw HostError("\(title ?? name) can be called by a call only") }
            do {
                guard let tracer = scope.tracer else { return try body(scope, call) }
                return try scope.trace(title ?? name, call, tracer, body)
            } catch {
                if !(error is ScriptError) { table.call.hostMessage = "\(error)" }
                throw error
            }
        }
    }
}
