import AdapterChecks
import TestSupport
import Testing
import WorklightProject

@Suite("Rhino-only syntax")
struct RhinoTests {
    @Test("Rhino-only syntax is found with its replacement, and with whether --fix applies it")
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
        #expect(checked.problems[1].message.contains("build the XML as a string"))
    }

    @Test("A script of today has none")
    func modern() async throws {
        #expect(
            try await Checked("const f = (x) => x; function run() { for (const x of [1]) f(x); return `${f(1)}`; }")
                .places
                == [])
    }
}
