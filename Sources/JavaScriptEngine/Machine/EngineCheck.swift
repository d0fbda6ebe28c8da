import CJavaScriptCore

/// Checks whether the installed JavaScriptCore behaves as the server needs, whatever its version: Debian's security updates bring new ones.
///
/// It takes about 50 ms.
public struct EngineCheck: Sendable {
    /// The versions that all of Lamplighter's tests have run with, without the last number.
    private static let knownVersions = ["2.50"]

    /// The latest version that is known to be good.
    public static let lastKnownVersion = knownVersions.last ?? ""

    /// The version of the installed library, such as `2.50.4`.
    public let version: String
    /// The reasons why scripts must not run with it.
    public let failures: [String]
    /// The facts that the operator should know.
    public let warnings: [String]

    /// Checks the engine on a separate machine.
    ///
    /// - Throws: ``EngineStartError``.
    public static func run() async throws(EngineStartError) -> EngineCheck {
        let machine = try VirtualMachine.start(name: "check")
        let faults = await machine.run { machine in
            do {
                let context = try machine.contexts.make(name: "check")
                try context.lock()
                return try Self.faults(of: context)
            } catch {
                return ["a script could not be run: \(error)"]
            }
        }
        let numbers = [jsc_get_major_version(), jsc_get_minor_version(), jsc_get_micro_version()].map(String.init)
        var warnings: [String] = []
        if !knownVersions.contains(numbers.prefix(2).joined(separator: ".")) {
            warnings.append(
                "this version is not among those that were tested (\(knownVersions.joined(separator: ", "))); the checks at the start have passed"
            )
        }
        if !EngineProcess.hasJIT {
            warnings.append("it runs without its JIT compiler, so scripts take several times as long")
        }
        return EngineCheck(
            version: numbers.joined(separator: "."), failures: [EngineProcess.warning].compactMap(\.self) + faults,
            warnings: warnings)
    }

    /// Returns the ways in which scripts of a locked scope could change what others share, and escape their limits.
    static func faults(of context: ScriptContext) throws -> [String] {
        let proof = try context.evaluate(RealmProof.source(), file: "lamplighter:proof")
        var faults: [String] = []
        for (function, text) in [
            ("openings", "scripts can change what all sessions share"), ("slots", "all sessions share a state"),
        ] {
            let found = try context.evaluate("(proof => proof.\(function)())", file: "lamplighter:proof").call([proof])
                .elements()
            if let first = found.first { faults.append("\(text) (\(found.count), such as: \(first.string ?? ""))") }
        }
        let label = CallLabel(adapter: "check", procedure: "limits")
        do {
            try context.call(label, limits: ExecutionLimits(cpuTime: .milliseconds(5))) {
                _ = try context.evaluate("(() => { for (;;) {} })()", file: "lamplighter:proof")
            }
            faults.append("a script did not end at its limit")
        } catch is LimitExceededError {
        }
        return faults
    }
}
