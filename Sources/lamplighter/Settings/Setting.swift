import AdapterRuntime
import Authentication
import Foundation
import Gateway
import HTTPTypes
import JavaScriptEngine
import Logging
import Storage
import Transport

/// What can be set in `lamplighter.yaml`, by an environment variable, and where there is one by a flag; the later wins.
struct Settings {
    var installation: InstallationSettings
    var logLevel = Logger.Level.info
    /// The console's port: the number after ``InstallationSettings/port`` unless set.
    var consolePort = ConsolePort.next
    var log = LogSettings()
    /// How many lines of its log a server keeps in memory.
    var logsKept = 1000
    /// They belong together; see ``checked()``.
    var tlsCertificate: String?
    var tlsKey: String?
    var tlsClientAuthorities: String?

    /// The environment variables that Kubernetes or Docker set for a service of the name 'lamplighter'.
    var ignoredVariables: [String] = []

    /// The settings that have another value than their default, for ``InstallationSettings/shown``.
    private(set) var given: [String: ShownSetting] = [:]

    /// The texts that the log must not show.
    private(set) var secrets = SettingSecrets()

    /// What is wrong with the settings that were read; see ``SettingsError/problems``.
    var problems: [String] = []

    /// Where `${NAME}` in a file is looked up.
    let environment: [String: String]

    init(project: URL, environment: [String: String] = [:]) {
        self.environment = environment
        installation = InstallationSettings(project: project)
        // Sessions share clean scopes only with `scopes.session: false`: that the comparison finds every change is not proven.
        installation.runtime.scopes.sharesClean = false
    }
}

extension Settings {
    /// With what goes together put together.
    ///
    /// - Throws: ``SettingsError`` when one half of a pair is missing, or when `development.open` would let other machines in.
    func checked() throws(SettingsError) -> Settings {
        var settings = self
        settings.installation.consolePort =
            switch consolePort {
            case .next: installation.port == 0 ? 0 : installation.port + 1
            case .off: nil
            case .number(let port): port
            }
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
        let scopes = installation.runtime.scopes
        for name in scopes.shared.names.intersection(scopes.session.names).sorted() {
            throw SettingsError(
                description: "scopes.shared and scopes.session both name '\(name)': expected it in one of them")
        }
        if installation.isDevelopmentOpen { try checkDevelopmentOpen() }
        let standard = Setting.all.map {
            ShownSetting(key: $0.key, value: nil, source: "default", expected: $0.expected)
        }
        let known = Set(standard.map(\.key))
        settings.installation.shown =
            standard.map { given[$0.key] ?? $0 }
            + given.values.filter { !known.contains($0.key) }.sorted { $0.key < $1.key }
        return settings
    }

