import AdapterChecks
import TestSupport
import Testing
import WorklightProject

@Suite("What only Rhino knew")
struct RhinoTests {
    @Test("It is found with its mend, and whether --fix does it")
    func found() async throws {
        let checked = try await Checked(
            """
            function run(o) {
                for each (var x in o) WL.Logger.info(x);
                return <a>{o}</a>;
            }
            """)
        #expect(checked.places == ["2:5 rhino-only", "3:12 rhino-only"])
        #expect(checked.problems.map(\.fix) == ["write for-of over Object.values", nil])
        #expect(checked.problems[0].description.hasSuffix("cannot read it (--fix does it) [rhino-only]"))
        #expect(checked.problems[1].message.contains("build the XML as a text"))
    }

    @Test("A script of today has none")
    func modern() async throws {
        #expect(
            try await Checked("const f = (x) => x; function run() { for (const x of [1]) f(x); return `${f(1)}`; }")
                .places
                == [])
    }
}
