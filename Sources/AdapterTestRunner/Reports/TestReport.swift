/// The formats of test reports.
public enum TestReportFormat: String, Sendable, CaseIterable {
    /// A report for a terminal.
    case text
    /// JUnit's XML, which build servers read.
    case junit
    /// The Test Anything Protocol, version 14.
    case tap
    /// One JSON object.
    case json

    /// Returns the report of a run in this format.
    public func report(_ run: RunOutcome) -> String {
        switch self {
        case .text: TextReport(usesColor: false).report(run)
        case .junit: JUnitReport.report(run)
        case .tap: TAPReport.report(run)
        case .json: JSONReport.report(run)
        }
    }
}
