import Foundation
package import Logging

extension PushPlan {
    /// - Throws: ``PushSettingsError`` when a setting is of no use, and in production ``ModeError`` when there are no credentials for
    ///   something that the project sends.
    package func check() throws {
        try checkSettings()
        guard !isProduction || missing.isEmpty else { throw ModeError(missing: warnings + missing) }
    }

    /// Checks the settings; missing credentials are allowed.
    ///
    /// - Parameter isStrict: whether an unusable credential is a problem.
    /// - Throws: ``PushSettingsError``.
    package func checkSettings(isStrict: Bool = false) throws(PushSettingsError) {
        let problems = errors + (isStrict ? unusable : [])
        guard problems.isEmpty else { throw PushSettingsError(problems: problems) }
    }

    /// Logs which credential each application uses for each service, and which services only preview.
    package func log(to logger: Logger) {
        for line in report { logger.notice("push: \(line)") }
        for line in unusable { logger.error("push: \(line); its notifications wait") }
        for line in warnings { logger.warning("push: \(line)") }
        if !isProduction {
            for line in missing { logger.info("push: \(line)") }
            logger.notice(
                "development mode: notifications for which there are no credentials are shown and recorded, not sent"
            )
        } else if senders.isEmpty {
            logger.warning("push: there are no credentials at all, so every notification will be refused")
        }
    }
}

/// Invalid settings of the push services.
public struct PushSettingsError: Error, CustomStringConvertible {
    /// Each with its setting, what was expected and what to do.
    public let problems: [String]

    public var description: String { problems.joined(separator: "\n") }
}

/// Production mode was asked for, and a push service that the project uses has no credentials.
public struct ModeError: Error, CustomStringConvertible {
    /// The missing credentials, each with its location in the project and a remedy.
    public let missing: [String]

    public var description: String {
        (missing + ["mode production needs these; --mode development shows and records such notifications instead"])
            .joined(separator: "\n")
    }
}
