import Core
import PushModel

@testable import Installation

extension RunningServer {
    /// Decides for version 1.0 of an application, as the operator does.
    func setRule(
        application: String = "MyApp", environment: String, version: String = "1.0", access: ApplicationRule.Access,
        message: String? = nil,
        downloadLink: String? = nil,
        checksum: Int? = nil, messageID: String? = nil
    ) throws {
        _ = try installation.security.rules.set(
            ApplicationRule(
                applicationID: application, environment: environment, version: version, access: access,
                message: message,
                downloadLink: downloadLink, checksum: checksum, messageID: messageID, updatedAt: installation.time.now))
    }
}
