import Delivery
import Foundation
import Gateway
import PushServices

/// A setting of the push services: under `push` for all applications, and under `applications` and an application's id for
/// that one.
struct PushSetting: Sendable {
    let key: String
    let expected: String
    var isSecret = false
    let apply: @Sendable (inout PushCredentialSettings, String) -> Bool

    static let all: [PushSetting] = [
        .text("apns.key", "a .p8 file, or its text") { $0.apns.key = $1 },
        PushSetting(key: "apns.keyID", expected: "the key's id, ten letters and digits") { settings, text in
            settings.apns.keyID = text
            return text.wholeMatch(of: /[A-Za-z0-9]{10}/) != nil
        },
        PushSetting(key: "apns.teamID", expected: "the team's id, ten letters and digits") { settings, text in
            settings.apns.teamID = text
            return text.wholeMatch(of: /[A-Za-z0-9]{10}/) != nil
        },
        .text("apns.certificate", "a .p12 file") { $0.apns.certificate = $1 },
        PushSetting(key: "apns.password", expected: "the .p12 file's password", isSecret: true) { settings, text in
            settings.apns.password = text
            return true
        },
        PushSetting(key: "apns.environment", expected: "sandbox or production") { settings, text in
            settings.apns.environment = PushServiceSettings.APNsEnvironment(rawValue: text)
            return settings.apns.environment != nil
        },
        .text("apns.topic", "the app's bundle id") { $0.apns.topic = $1 },
        .endpoint("apns.endpoint") { $0.apns.endpoint = $1 },
        .text("fcm.serviceAccount", "a service account's JSON file, or its text", isSecret: true) {
            $0.fcm.serviceAccount = $1
        },
        .endpoint("fcm.endpoint") { $0.fcm.endpoint = $1 },
        .text("wns.packageSID", "the package's SID, such as ms-app://s-1-15-2-…") { $0.wns.packageSID = $1 },
        .text("wns.clientSecret", "the package's client secret", isSecret: true) { $0.wns.clientSecret = $1 },
        .endpoint("wns.endpoint") { $0.wns.endpoint = $1 },
        PushSetting(key: "webPush.contact", expected: "mailto: and an address, or an https: address") {
            settings, text in
            settings.webPush.contact = text
            return text.wholeMatch(of: /mailto:[^ ]+@[^ ]+|https:\/\/[^ ]+/) != nil
        },
        .endpoint("webPush.endpoint") { $0.webPush.endpoint = $1 },
        .endpoint("sms.endpoint") { $0.smsEndpoint = $1 },
    ]

    private static func text(
        _ key: String, _ expected: String, isSecret: Bool = false,
        _ set: @escaping @Sendable (inout PushCredentialSettings, String) -> Void
    ) -> PushSetting {
        PushSetting(key: key, expected: expected, isSecret: isSecret) { settings, text in
            set(&settings, text)
            return !text.isEmpty
        }
    }

    private static func endpoint(
        _ key: String, _ set: @escaping @Sendable (inout PushCredentialSettings, ServiceEndpoint) -> Void
    ) -> PushSetting {
        PushSetting(key: key, expected: "an address such as https://localhost:2197, without a path") { settings, text in
            guard let endpoint = ServiceEndpoint(text) else { return false }
            set(&settings, endpoint)
            return true
        }
    }
}

extension Setting {
    /// What the push services need, for all applications.
    static let push: [Setting] =
        PushSetting.all.map { setting in
            Setting(key: "push.\(setting.key)", expected: setting.expected, isSecret: setting.isSecret) {
                settings, text in
                setting.apply(&settings.installation.push.credentials, text)
            }
        } + [
            Setting(
                key: "push.webPush.key", expected: "a P-256 private key in PEM, or its 32 bytes in Base64 for URLs",
                isSecret: true
            ) { settings, text in
                settings.installation.webPushKey = try? VAPIDKey(text, source: "push.webPush.key")
                return settings.installation.webPushKey != nil
            },
            Setting(key: "push.trustedCertificates", expected: "a file in PEM with certificates to trust besides") {
                settings, text in
                settings.installation.push.trustedCertificates = text
                return !text.isEmpty
            },
            Setting(
                key: "push.proxy", expected: "http://HOST:PORT or socks5://HOST:PORT, with USER:PASSWORD@ before HOST",
                isSecret: true
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
