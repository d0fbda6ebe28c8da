import Core

/// The native SDK for Android (transcripts 506-native and 710-native, the latter with 6.0 at its end).
struct NativeDialect: Dialect {
    enum Release: Int, Sendable, Comparable {
        case v506, v600, v620, v710

        static let allReleases: [Release] = [.v506, .v600, .v620, .v710]

        /// `wlPlatformVersion` of the properties file; older ones have none.
        var platform: String? {
            switch self {
            case .v506, .v600: nil
            case .v620: "6.2.0.00.20140724-2139"
            case .v710: "7.1.0.0"
            }
        }

        static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
    }

    let release: Release
    var environment = "Androidnative"
    var application = "MyNative"
    var version = "1.0"
    var device = TestDevice(id: "2c74e844-882e-4e73-9bfe-2c19517f7356", model: "JVM")
    /// The realms for which the application has registered a challenge handler.
    var handledRealms = ["PushAppRealm", "AdapterRealm"]

    var putsLargeAnswersInBody: Bool { false }
    var keepsFirstCookies: Bool { release <= .v600 }
    var checksum: Int? { nil }
    var form: FormText { .java }

    func path(of kind: RequestKind) -> String {
        switch kind {
        case .action(let name): "\(applicationPath)/\(name)"
        case .form: "\(applicationPath)/j_security_check"
        case .invoke: "/invoke"
        case .service(let name): "/apps/services/\(name)"
        case .authorization(let path): "/authorization/v1/\(path)"
        case .path(let path): path
        }
    }

    func headers(_ kind: RequestKind, _ state: HeaderState) -> [(name: String, value: String)] {
        var headers: [(name: String, value: String)] = []
        func add(_ name: String, _ value: String?, if condition: Bool = true) {
            if condition, let value { headers.append((name, value)) }
        }
        let isForm = kind == .form
        let isLog = kind == .service("loguploader") || kind == .service("configprofile")
        add("X-Requested-With", "XMLHttpRequest", if: !isForm)
        add("x-wl-app-version", version)
        add("Accept-Language", "en", if: release >= .v620 && !isForm)
        add("x-wl-platform-version", release.platform, if: !isForm)
        if release >= .v620, kind == .action("init") || kind == .action("query") || isLog {
            add("x-wl-clientlog-deviceId", device.id)
            add("x-wl-clientlog-appname", application)
            add("x-wl-clientlog-appversion", version)
            add("x-wl-clientlog-osversion", device.os)
            add("x-wl-clientlog-env", "Android")
            add("x-wl-clientlog-model", device.model)
        }
        add("Authorization", state.authorization)
        if release >= .v710 {
            add("X-WL-ClientId", state.clientID)
            add("X-WL-S-ClientID", state.signedClientID)
        }
        add("WL-Instance-Id", state.instanceID, if: !isForm || release >= .v620)
        if release >= .v710 {
            add("x-wl-device-id", device.id)
            add("X-WL-Session", "7c3e77ba-073f-4682-baae-834373841eb6")
        }
        if kind == .service("loguploader") {
            add("Content-Type", "application/json")
            add("Content-Encoding", "gzip")
            add("x-wl-compressed", "true")
        } else {
            add("Content-Type", "application/x-www-form-urlencoded; charset=UTF-8")
        }
        add("Host", state.host)
        add("Connection", "Keep-Alive")
        add("User-Agent", "WLNativeAPI(jvm; jvm-display; JVM; SDK 19; Android 4.4.2)")
        for cookie in state.cookies { add("Cookie", cookie) }
        add("x-wl-analytics-tracking-id", "6ccc8aca-7aad-4375-b6f6-8bae9fd3bda0", if: release >= .v620)
        return headers
    }

    func complete(_ fields: [Field], _ kind: RequestKind) -> [Field] {
        kind == .form
            ? [Field("isAjaxRequest", "true")] + fields
            : fields + [Field("isAjaxRequest", "true"), Field("x", Self.random())]
    }

    var initFields: [Field] { [Field("action", "test")] }

    /// `org.json` writes a slash with a backslash before it.
    func queryFields(adapter: String, procedure: String, parameters: String) -> [Field] {
        let parameters = Field("parameters", parameters.replacing("/", with: "\\/"))
        guard release >= .v620 else {
            return [Field("adapter", adapter), Field("procedure", procedure), parameters]
        }
        return [
            Field("__wl_deviceCtx", "AMWyAhh40q-n0BAA"), Field("adapter", adapter), Field("compressResponse", "false"),
            Field("procedure", procedure), parameters,
        ]
    }

    func subscribeFields(adapter: String, eventSource: String, alias: String, options: String) -> [Field] {
        [
            Field("adapter", adapter), Field("subscribe", options), Field("eventSource", eventSource),
            Field("alias", alias),
        ]
    }

    func unsubscribeFields(adapter: String, eventSource: String, alias: String) -> [Field] {
        [
            Field("adapter", adapter), Field("unsubscribe", "{}"), Field("eventSource", eventSource),
            Field("alias", alias),
        ]
    }

    func tagFields(_ tag: String, isWanted: Bool) -> [Field] {
        [Field("tag", tag), Field(isWanted ? "subscribe" : "unsubscribe", "{}")]
    }

    func deviceAnswer(token: String) -> JSONValue {
        [
            "ID": [
                "app": ["id": .string(application), "version": .string(version)],
                "device": [
                    "id": .string(device.id), "os": .string(device.os), "model": .string(device.model),
                    "environment": "Android",
                ],
                "token": .string(token),
            ]
        ]
    }

    func messageAnswer(id: String) -> JSONValue { .string(id) }

    /// Takes the part from the first brace to the last.
    func unwrap(_ answer: RawAnswer) throws -> JSONValue? {
        guard answer["Content-Type"].first?.hasPrefix("text/html") != true else { return nil }
        let text = answer.text
        guard let first = text.firstIndex(of: "{"), let last = text.lastIndex(of: "}"), first < last else {
            guard answer.status < 400 || !text.isEmpty else { throw ClientDoubleError("NullPointerException: no body") }
            return nil
        }
        guard let value = try? JSONValue(parsing: String(text[first...last])) else {
            throw ClientDoubleError("JSONException: \(text)")
        }
        return value
    }

    func checkConnection(_ object: JSONValue) throws {
        try checkState(object)
        let state = object["notificationSubscriptionState"]
        if release <= .v600, let sources = state?["eventSources"]?.array, !sources.isEmpty, state?["token"] == nil {
            throw ClientDoubleError("the event sources are not read, for there is no token")
        }
        guard release == .v506, let success = object["WL-Authentication-Success"]?.object else { return }
        for realm in success.keys where handledRealms.contains(realm) {
            throw ClientDoubleError("ClassCastException: the application's handler for \(realm)")
        }
    }
}
