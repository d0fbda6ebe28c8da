import Synchronization

/// The rules that are in force now; they may change while the sandbox runs.
final class ActiveFaultRules: Sendable {
    private let state = Mutex<[FaultRule]>([])
    private let hasRules = Atomic(false)

    var rules: [FaultRule] {
        get { state.withLock { $0 } }
        set {
            state.withLock { $0 = newValue }
            hasRules.store(!newValue.isEmpty, ordering: .releasing)
        }
    }

    /// Whether it is worth asking.
    var isEmpty: Bool { !hasRules.load(ordering: .acquiring) }

    /// The first rule that hits decides.
    func fault(for request: SandboxRequest) -> SandboxFault? { rules.first { $0.hits(request) }?.fault }
}

extension PushSandbox {
    /// The faults in force besides ``Settings/fault``, which goes first.
    public var faults: [FaultRule] {
        get { core.faults.rules }
        set { core.faults.rules = newValue }
    }
}
