import AdapterRuntime
import Authentication
import Foundation
import HTTPServer
import HTTPTypes
import JavaScriptEngine
package import Logging
import Storage

/// The settings from `lamplighter.yaml`, environment variables and, for some, flags; the later source wins.
package struct Settings: Sendable {
    package var installation: InstallationSettings
    package var logLevel = Logger.Level.info
    /// The console's port: the number after ``InstallationSettings/port`` unless set.
    var consolePort = ConsolePort.next
    package var log = LogSettings()
    /// The number of log lines that a server keeps in memory.
    package var logsKept = 1000
    /// They belong together; see ``checked()``.
    var tlsCertificate: String?
    var tlsKey: String?
    var tlsClientAuthorities: String?

    /// The environment variables that Kubernetes or Docker set for a service of the name 'lamplighter'.
    package var ignoredVariables: [String] = []

    /// The settings that have another value than their default, for ``InstallationSettings/shown``.
    private(set) var given: [String: ShownSetting] = [:]

    /// The strings that the log must not show.
    package private(set) var secrets = SettingSecrets()

    /// The problems of the settings that were read; see ``SettingsError/problems``.
    var problems: [String] = []

    /// The variables for `${NAME}` in a file.
    let environment: [String: String]

    init(project: URL, environment: [String: String] = [:]) {
        self.environment = environment
        installation = InstallationSettings(project: project)
    }
}

extension Settings {
    /// Returns the settings, with pairs of settings combined.
    ///
    /// - Throws: ``SettingsError`` when one half of a pair is missing, or when `development.open` would let other machines in.
    package func checked() throws(SettingsError) -> Settings {
        var settings = self
        settings.installation.consolePort = consolePortNumber
        // A provider of OpenID Connect sends browsers back to an address that it knows.
        if case .next = consolePort, installation.mode == .development, installation.openIDAccounts == nil {
            settings.installation.mayMoveConsole = true
        }
        if let port = settings.installation.consolePort, port > 65535 || port != 0 && port == installation.port {
            throw SettingsError(
                description: "console.port is \(port), expected a free port below 65536; set console.port, or off")
        }
        if installation.areMetricsOpen, settings.installation.consolePort == nil {
            throw SettingsError(
                description:
                    "metrics.open is true, but console.port is off: metrics are open on the console's port only; set "
                    + "console.port, or scrape with a token and metrics.open false")
        }
        switch (tlsCertificate, tlsKey) {
        case (let certificate?, let key?):
            let folder = installation.project
            settings.installation.tls = .init(
                certificate: URL(filePath: certificate, relativeTo: folder).path,
                key: URL(filePath: key, relativeTo: folder).path)
            settings.installation.tls?.clientAuthorities = tlsClientAuthorities.map {
                URL(filePath: $0, relativeTo: folder).path
            }
        case (nil, nil) where tlsClientAuthorities != nil:
            throw SettingsError(
                description:
                    "tls.clientAuthorities is set, but tls.certificate is not: expected both; behind a proxy set "
                    + "clientCertificateHeader instead")
        case (nil, nil): break
        case (nil, _): throw SettingsError(description: "tls.key is set, but tls.certificate is not: expected both")
        case (_, nil): throw SettingsError(description: "tls.certificate is set, but tls.key is not: expected both")
        }
        let keys = installation.backEnds
        guard (keys.user == nil) == (keys.password == nil) else {
            throw SettingsError(
                description: "expected backEnds.user and backEnds.password both, found only "
                    + (keys.user == nil ? "backEnds.password" : "backEnds.user"))
        }
        if installation.isDevelopmentOpen { try checkDevelopmentOpen() }
        let known = Set(Setting.all.map(\.key))
        settings.installation.shown =
            Setting.all.map { settings.shown($0) }
            + given.values.filter { !known.contains($0.key) }.sorted { $0.key < $1.key }
        return settings
    }

    /// The number of the console's port, 0 for any that is free; `nil` for none.
    var consolePortNumber: Int? {
        switch consolePort {
        case .next: installation.port == 0 ? 0 : installation.port + 1
        case .off: nil
        case .number(let port): port
        }
    }

    /// Notes the source of a setting's value.
    package mutating func note(_ key: String, _ text: String, isSecret: Bool, expected: String, source: String) {
        secrets.note(key, text, isSecret: isSecret)
        // The value of a key or an account may be its contents instead of a path.
        let isSecret = isSecret || text.contains("PRIVATE KEY") || text.hasPrefix("{")
        given[key] = ShownSetting(
            key: key, value: isSecret ? nil : text, isSecret: isSecret, source: source, expected: expected)
    }

