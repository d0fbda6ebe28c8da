import Foundation
import Push

/// A setting of the push services: under `push` for all applications, and under `applications` and an application's id for
/// that one.
struct PushSetting: Sendable {
    let key: String
    let expected: String
    var isSecret = false
    /// Returns the value in force as a text that ``apply`` takes; `nil` while there is none.
    let show: @Sendable (PushCredentialSettings) -> String?
    /// Sets the value to a text; returns `false` when the text is not as expected.
    let apply: @Sendable (inout PushCredentialSettings, String) -> Bool

    static let all: [PushSetting] = [
        .text("apns.key", "a .p8 file, or its text", of: \.apns.key),
        .text("apns.keyID", "the key's id, ten letters and digits", of: \.apns.keyID) {
            $0.wholeMatch(of: /[A-Za-z0-9]{10}/) != nil
        },
        .text("apns.teamID", "the team's id, ten letters and digits", of: \.apns.teamID) {
            $0.wholeMatch(of: /[A-Za-z0-9]{10}/) != nil
        },
        .text("apns.certificate", "a .p12 file", of: \.apns.certificate),
        .text("apns.password", "the .p12 file's password", of: \.apns.password, isSecret: true) { _ in true },
        PushSetting(
            key: "apns.environment", expected: "sandbox or production", show: { $0.apns.environment?.rawValue }
        ) { settings, text in
            settings.apns.environment = PushServiceSettings.APNsEnvironment(rawValue: text)
            return settings.apns.environment != nil
        },
        .text("apns.topic", "the app's bundle id", of: \.apns.topic),
        .endpoint("apns.endpoint", of: \.apns.endpoint),
        .text(
            "fcm.serviceAccount", "a service account's JSON file, or its text", of: \.fcm.serviceAccount,
            isSecret: true),
        .endpoint("fcm.endpoint", of: \.fcm.endpoint),
        .text("wns.packageSID", "the package's SID, such as ms-app://s-1-15-2-…", of: \.wns.packageSID),
        .text("wns.clientSecret", "the package's client secret", of: \.wns.clientSecret, isSecret: true),
        .endpoint("wns.endpoint", of: \.wns.endpoint),
        .text("webPush.contact", "mailto: and an address, or an https: address", of: \.webPush.contact) {
            $0.wholeMatch(of: /mailto:[^ ]+@[^ ]+|https:\/\/[^ ]+/) != nil
        },
        .endpoint("webPush.endpoint", of: \.webPush.endpoint),
        .endpoint("sms.endpoint", of: \.smsEndpoint),
    ]

    private static func text(
        _ key: String, _ expected: String, of path: SettingPath<PushCredentialSettings, String?>,
        isSecret: Bool = false, isValid: @escaping @Sendable (String) -> Bool = { !$0.isEmpty }
    ) -> PushSetting {
        PushSetting(
            key: key, expected: expected, isSecret: isSecret, show: { $0[keyPath: path] }
        ) { settings, text in
            settings[keyPath: path] = text
            return isValid(text)
        }
    }

    private static func endpoint(
        _ key: String, of path: SettingPath<PushCredentialSettings, ServiceEndpoint?>
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

extension Setting {
    /// The settings of the push services for all applications.
    static let push: [Setting] =
        PushSetting.all.map { setting in
            Setting(
                key: "push.\(setting.key)", expected: setting.expected, isSecret: setting.isSecret,
                show: { setting.show($0.installation.push.credentials) }
            ) { settings, text in
                setting.apply(&settings.installation.push.credentials, text)
            }
        } + [
            .secret(
                "push.webPush.key", "a P-256 private key in PEM, or its 32 bytes in Base64 for URLs",
                unset: "a key in the data folder"
            ) { settings, text in
                settings.installation.webPushKey = try? VAPIDKey(text, source: "push.webPush.key")
                return settings.installation.webPushKey != nil
            },
            .text(
                "push.trustedCertificates", "a file in PEM with certificates to trust besides",
                of: \.installation.push.trustedCertificates),
            .secret(
                "push.proxy", "http://HOST:PORT or socks5://HOST:PORT, with USER:PASSWORD@ before HOST"
            ) { settings, text in
                settings.installation.push.proxy = EgressProxy(text)
                return settings.installation.push.proxy != nil
            },
        ]
}

extension EgressProxy {
    /// - Returns: nil when `text` is not like `socks5://user:password@proxy:1080`.
    fileprivate init?(_ text: String) {
        guard let address = URLComponents(string: text), let host = address.host, !host.isEmpty,
            let port = address.port, ["", "/"].contains(address.path), address.query == nil
        else { return nil }
        let kinds: [String: Kind] = ["http": .http, "socks5": .socks, "socks": .socks]
        guard let kind = address.scheme.flatMap({ kinds[$0] }) else { return nil }
        let login = address.user.map { Login(user: $0, password: address.password ?? "") }
        self.init(kind, host: host, port: port, login: login)
    }
}
