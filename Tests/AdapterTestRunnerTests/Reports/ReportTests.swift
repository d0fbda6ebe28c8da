import AdapterTestRunner
import Testing

@Suite("Reports")
struct ReportTests {
    private func report(_ tests: String, _ format: TestReportFormat) async throws -> String {
        format.report(RunOutcome(files: [try await run(tests)], duration: .zero))
    }

    @Test("TAP tells every failure of a test, each with its place")
    func severalFailures() async throws {
        let report = try await report(
            """
            afterEach(() => { throw new Error("after\\nwards"); });
            it("x", () => { throw new Error("body"); });
            """, .tap)
        #expect(
            report.contains(
                """
                  ---
                  message: |2
                    body
                    
                    after
                    wards
                    at adapters/A/A.test.js:1:34
                  at: adapters/A/A.test.js:2:32
                  ...
                """), "\(report)")
    }

    @Test("In JUnit's attributes line ends are references, between tags they are lines")
    func lineEnds() async throws {
        let report = try await report(
            #"""
            it("two\nlines\r\n<'\t'>", () => { throw new Error("first\rpart\nsecond & last"); });
            """#, .junit)
        #expect(report.contains(#"<testcase name="two&#10;lines&#13;&#10;&lt;&apos;&#9;&apos;&gt;" classname="A""#))
        #expect(report.contains(#"<failure message="first&#13;part">first&#13;part"# + "\nsecond &amp; last\n"))
    }
}