    /// Notes where a setting's value comes from.
    mutating func note(_ key: String, _ text: String, isSecret: Bool, expected: String, source: String) {
        secrets.note(key, text, isSecret: isSecret)
        // A key or an account may be given as its text instead of a file.
        let isCredential = text.contains("PRIVATE KEY") || text.hasPrefix("{")
        given[key] = ShownSetting(
            key: key, value: isSecret || isCredential ? nil : text, source: source, expected: expected)
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

/// One setting: its key, and how its text becomes a value.
struct Setting: Sendable {
    /// As in `lamplighter.yaml`, levels separated by dots.
    let key: String
    /// What a good text looks like, for people.
    let expected: String
    /// Whether its text must not be shown.
    var isSecret = false
    /// Takes over a text; false when it is not as expected.
    let apply: @Sendable (inout Settings, String) -> Bool

    /// Whether it takes several values, which are a list in YAML or separated by commas.
    var isList: Bool { expected.hasSuffix("separated by commas") }

    /// `limits.cpuTime` is `LAMPLIGHTER_LIMITS_CPU_TIME`.
    var environmentVariable: String {
        let words = key.replacing(".", with: "_").replacing(/([a-z])([A-Z])/) { "\($0.1)_\($0.2)" }
        return "LAMPLIGHTER_" + words.uppercased()
    }

    static let all = server + console + push + log

    /// All but those of the push services.
    private static let server: [Setting] = [
        Setting(key: "host", expected: "a host name or address to listen on") { settings, text in
            settings.installation.host = text
            return !text.isEmpty
        },
        Setting(key: "port", expected: "a port from 0 to 65535, 0 for any that is free") { settings, text in
            guard let port = Int(text), (0...65535).contains(port) else { return false }
            settings.installation.port = port
            return true
        },
        Setting(key: "contextRoot", expected: "a path that begins with '/', such as /wl") { settings, text in
            settings.installation.contextRoot = text
            return text.wholeMatch(of: /(\/[A-Za-z0-9._~-]+)*\/?/) != nil && text.hasPrefix("/")
        },
        Setting(key: "data", expected: "a folder") { settings, text in
            settings.installation.data = URL(
                fileURLWithPath: text, relativeTo: settings.installation.project)
            return !text.isEmpty
        },
        Setting(
            key: "store",
            expected: "the address of a PostgreSQL, postgres://user:password@host/database, with special characters in "
                + "percent-encoding", isSecret: true
        ) { settings, text in
            settings.installation.store = PostgreSQLAddress(text)
            return settings.installation.store != nil
        },
        Setting(key: "mode", expected: "development or production") { settings, text in
            guard let mode = InstallationSettings.Mode(rawValue: text) else { return false }
            settings.installation.mode = mode
            return true
        },
        Setting(key: "development.open", expected: "true or false") { settings, text in
            settings.installation.isDevelopmentOpen = text == "true"
            return ["true", "false"].contains(text)
        },
        Setting(key: "logLevel", expected: "trace, debug, info, notice, warning or error") { settings, text in
            guard let level = Logger.Level(rawValue: text) else { return false }
            settings.logLevel = level
            return true
        },
        .count("health.freeSpace", "megabytes, 1 or more", from: 1) { $0.installation.leastFreeSpace = $1 << 20 },
        Setting(
            key: "health.ignore",
            expected: HealthCheck.Name.allCases.map(\.rawValue).joined(separator: ", ") + ", separated by commas"
        ) { settings, text in
            let names = text.split(separator: ",").map {
                HealthCheck.Name(rawValue: $0.trimmingCharacters(in: .whitespaces))
            }
            settings.installation.ignoredChecks = Set(names.compactMap(\.self))
            return !names.contains(nil)
        },
        .count("logs.kept", "lines, 1 or more", from: 1) { $0.logsKept = $1 },
        Setting(
            key: "tls.certificate", expected: "a file in PEM with the certificate and those between it and its root"
        ) {
            settings, text in
            settings.tlsCertificate = text
            return !text.isEmpty
        },
        Setting(key: "tls.key", expected: "a file in PEM with the certificate's private key") { settings, text in
            settings.tlsKey = text
            return !text.isEmpty
        },
        Setting(
            key: "tls.clientAuthorities", expected: "a file in PEM with the authorities that issue client certificates"
        ) { settings, text in
            settings.tlsClientAuthorities = text
            return !text.isEmpty
        },
        Setting(key: "tls.minimumVersion", expected: "1.0, 1.1, 1.2 or 1.3") { settings, text in
            guard let version = TLSMinimumVersion(rawValue: text) else { return false }
            settings.installation.minimumTLSVersion = version
            return true
        },
        .duration("tls.hsts", unit: "days", seconds: 86_400) {
            $0.installation.transport.strictTransportSecurity = $1
        },
        Setting(key: "trustedProxies", expected: "addresses and ranges such as 10.0.0.0/8, separated by commas") {
            settings, text in
            guard var proxies = addresses(text) else { return false }
            proxies.headers = settings.installation.trustedProxies.headers
            settings.installation.trustedProxies = proxies
            return true
        },
        Setting(key: "proxyHeaders", expected: ProxyHeaders.allCases.map(\.rawValue).joined(separator: " or ")) {
            settings, text in
            guard let headers = ProxyHeaders(rawValue: text) else { return false }
            settings.installation.trustedProxies.headers = headers
            return true
        },
        Setting(key: "clientCertificateHeader", expected: "a header's name, such as Client-Cert") { settings, text in
            guard let name = HTTPField.Name(text) else { return false }
            settings.installation.clientCertificateHeader = name
            return true
        },
        Setting(key: "phoneGateways", expected: "addresses and ranges such as 10.0.0.0/8, separated by commas") {
            settings, text in
            guard let gateways = addresses(text) else { return false }
            settings.installation.phoneGateways = gateways
            return true
        },
        Setting(key: "backEnds.token", expected: "a text of 16 characters or more", isSecret: true) { settings, text in
            settings.installation.backEnds.token = text
            return text.count >= 16
        },
        Setting(key: "backEnds.user", expected: "a name without a colon") { settings, text in
            settings.installation.backEnds.user = text
            return !text.isEmpty && !text.contains(":")
        },
        Setting(key: "backEnds.password", expected: "a text of 8 characters or more", isSecret: true) {
            settings, text in
            settings.installation.backEnds.password = text
            return text.count >= 8
        },
        Setting(key: "backEnds.tls", expected: "standard or legacy") { settings, text in
            settings.installation.runtime.allowsLegacyTLS = text == "legacy"
            return ["standard", "legacy"].contains(text)
        },
        .duration("sessions.idleTimeout") { $0.installation.sessionTimeout = $1 },
        .count("limits.sessions", "sessions, 1 or more", from: 1, to: 10_000_000) {
            $0.installation.sessions.limit = $1
        },
        .count("limits.sessionsPerAddress", "sessions, 1 or more", from: 1, to: 10_000_000) {
            $0.installation.sessions.limitPerNetwork = $1
        },
        .count("limits.loginsPerAddress", "refused logins, 1 to 10000", from: 1, to: 10_000) {
            $0.installation.loginsPerAddress = $1
        },
        .count("limits.clientLog", "megabytes, 1 or more", from: 1) {
            $0.installation.clientLogQuota.total = $1 << 20
        },
        .count("limits.clientLogPerAddress", "megabytes, 1 or more", from: 1) {
            $0.installation.clientLogQuota.perNetwork = $1 << 20
        },
        .count("limits.guestData", "megabytes, 1 or more", from: 1) { $0.installation.guestQuota.total = $1 << 20 },
        .count("limits.guestDataPerAddress", "megabytes, 1 or more", from: 1) {
            $0.installation.guestQuota.perNetwork = $1 << 20
        },
        .count("limits.oauthClients", "clients, 1 or more", from: 1, to: 10_000_000) {
            $0.installation.mostOAuthClients = $1
        },
        .count("limits.request", "kilobytes, 1 or more", from: 1) { $0.installation.longestRequest = $1 << 10 },
        .count("limits.bodies", "megabytes, 1 or more", from: 1) { $0.installation.mostBodyBytes = $1 << 20 },
        .count("limits.bodiesPerAddress", "megabytes, 1 or more", from: 1) {
            $0.installation.mostBodyBytesPerAddress = $1 << 20
        },
        .count("limits.connections", "connections, 1 or more", from: 1) {
            $0.installation.transport.maximumConnections = $1
        },
        .count("limits.connectionsPerAddress", "connections, 1 or more", from: 1) {
            $0.installation.transport.maximumConnectionsPerAddress = $1
        },
        .duration("limits.headerTime") { $0.installation.transport.headerTime = $1 },
        .duration("limits.keepAliveTime") { $0.installation.transport.keepAliveTime = $1 },
        Setting(key: "clients.checksumScript", expected: "true or false") { settings, text in
            guard let isOn = Bool(text) else { return false }
            settings.installation.sendsChecksumScript = isOn
            return true
        },
        Setting(key: "clientLog.level", expected: "fatal, error, warn, info, log, debug or trace") { settings, text in
            settings.installation.clientLogLevel = text
            return ["fatal", "error", "warn", "info", "log", "debug", "trace"].contains(text)
        },
        .duration("clientLog.retention", unit: "days", seconds: 86_400) {
            $0.installation.clientLogRetention = $1
        },
        .duration("gracePeriod") { $0.installation.gracePeriod = $1 },
        .duration("limits.wallClock") { $0.installation.runtime.calls.wallClock = $1 },
        .duration("limits.cpuTime") { settings, duration in
            settings.installation.runtime.calls.cpuTime = duration
            settings.installation.runtime.loading.cpuTime = duration
        },
        .duration("limits.poll.wallClock") { $0.installation.runtime.polls.wallClock = $1 },
        .duration("limits.poll.cpuTime") { $0.installation.runtime.polls.cpuTime = $1 },
        .count("limits.heap", "megabytes, 16 or more", from: 16) { settings, megabytes in
            settings.installation.runtime.setForAll { $0.heap = megabytes << 20 }
        },
        .count("limits.waitingCalls", "calls, 1 or more", from: 1) { $0.installation.runtime.waitingCalls = $1 },
        .count("limits.scopes", "scopes, 1 or more", from: 1) { $0.installation.runtime.scopes.number = $1 },
        .count("limits.scopeMemory", "megabytes, 16 or more", from: 16) { settings, megabytes in
            settings.installation.runtime.scopes.memory = megabytes << 20
        },
        .count("limits.machines", "virtual machines from 1 to 4096", from: 1, to: 4096) {
            $0.installation.runtime.scopes.machines = $1
        },
        Setting(
            key: "backEnds.redirectHosts",
            expected: "hosts, or hosts with a port such as sso.example.com:8443, separated by commas"
        ) {
            settings, text in
            let hosts = text.lowercased().split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
            guard hosts.allSatisfy({ !$0.isEmpty && !$0.contains(where: { "/ @".contains($0) }) }) else { return false }
            settings.installation.runtime.redirectHosts = Set(hosts)
            return true
        },
        .count("limits.backEndResponse", "megabytes, 1 or more", from: 1, to: 4096) {
            $0.installation.runtime.backEndResponse = $1 << 20
        },
        .adapters("sql.exactNumbers") { $0.installation.runtime.exactNumbers = $1 },
        .adapters("scopes.shared") { $0.installation.runtime.scopes.shared = $1 },
        .adapters("scopes.session") {
            $0.installation.runtime.scopes.session = $1
            $0.installation.runtime.scopes.sharesClean = $1 == .none
        },
        .duration("deliveries.retention", unit: "days", seconds: 86_400) { $0.installation.deliveryRetention = $1 },
    ]

    /// - Returns: `nil` when one of them is none.
    private static func addresses(_ text: String) -> TrustedProxies? {
        try? TrustedProxies(text.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) })
    }

