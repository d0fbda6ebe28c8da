import Core
import JavaScriptEngine
import TestSupport
import Testing
import WorklightProject

@testable import AdapterRuntime

/// The proof of `LockedRealmTests` for the realm with the server's functions.
@Suite("The realm that scopes share", .defaultTimeLimit)
struct ScriptRealmTests {
    /// Objects that scripts reach through the Proxies of Java's names.
    private static let java = """
        [
            java, Packages.org.example, java.lang.System.out.println, java.lang.System.currentTimeMillis, java.lang.Thread.currentThread,
            java.util.Properties, java.util.Hashtable, java.net.URLEncoder.encode, java.net.URLDecoder.decode,
            com.worklight.common.js.util.JSObjectConverter.toFormattedString
        ]
        """

    private static func withRealm<Result: Sendable>(
        _ body: @escaping @Sendable (ScriptRealm) throws -> Result
    ) async throws -> Result {
        let machine = try VirtualMachine.start(name: "realm")
        return try await machine.run { machine in
            let contexts = try machine.contexts
            let table = ScopeTable(in: contexts, count: ScopeCounter())
            let realm = try ScriptRealm.makeLocked(
                try contexts.make(name: "realm"), in: table, withHelpers: true, movesClock: true)
            return try withExtendedLifetime(table) { try body(realm) }
        }
    }

    private static func faults(_ call: String) async throws -> [String] {
        try await withRealm { realm in
            let label = CallLabel(adapter: "proof", procedure: call)
            return try realm.context.call(label, limits: ExecutionLimits(cpuTime: .seconds(300))) {
                let found = try realm.context.evaluate("\(RealmProof.source(with: java)).\(call)", file: "proof.js")
                return try found.elements().map { $0.string ?? "" }
            }
        }
    }

    @Test("No object is extensible, and no member can be written or configured")
    func openings() async throws {
        let found = try await Self.faults("openings()")
        #expect(found.isEmpty, "\(found)")
    }

    @Test("No object has a state other than its members")
    func slots() async throws {
        #expect(try await Self.faults("slots()") == [])
    }

    @Test("Assigning, defining and deleting members, and setting prototypes, changes nothing")
    func attempts() async throws {
        #expect(try await Self.faults("attempts()") == [])
    }

    @Test("Functions that are called with the realm's objects change nothing", arguments: 0..<4)
    func calls(part: Int) async throws {
        let found = try await Self.faults("calls(\(part), 4)")
        #expect(found.isEmpty, "\(found)")
    }

    /// Runs as an adapter's call, in which the server's functions work.
    @Test("Two calls of a function do not lead to an object that can be changed")
    func results() async throws {
        var settings = RuntimeSettings.patient
        settings.setForAll {
            $0.cpuTime = .seconds(100)
            // Native functions release memory at the end of a call.
            $0.heap = 2 << 30
        }
        settings.scopes.sharesAllRealms = true
        let more = "[WL, MFP, console, Object.getPrototypeOf(this)['__rh' + 'ino'], WL.Server.getClientRequest()]"
        let project = try await TestProject(
            """
            WL.Server.createEventSource({ name: 'S', onUserSubscribe: function () {} });
            var made = [<a b="1"><c/></a>, Iterator({ a: 1 }), [x for (x in [1])]];
            function old() { yield 1; }
            var isRunning = false;
            function run() {
                if (isRunning) return;
                isRunning = true;
                var proof = \(RealmProof.source(with: "more()"));
                return { found: proof.results(), size: proof.size() };
            }
            function more() { return \(more); }
            """, settings: settings)
        #expect(project.problems.filter { $0.severity == .error } == [])
        let caller = Caller(session: ClientSession(id: "s"))
        let result = try JSONValue(parsing: await project.call(as: caller))
        // The settings of XML, of which each scope has its own.
        #expect(result["found"] == ["object 3.record 0 leads to defaultNamespace,settings"], "\(result)")
        #expect((result["size"]?.number ?? 0) > 1000, "\(result)")
    }

    @Test("It has the server's functions, Rhino's library and the functions of translated scripts")
    func names() async throws {
        let missing = try await Self.withRealm { realm in
            try [
                "WL.Server.invokeHttp", "WL.Logger.info", "WL.Geo.isInsideCircle", "MFP.Server.invokeSQLStatement",
                "console.log",
                "java.util.Properties", "'x'.equals", "XML", "StopIteration", "uneval", "Array.forEach", "JavaImporter",
                "__rhino.list",
                "__thrown",
            ].filter { try realm.context.evaluate("typeof \($0)", file: "names.js").string == "undefined" }
        }
        #expect(missing == [])
    }
}
