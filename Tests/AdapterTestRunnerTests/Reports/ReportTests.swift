import AdapterTestRunner
import Testing

@Suite("Reports")
struct ReportTests {
    private func report(_ tests: String, _ format: TestReportFormat) async throws -> String {
        format.report(RunOutcome(files: [try await run(tests)], duration: .zero))
    }

    @Test("TAP lists every failure of a test, each with its location")
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

    @Test("Line ends are references in JUnit's attributes, and lines between tags")
    func lineEnds() async throws {
        let report = try await report(
            #"""
            it("two\nlines\r\n<'\t'>", () => { throw new Error("first\rpart\nsecond & last"); });
            """#, .junit)
        #expect(report.contains(#"<testcase name="two&#10;lines&#13;&#10;&lt;&apos;&#9;&apos;&gt;" classname="A""#))
        #expect(report.contains(#"<failure message="first&#13;part">first&#13;part"# + "\nsecond &amp; last\n"))
    }

    @Test("JUnit has one failure for a test, with all its messages")
    func oneFailure() async throws {
        let report = try await report(
            """
            afterEach(() => { throw new Error("afterwards"); });
            it("x", () => { throw new Error("body"); });
            """, .junit)
        #expect(report.ranges(of: "<failure").count == 1)
        #expect(report.contains(#"<failure message="body">"#) && report.contains("\n\nafterwards\n"), "\(report)")
    }

    @Test("Every failure in JSON has its location, null where none is known")
    func places() async throws {
        let report = try await report("// nothing", .json)
        for key in ["file", "line", "column"] { #expect(report.contains("\"\(key)\": null"), "\(report)") }
    }

    @Test("The caret below a line is in its column, also behind tabs")
    func marks() async throws {
        let report = try await report("it('x', () => {\n\tconst é = 1;\texpect(1).toBe(2);\n});", .text)
        let lines = report.split(separator: "\n").map(String.init)
        let index = try #require(lines.firstIndex { $0.contains("> 2 |") })
        let (line, mark) = (Array(lines[index]), Array(lines[index + 1]))
        let column = try #require(mark.firstIndex(of: "^"))
        #expect(line[..<column].indices.allSatisfy { (line[$0] == "\t") == (mark[$0] == "\t") })
        #expect(mark.filter { $0 == "\t" }.count == 2, "\(report)")
    }
}
