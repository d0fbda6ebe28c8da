import JavaScriptEngine
import TestSupport
import Testing

@testable import AdapterRuntime

@Suite("State of running calls", .defaultTimeLimit)
struct CallStateTests {
    @Test("A machine keeps nothing of a call outside the call's own object")
    func stored() async throws {
        let machine = try VirtualMachine.start(name: "test")
        let names = try await machine.run { machine in
            let table = ScopeTable(in: try machine.contexts, count: ScopeCounter())
            return Mirror(reflecting: table).children.compactMap(\.label)
        }
        // A property of a call belongs into RunningCall: steps of other calls run between those of a call that waits.
        #expect(
            names == [
                "shared", "sharedNames", "owners",
                // The scripts that are at their top level, which never waits.
                "loading", "setNumber", "call",
                // The calls that wait, each as its next step.
                "nextSteps", "lastNumber", "contexts", "count", "sharedRealm", "scopeFunctions",
            ])
    }
}