    private static func duration(
        _ key: String, unit: String = "seconds", seconds: Double = 1,
        _ set: @escaping @Sendable (inout Settings, Duration) -> Void
    ) -> Setting {
        Setting(key: key, expected: "a positive number of \(unit)") { settings, text in
            guard let number = Double(text), number > 0, number * seconds < 1e10 else { return false }
            set(&settings, .seconds(number * seconds))
            return true
        }
    }

    private static func adapters(
        _ key: String, _ set: @escaping @Sendable (inout Settings, RuntimeSettings.AdapterSelection) -> Void
    ) -> Setting {
        Setting(key: key, expected: "true, false, or the names of adapters, separated by commas") { settings, text in
            let names = text.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
            switch names {
            case ["true"]: set(&settings, .all)
            case ["false"]: set(&settings, .none)
            default: set(&settings, .named(Set(names)))
            }
            return !names.isEmpty && names.allSatisfy { !$0.isEmpty }
        }
    }

    private static func count(
        _ key: String, _ expected: String, from minimum: Int, to maximum: Int = 1 << 20,
        _ set: @escaping @Sendable (inout Settings, Int) -> Void
    ) -> Setting {
        Setting(key: key, expected: "a whole number of \(expected)") { settings, text in
            guard let number = Int(text), (minimum...maximum).contains(number) else { return false }
            set(&settings, number)
            return true
        }
    }
}
