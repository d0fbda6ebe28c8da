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

    /// Returns the problems of the settings for a project, without opening anything: credentials that are invalid or, in production, missing; names of
    /// adapters and realms that the project does not have.
    public static func settingsProblems(of project: Project, _ settings: InstallationSettings) -> [ProjectError] {
        let plan = PushPlan(for: project, settings.push, isProduction: settings.mode == .production, now: Date())
        var messages: [String] = []
        do { try settings.checkNamesOfAdapters(of: project) } catch { messages.append("\(error)") }
        do {
            try plan.checkSettings(isStrict: true)
            try plan.check()
        } catch let error as PushSettingsError {
            messages += error.problems
        } catch let error as ModeError {
            messages += error.missing
        } catch {
            messages.append("\(error)")
        }
        return messages.map { ProjectError(.error, file: "lamplighter.yaml", $0) }
            + settings.loginKeyProblems(of: project)
    }
}
