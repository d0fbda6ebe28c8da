/// A setting of the push services: under `push` for all applications, and under `applications` and an application's id for
/// that one.
package struct PushSetting: Sendable {
    package let key: String
    package let expected: String
    package var isSecret = false
    /// Returns the value in force as a string that ``apply`` accepts; `nil` if there is none.
    package let show: @Sendable (PushCredentialSettings) -> String?
    /// Sets the value from a string; returns `false` when the string is invalid.
    package let apply: @Sendable (inout PushCredentialSettings, String) -> Bool

    /// The settings of all channels.
    package static let all: [PushSetting] = PushChannels.all.flatMap { $0.settings }

    static func text(
        _ key: String, _ expected: String, of path: any Sendable & WritableKeyPath<PushCredentialSettings, String?>,
        isSecret: Bool = false, isValid: @escaping @Sendable (String) -> Bool = { !$0.isEmpty }
    ) -> PushSetting {
        PushSetting(
            key: key, expected: expected, isSecret: isSecret, show: { $0[keyPath: path] }
        ) { settings, text in
            settings[keyPath: path] = text
            return isValid(text)
        }
    }

    static func endpoint(
        _ key: String, of path: any Sendable & WritableKeyPath<PushCredentialSettings, ServiceEndpoint?>
    ) -> PushSetting {
        PushSetting(
            key: key, expected: "an address such as https://localhost:2197, without a path",
            show: { $0[keyPath: path]?.description }
        ) { settings, text in
            guard let endpoint = ServiceEndpoint(text) else { return false }
            settings[keyPath: path] = endpoint
            return true
        }
    }
}
