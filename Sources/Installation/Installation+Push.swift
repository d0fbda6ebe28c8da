public import Foundation
import Push
public import WorklightProject

extension Installation {
    /// Opens every `.p12` and `.p8` file of a project that can be opened, and says what it is for and when it ends.
    ///
    /// A certificate that is of use is a note, one that ends within 30 days or does not fit its application is a warning, and so
    /// is a file that cannot be read. ``checkPush(of:_:)`` reports problems of files that the settings name.
    ///
    /// - Parameter now: decides what has ended.
    public static func credentialReport(
        of project: Project, _ settings: InstallationSettings, now: Date = Date()
    ) -> [ProjectError] {
        CredentialReport(project: project, push: settings.push, isProduction: settings.mode == .production, now: now)
            .problems
    }

    /// Reads the credentials of the push services without opening anything.
    ///
    /// - Throws: ``PushSettingsError``.
    public static func checkPush(of project: Project, _ settings: InstallationSettings) throws {
        let plan = PushPlan(for: project, settings.push, isProduction: settings.mode == .production, now: Date())
        try plan.checkSettings(isStrict: true)
    }
}
