import Foundation

/// The features of the original that a project uses and Lamplighter does not have.
extension Project {
    /// Returns one note for each feature and line. Security tests that nothing names do not count.
    func omissions() -> [ProjectError] {
        authentication.activeTests(of: self).flatMap(omissions) + singleSignOnModules() + webEnvironments()
    }

    /// The environments whose pages the original served.
    private static let webEnvironments: Set = ["mobileWebApp", "desktopBrowser", "facebook", "iGoogle", "embeddedPage"]

    private static let singleSignOn =
        "device single sign-on is not supported: users log in to each application of a device separately"

    private func omissions(of test: AuthenticationConfiguration.SecurityTest) -> [ProjectError] {
        test.tests.compactMap { part in
            if part.isSharedOnDevice { return omission(part.line, Self.singleSignOn) }
            if part.realm == "wl_authenticityRealm" {
                return omission(
                    part.line,
                    "the security test '\(test.name)' does not check the authenticity of applications, because only IBM's servers "
                        + "could: modified applications pass as well")
            }
            if authentication.isProvisioningRealm(part.realm) {
                return omission(
                    part.line,
                    "the security test '\(test.name)' requires a device certificate, and Lamplighter issues none: each device "
                        + "passes with the id that it claims, as with provisioningType=\"none\"")
            }
            return nil
        }
    }

    private func singleSignOnModules() -> [ProjectError] {
        let realms = authentication.activeRealms(of: self)
        return authentication.loginModules.filter { module in
            module.ssoDeviceLoginModule != nil
                && authentication.realms.contains { $0.loginModule == module.name && realms.contains($0.name) }
        }.map { omission($0.line, Self.singleSignOn) }
    }

    private func webEnvironments() -> [ProjectError] {
        applications.flatMap { application in
            let path = (application.path as NSString).deletingLastPathComponent
            return application.environments.filter { environment in
                Self.webEnvironments.contains(environment.name)
                    && !FileManager.default.fileExists(
                        atPath: folder.appending(path: "\(path)/\(environment.name)/www").path)
            }.map { environment in
                ProjectError(
                    .note, file: application.path, line: environment.line,
                    "the pages of the environment '\(environment.name)' are not served, since \(path)/\(environment.name)/www is "
                        + "missing: bring them there from the .wlapp file by 'lamplighter import', or put them on a web server that "
                        + "forwards requests below the context root to Lamplighter",
                    isOmission: true)
            }
        }
    }

    private func omission(_ line: Int, _ message: String) -> ProjectError {
        ProjectError(.note, file: AuthenticationConfiguration.path, line: line, message, isOmission: true)
    }
}
