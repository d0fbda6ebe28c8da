package import Foundation
import PushModel
package import WorklightProject

/// With which credentials each application's notifications are sent, as settings and project say; decided without any
/// connection being made, so that `check` can show it as well.
package struct PushPlan {
    var settings: PushServiceSettings
    var senders: [ServiceMediator.Route: any PushSender] = [:]
    /// Reasons not to start.
    var errors: [String] = []
    /// The unusable credentials. Each stops only its application's deliveries over its service.
    var unusable: [String] = []
    /// Certificates of the project that development mode does without, since it shows the notifications instead.
    var warnings: [String] = []

    let push: PushSettings
    let project: Project
    let isProduction: Bool
    let now: Date

    /// - Parameter now: certificates that have ended by then are of no use.
    package init(for project: Project, _ push: PushSettings, isProduction: Bool, now: Date) {
        self.project = project
        self.push = push
        self.isProduction = isProduction
        self.now = now
        settings = PushServiceSettings(
            of: project, push, apnsEnvironment: isProduction ? .production : .sandbox)
        for channel in PushChannels.all { channel.plan(&self) }
        if let file = push.trustedCertificates, !FileManager.default.isReadableFile(atPath: path(file)) {
            errors.append("push.trustedCertificates: expected a readable file, found none at \(path(file))")
        }
    }

    /// The applications of the project and those that only the settings name.
    var applicationIDs: [String] {
        Set(project.applications.map(\.id)).union(push.applications.keys).sorted()
    }

    /// The services and applications whose credentials can be used.
    var usableRoutes: Set<ServiceMediator.Route> { Set(senders.filter { $0.value.problem == nil }.keys) }

    func path(_ text: String) -> String { project.folder.path(ofFile: text) }

    /// Returns the path of a file, or the key itself if the setting holds the key instead of a path.
    func source(_ text: String) -> String {
        text.contains("-----BEGIN") || text.hasPrefix("{") ? text : path(text)
    }

    /// Reads a credential; the error of an unusable one names the setting that it came from.
    mutating func read<Credential>(
        _ place: String, _ body: () throws -> Credential
    ) -> Result<Credential, UnusableCredentialError> {
        do {
            return .success(try body())
        } catch {
            return fail("\(place): \(error)")
        }
    }

    /// Notes an unusable credential.
    mutating func fail<Credential>(_ problem: String) -> Result<Credential, UnusableCredentialError> {
        unusable.append(problem)
        return .failure(UnusableCredentialError(description: problem))
    }

    /// Notes an unusable credential of the project. Old projects have such; development mode shows the notifications.
    mutating func failInProject<Credential>(_ problem: String) -> Result<Credential, UnusableCredentialError>? {
        guard isProduction else {
            warnings.append(problem)
            return nil
        }
        return fail(problem)
    }
}

extension URL {
    /// The path of a file that a setting names: as it is, or from this folder on.
    package func path(ofFile text: String) -> String { text.hasPrefix("/") ? text : appending(path: text).path }
}
