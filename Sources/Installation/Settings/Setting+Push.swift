import Foundation
import Push

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
