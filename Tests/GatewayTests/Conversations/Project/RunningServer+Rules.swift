import PushModel

@testable import Gateway

extension RunningServer {
    /// Decides for version 1.0 of `MyApp`, as the operator does.
    func setRule(
        environment: String, access: ApplicationRule.Access, message: String? = nil, downloadLink: String? = nil,
        checksum: Int? = nil, messageID: String? = nil
    ) throws {
        _ = try installation.security.rules.set(
            ApplicationRule(
                applicationID: "MyApp", environment: environment, version: "1.0", access: access, message: message,
                downloadLink: downloadLink, checksum: checksum, messageID: messageID, updatedAt: installation.time.now))
    }
}
