import Foundation
import Synchronization

/// Which requests are to go wrong, and how, as one writes it in a command: `apns:503:ServiceUnavailable:10%`,
/// `apns:410@TOKEN`, `fcm:slow:2s`.
///
/// It begins with the service and what happens, followed by details in any order, each after a colon, and the token after
/// an `@` at the end.
public struct FaultRule: Sendable, Hashable, CustomStringConvertible {
    /// nil for every service.
    public let service: SandboxService?
    public let fault: SandboxFault
    /// The share of requests that it hits, by chance, in percent.
    public let percentage: Double
    /// The token whose requests it hits; nil for all.
    public let token: String?
    /// The rule as written.
    public let description: String

    /// Reads a rule.
    ///
    /// - Throws: ``FaultRuleError``, which says what was expected.
    public init(_ text: String) throws(FaultRuleError) {
        var reader = try FaultRuleReader(text)
        service = try reader.service()
        fault = try reader.fault(service: service)
        percentage = reader.percentage
        token = reader.token
        description = text
        try reader.end()
    }

    func hits(_ request: SandboxRequest) -> Bool {
        if let service, service != request.service { return false }
        // A client without an access token cannot send: faults for all are not meant for that.
        if service == nil, request.service == .oauth { return false }
        if let token, token != request.token { return false }
        return percentage >= 100 || Double.random(in: 0..<100) < percentage
    }
}

/// A problem with a rule.
public struct FaultRuleError: Error, Hashable, CustomStringConvertible {
    public let description: String

    init(_ rule: String, _ problem: String) {
        description = "the fault '\(rule)' is not understood: \(problem)"
    }
}

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

    /// True if there are no rules.
    var isEmpty: Bool { !hasRules.load(ordering: .acquiring) }

    /// The first rule that hits decides.
    func fault(for request: SandboxRequest) -> SandboxFault? { rules.first { $0.hits(request) }?.fault }
}

extension PushSandbox {
    /// The faults in force besides ``Settings/fault``, which is applied first.
    public var faults: [FaultRule] {
        get { core.faults.rules }
        set { core.faults.rules = newValue }
    }
}
