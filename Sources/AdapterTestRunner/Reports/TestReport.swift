/// The forms in which the outcome of tests is written.
public enum TestReportFormat: String, Sendable, CaseIterable {
    /// For people.
    case text
    /// JUnit's XML, which build servers read.
    case junit
    /// The Test Anything Protocol, version 14.
    case tap
    case json

    /// The whole of a run in this form.
    public func report(_ run: RunOutcome) -> String {
        switch self {
        case .text: TextReport(usesColor: false).report(run)
        case .junit: JUnitReport.report(run)
        case .tap: TAPReport.report(run)
        case .json: JSONReport.report(run)
        }
    }
}
