import JavaScriptEngine
import WorklightProject

/// A declared procedure with what its calls need, put together once.
final class LoadedProcedure: Sendable {
    let descriptor: ProcedureDescriptor
    let limits: ExecutionLimits
    let label: CallLabel
    /// The realm whose identity is the user; `nil` when the procedure's security test does not say, or there is none.
    let userRealm: String?
    /// `nil` for a function that is not declared as a procedure.
    let metrics: ProcedureMetrics?

    var name: String { descriptor.name }

    init(
        _ descriptor: ProcedureDescriptor, adapter: String, settings: RuntimeSettings, userRealm: String?,
        metrics: ProcedureMetrics?
    ) {
        self.descriptor = descriptor
        self.metrics = metrics
        self.userRealm = userRealm
        var limits = settings.calls
        if let timeout = descriptor.requestTimeout { limits.wallClock = .seconds(timeout) }
        self.limits = limits
        label = CallLabel(adapter: adapter, procedure: descriptor.name)
    }
}