    /// The value in force with its source.
    private func shown(_ setting: Setting) -> ShownSetting {
        let given = given[setting.key]
        let isSecret = setting.isSecret || given?.isSecret == true
        let value = isSecret ? nil : setting.show(self)
        let isUnset = value == nil && !(isSecret && given != nil)
        return ShownSetting(
            key: setting.key, value: value, unset: isUnset ? setting.unset : nil, isSecret: isSecret,
            source: given?.source ?? ShownSetting.defaultSource, expected: setting.expected)
    }

    private func checkDevelopmentOpen() throws(SettingsError) {
        guard installation.trustedProxies.isEmpty else {
            throw SettingsError(
                description:
                    "development.open is true, but trustedProxies is set: clients of the proxy would need no key; "
                    + "remove one of the two settings")
        }
        let host = installation.host
        guard host == "localhost" || IPAddress(host)?.isLoopback == true else {
            throw SettingsError(
                description: "development.open is true, but host is '\(host)', which other machines reach; set host to "
                    + "127.0.0.1, or development.open to false")
        }
    }
}

private let kilobyte = 1 << 10
private let megabyte = 1 << 20

/// One setting: its key, and the conversions between its string and its value.
package struct Setting: Sendable {
    /// The key in `lamplighter.yaml`, levels separated by dots.
    package let key: String
    /// A description of the accepted values, for messages.
    package let expected: String
    /// True if its value must not be shown.
    package var isSecret = false
    /// The word for a missing value, or what the server uses instead.
    var unset = "not set"
    /// Returns the value in force as a string that ``apply`` accepts; `nil` if there is none.
    let show: @Sendable (Settings) -> String?
    /// Sets the value from a string; returns `false` when the string is invalid.
    package let apply: @Sendable (inout Settings, String) -> Bool

    /// True if it takes several values, which are a list in YAML or separated by commas.
    var isList: Bool { expected.hasSuffix("separated by commas") }

    /// `limits.cpuTime` is `LAMPLIGHTER_LIMITS_CPU_TIME`.
    var environmentVariable: String { Self.environmentVariable(of: key) }

    static func environmentVariable(of key: String) -> String {
        let words = key.replacing(".", with: "_").replacing(/([a-z])([A-Z])/) { "\($0.1)_\($0.2)" }
        return "LAMPLIGHTER_" + words.uppercased()
    }

    /// The settings of earlier versions, each with the reason why it is gone, and the remedy.
    static let removed: [(key: String, advice: String)] = [
        ("scopes.session", "no longer exists: each session has its own scope of each adapter; remove it")
    ]

    package static let all = server + console + push + log + traces

    /// All but ``console`` (its port, the accounts, `metrics.open`), ``push``, ``log`` and ``traces``.
    private static let server: [Setting] = [
        Setting(
            key: "name", expected: "1 to 100 characters that do not begin with '/'",
            show: { $0.installation.serverName }
        ) { settings, text in
            settings.installation.serverName = text
            // Docker sets LAMPLIGHTER_NAME to a path for a linked container.
            return (1...100).contains(text.count) && !text.hasPrefix("/")
        },
        Setting(
            key: "host", expected: "a host name or address to listen on", show: { $0.installation.host }
        ) { settings, text in
            settings.installation.host = text
            return !text.isEmpty
        },
        Setting(
            key: "port", expected: "a port from 0 to 65535, 0 for any that is free", show: { "\($0.installation.port)" }
        ) { settings, text in
            guard let port = Int(text), (0...65535).contains(port) else { return false }
            settings.installation.port = port
            return true
        },
        Setting(
            key: "contextRoot", expected: "a path that begins with '/', such as /wl",
            show: { $0.installation.contextRoot }
        ) { settings, text in
            settings.installation.contextRoot = text
            return text.wholeMatch(of: /(\/[A-Za-z0-9._~-]+)*\/?/) != nil && text.hasPrefix("/")
        },
        Setting(key: "data", expected: "a folder", show: { $0.installation.dataFolder.path }) { settings, text in
            settings.installation.data = URL(
                fileURLWithPath: text, relativeTo: settings.installation.project)
            return !text.isEmpty
        },
        .secret(
            "store",
            "the address of a PostgreSQL, postgres://user:password@host/database, with special characters in "
                + "percent-encoding", unset: "a file in the data folder"
        ) { settings, text in
            settings.installation.store = PostgreSQLAddress(text)
            return settings.installation.store != nil
        },
        .choice("mode", "development or production", of: \.installation.mode),
        .flag("development.open", of: \.installation.isDevelopmentOpen),
        .choice("logLevel", "trace, debug, info, notice, warning, error or critical", of: \.logLevel),
        .count(
            "health.freeSpace", "megabytes, 1 or more", of: \.installation.leastFreeSpace, unit: megabyte, from: 1),
        Setting(
            key: "health.ignore",
            expected: HealthCheck.Name.allCases.map(\.rawValue).joined(separator: ", ") + ", separated by commas",
            unset: "none", show: { $0.installation.ignoredChecks.map(\.rawValue).listText }
        ) { settings, text in
            let names = text.split(separator: ",").map {
                HealthCheck.Name(rawValue: $0.trimmingCharacters(in: .whitespaces))
            }
            settings.installation.ignoredChecks = Set(names.compactMap(\.self))
            return !names.contains(nil)
        },
        .count("logs.kept", "lines, 1 or more", of: \.logsKept, from: 1),
        .text(
            "tls.certificate", "a file in PEM with the certificate and those between it and its root",
            of: \.tlsCertificate),
        .text("tls.key", "a file in PEM with the certificate's private key", of: \.tlsKey) { text in
            // Messages name the file.
            !text.isEmpty && !text.contains("PRIVATE KEY")
        },
        .text(
            "tls.clientAuthorities", "a file in PEM with the authorities that issue client certificates",
            of: \.tlsClientAuthorities),
        .choice("tls.minimumVersion", "1.0, 1.1, 1.2 or 1.3", of: \.installation.minimumTLSVersion),
        .duration(
            "tls.hsts", optional: \.installation.transport.strictTransportSecurity, unit: .days,
            unset: "the header is not sent"),
        .addresses("trustedProxies", show: { $0.installation.trustedProxies }) { settings, proxies in
            let headers = settings.installation.trustedProxies.headers
            settings.installation.trustedProxies = proxies
            settings.installation.trustedProxies.headers = headers
        },
        .choice(
            "proxyHeaders", ProxyHeaders.allCases.map(\.rawValue).joined(separator: " or "),
            of: \.installation.trustedProxies.headers),
        Setting(
            key: "clientCertificateHeader", expected: "a header's name, such as Client-Cert",
            show: { $0.installation.clientCertificateHeader?.rawName }
        ) { settings, text in
            guard let name = HTTPField.Name(text) else { return false }
            settings.installation.clientCertificateHeader = name
            return true
        },
        .addresses("phoneGateways", show: { $0.installation.phoneGateways }) { settings, gateways in
            settings.installation.phoneGateways = gateways
        },
        .text(
            "backEnds.token", "a token of 16 characters or more", of: \.installation.backEnds.token, isSecret: true
        ) { $0.count >= 16 },
        .text("backEnds.user", "a name without a colon", of: \.installation.backEnds.user) {
            !$0.isEmpty && !$0.contains(":")
        },
        .text(
            "backEnds.password", "a password of 8 characters or more", of: \.installation.backEnds.password,
            isSecret: true
        ) { $0.count >= 8 },
        Setting(
            key: "backEnds.tls", expected: "standard or legacy",
            show: { $0.installation.runtime.allowsLegacyTLS ? "legacy" : "standard" }
        ) { settings, text in
            settings.installation.runtime.allowsLegacyTLS = text == "legacy"
            return ["standard", "legacy"].contains(text)
        },
        .duration(
            "sessions.idleTimeout", optional: \.installation.sessionTimeout,
            unset: "the project's serverSessionTimeout"),
        .count(
            "limits.sessions", "sessions, 1 or more", of: \.installation.sessions.limit, from: 1, to: 10_000_000),
        .count(
            "limits.sessionsPerAddress", "sessions, 1 or more", of: \.installation.sessions.limitPerNetwork, from: 1,
            to: 10_000_000),
        .count(
            "limits.loginsPerAddress", "refused logins, 1 to 10000", of: \.installation.loginsPerAddress, from: 1,
            to: 10_000),
        Setting(
            key: "loginKeys", expected: "REALM=MEMBER, several separated by commas", unset: "username or user",
            show: { $0.installation.loginKeys.map { "\($0)=\($1)" }.listText }
        ) { settings, text in
            let pairs = text.split(separator: ",").map {
                $0.split(separator: "=", omittingEmptySubsequences: false).map {
                    $0.trimmingCharacters(in: .whitespaces)
                }
            }
            guard pairs.allSatisfy({ $0.count == 2 && !$0.contains("") }) else { return false }
            settings.installation.loginKeys = Dictionary(pairs.map { ($0[0], $0[1]) }) { $1 }
            return true
        },
        .count(
            "limits.clientLog", "megabytes, 1 or more", of: \.installation.clientLogQuota.total, unit: megabyte,
            from: 1),
        .count(
            "limits.clientLogPerAddress", "megabytes, 1 or more", of: \.installation.clientLogQuota.perNetwork,
            unit: megabyte, from: 1),
        .count(
            "limits.guestData", "megabytes, 1 or more", of: \.installation.guestQuota.total, unit: megabyte, from: 1),
        .count(
            "limits.guestDataPerAddress", "megabytes, 1 or more", of: \.installation.guestQuota.perNetwork,
            unit: megabyte, from: 1),
        .count(
            "limits.oauthClients", "clients, 1 or more", of: \.installation.mostOAuthClients, from: 1, to: 10_000_000),
        .count(
            "limits.request", "kilobytes, 1 or more", of: \.installation.longestRequest, unit: kilobyte, from: 1),
        .count("limits.bodies", "megabytes, 1 or more", of: \.installation.mostBodyBytes, unit: megabyte, from: 1),
        .count(
            "limits.bodiesPerAddress", "megabytes, 1 or more", of: \.installation.mostBodyBytesPerAddress,
            unit: megabyte, from: 1),
        .count(
            "limits.connections", "connections, 1 or more", of: \.installation.transport.maximumConnections, from: 1),
        .count(
            "limits.connectionsPerAddress", "connections, 1 or more",
            of: \.installation.transport.maximumConnectionsPerAddress, from: 1),
        .duration("limits.headerTime", of: \.installation.transport.headerTime),
        .duration("limits.keepAliveTime", of: \.installation.transport.keepAliveTime),
        .flag("clients.checksumScript", of: \.installation.sendsChecksumScript),
        .text(
            "clientLog.level", "fatal, error, warn, info, log, debug or trace", of: \.installation.clientLogLevel,
            unset: "left to the apps"
        ) { ["fatal", "error", "warn", "info", "log", "debug", "trace"].contains($0) },
        .duration("clientLog.retention", of: \.installation.clientLogRetention, unit: .days),
        .duration("gracePeriod", of: \.installation.gracePeriod),
        .duration("limits.wallClock", optional: \.installation.runtime.calls.wallClock),
        .duration("limits.cpuTime", optional: \.installation.runtime.callsCPUTime),
        .duration("limits.poll.wallClock", optional: \.installation.runtime.polls.wallClock),
        .duration("limits.poll.cpuTime", optional: \.installation.runtime.polls.cpuTime),
        .count("limits.heap", "megabytes, 16 or more", of: \.installation.runtime.heap, unit: megabyte, from: 16),
        .count("limits.waitingCalls", "calls, 1 or more", of: \.installation.runtime.waitingCalls, from: 1),
        .count("limits.scopes", "scopes, 1 or more", of: \.installation.runtime.scopes.number, from: 1),
        .count(
            "limits.scopeMemory", "megabytes, 16 or more", of: \.installation.runtime.scopes.memory, unit: megabyte,
            from: 16),
        .count(
            "limits.machines", "virtual machines from 1 to 4096", of: \.installation.runtime.scopes.machines, from: 1,
            to: 4096),
        Setting(
            key: "backEnds.redirectHosts",
            expected: "hosts, or hosts with a port such as sso.example.com:8443, separated by commas", unset: "none",
            show: { $0.installation.runtime.redirectHosts.listText }
        ) { settings, text in
            let hosts = text.lowercased().split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
            guard hosts.allSatisfy({ !$0.isEmpty && !$0.contains(where: { "/ @".contains($0) }) }) else { return false }
            settings.installation.runtime.redirectHosts = Set(hosts)
            return true
        },
        .count(
            "limits.backEndResponse", "megabytes, 1 or more", of: \.installation.runtime.backEndResponse,
            unit: megabyte, from: 1, to: 4096),
        .adapters("sql.exactNumbers", show: { $0.installation.runtime.exactNumbers }) {
            $0.installation.runtime.exactNumbers = $1
        },
        .adapters("scopes.shared", show: { $0.installation.runtime.scopes.shared }) {
            $0.installation.runtime.scopes.shared = $1
        },
        .adapters("scopes.ownRealm", show: { $0.installation.runtime.scopes.ownRealm }) {
            $0.installation.runtime.scopes.ownRealm = $1
        },
        .duration("deliveries.retention", of: \.installation.deliveryRetention, unit: .days),
        .flag("deliveries.hold", of: \.installation.holdsDeliveries),
    ]
}

/// Limits that count for several kinds of calls.
extension RuntimeSettings {
    fileprivate var callsCPUTime: Duration? {
        get { calls.cpuTime }
        set {
            calls.cpuTime = newValue
            loading.cpuTime = newValue
        }
    }

    fileprivate var heap: Int {
        get { calls.heap ?? 0 }
        set { setForAll { $0.heap = newValue } }
    }
}
