import AdapterSyntax
import TestSupport
import Testing

@Suite("State between calls")
struct StateVerdictTests {
    /// Stateless scripts that the analysis cannot prove to be so.
    private static let unproven: Set<String> = [
        "a digest with a table of constants", "a temporary given by every case", "rows sorted by a shared comparison",
        "rows grouped by their own names only", "a class made new for each call", "a class that extends another",
        "a getter on a local object", "a list of constants joined to the client's", "a table of handlers",
        "a copied document that is changed",
    ]

    private func verdict(
        _ script: String, entryPoints: Set<String> = [], budget: Duration = .seconds(60)
    ) throws -> StateVerdict {
        try SyntaxTree(script, file: "A-impl.js").stateVerdict(entryPoints: entryPoints, budget: budget)
    }

    @Test("a script that keeps something between calls has state", arguments: StatefulScripts.all)
    func stateful(_ script: ScriptCase) throws {
        #expect(try verdict(script.script).state != nil)
    }

    @Test(
        "a script that keeps nothing between calls has no state",
        arguments: StatelessScripts.all.filter { !unproven.contains($0.name) })
    func stateless(_ script: ScriptCase) throws {
        #expect(try verdict(script.script).state == nil)
    }

    @Test("a script has state in doubt", arguments: StatelessScripts.all.filter { unproven.contains($0.name) })
    func inDoubt(_ script: ScriptCase) throws {
        #expect(try verdict(script.script).state != nil)
    }

    @Test("names the variable, the line and the function that reads it")
    func names() throws {
        let state = try verdict(
            """
            var user = null;
            function login(name) { user = name; }
            function whoAmI() { return { user: user }; }
            """
        ).state
        #expect(state?.variable == "user")
        #expect(state?.position.line == 3)
        #expect(state?.description == "whoAmI() reads 'user', which an earlier call may have set")
    }

    @Test("names the function that changes an object of the top level")
    func changes() throws {
        let state = try verdict(
            """
            var cache = {};
            function find(id) {
                if (!cache[id]) {
                    cache[id] = WL.Server.invokeHttp({ method: "get", path: id });
                }
                return cache[id];
            }
            """
        ).state
        #expect(state?.variable == "cache")
        #expect(state?.position.line == 4)
        #expect(state?.description == "find() changes 'cache'")
    }

    @Test("lists the names that each call assigns before it reads them")
    func temporaries() throws {
        let verdict = try verdict(
            """
            var request;
            function stories() {
                path = "/feed";
                request = { method: "get", path: path };
                return WL.Server.invokeHttp(request);
            }
            """)
        #expect(verdict == .stateless(temporaries: ["path", "request"]))
    }

    @Test("a procedure that functions replace is state")
    func replacedProcedure() throws {
        let script = "function init() { find = function () { return 1; }; }"
        #expect(try verdict(script, entryPoints: ["init", "find"]).state?.variable == "find")
    }

    @Test("a script that takes longer than the budget has state")
    func budget() throws {
        let script = (0..<1000).map { "function f\($0)(a) { return a + \($0); }" }.joined(separator: "\n")
        #expect(try verdict(script).state == nil)
        #expect(
            try verdict(script, budget: .zero).state?.description.hasSuffix("is too large to be analysed in time")
                == true)
    }
}
