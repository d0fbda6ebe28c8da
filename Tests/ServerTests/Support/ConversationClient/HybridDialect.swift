import Core

/// The JavaScript of hybrid applications and web pages (transcripts 506-android, 600-web, 620-web, 710-ios).
struct HybridDialect: Dialect {
    enum Release: Int, Sendable, Comparable {
        case v506, v600, v610, v620, v710

        var name: String {
            switch self {
            case .v506: "5.0.6"
            case .v600: "6.0.0"
            case .v610: "6.1.0.00.20131219-1900"
            case .v620: "6.2.0.00.20140724-2139"
            case .v710: "7.1.0.0"
            }
        }

        static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
    }

    let release: Release
    let environment: String
    var application = "MyApp"
    var version = "1.0"
    var device = TestDevice()
    var checksum: Int?

    var putsLargeAnswersInBody: Bool { true }
    var keepsFirstCookies: Bool { false }
    var form: FormText { .javaScript }
    var wantsUpdates: Bool { release == .v506 && !isWeb }
    private var isWeb: Bool { ["mobilewebapp", "desktopbrowser"].contains(environment) }

    func path(of kind: RequestKind) -> String {
        switch kind {
        case .action(let name): "\(applicationPath)/\(name)"
        case .form: "/apps/services/j_security_check"
        case .invoke: "/invoke"
        case .service(let name): "/apps/services/\(name)"
        case .authorization(let path): "/authorization/v1/\(path)"
        case .path(let path): path
        }
    }

    func headers(_ kind: RequestKind, _ state: HeaderState) -> [(name: String, value: String)] {
        var headers = [("Host", state.host)]
        func add(_ name: String, _ value: String?, if condition: Bool = true) {
            if condition, let value { headers.append((name, value)) }
        }
        let isForm = kind == .form
        if release >= .v620 { add("x-wl-analytics-tracking-id", "cf04a6d5-0a0e-4f2b-de3e-25a1edf7ad02", if: isWeb) }
        if release >= .v710, !isWeb {
            add("X-WL-ClientId", state.clientID ?? "stubclientid0001")
            add("X-WL-S-ClientId", state.signedClientID ?? "")
            add("X-WL-Session", "11111111-2222-3333-4444-555555555555")
        }
        add("Authorization", state.authorization)
        add("Accept-Language", isWeb ? "en-US" : "en_US")
        add("x-wl-app-details", details, if: release >= .v620 && !isForm)
        add("WL-Instance-Id", state.instanceID, if: !isForm)
        add("deviceId", browser, if: release >= .v620 && isWeb)
        add("x-wl-app-version", version)
        add("X-Requested-With", "XMLHttpRequest")
        add("x-wl-platform-version", release.name, if: [.v600, .v610].contains(release) && !isForm)
        add("x-wl-native-version", "1", if: release == .v610 && !isForm)
        add("x-wl-device-id", isWeb ? "" : device.id, if: release >= .v620 && (isForm || !isWeb))
        if logs(kind) {
            add("x-wl-clientlog-deviceId", device.id)
            add("x-wl-clientlog-appname", application)
            add("x-wl-clientlog-appversion", version)
            add("x-wl-clientlog-osversion", device.os)
            add("x-wl-clientlog-env", environment)
            add("x-wl-clientlog-model", device.model)
        }
        add(
            "User-Agent",
            "Mozilla/5.0 (Linux; Android 4.4.2) AppleWebKit/537.36 (KHTML, like Gecko) Worklight/\(release.name)")
        add("Content-type", "application/x-www-form-urlencoded; charset=UTF-8")
        add("Origin", "http://\(state.host)")
        add("Referer", "http://\(state.host)/static/index.html")
        for cookie in state.cookies { add("Cookie", cookie) }
        return headers
    }

    private func logs(_ kind: RequestKind) -> Bool {
        switch kind {
        case .action("init"), .action("query"): release == .v610 || release >= .v620 && !isWeb
        case .service("configprofile"), .service("loguploader"): true
        default: false
        }
    }

    private var details: String {
        let skin: JSONObject =
            isWeb ? [:] : ["skinName": "default", "skinChecksum": 4242, "skinLoaderChecksum": 3_843_946_178]
        var details: JSONObject = ["platformVersion": .string(release.name), "nativeVersion": "1"]
        for member in skin.members { details[member.key] = member.value }
        return JSONValue.object(["applicationDetails": .object(details)]).text
    }

    private var browser: String { JSONValue.object(described).text }

    private var described: JSONObject {
        [
            "id": .string(device.id), "os": .string(device.os), "model": .string(device.model),
            "environment": .string(environment),
        ]
    }

    func complete(_ fields: [Field], _ kind: RequestKind) -> [Field] {
        kind == .form ? fields : fields + [Field("isAjaxRequest", "true"), Field("x", Self.random())]
    }

    var initFields: [Field] {
        release >= .v620
            ? [] : [Field("skin", isWeb ? "" : "default"), Field("skinLoaderChecksum", "")]
    }

    func queryFields(adapter: String, procedure: String, parameters: String) -> [Field] {
        var fields = [Field("adapter", adapter), Field("procedure", procedure)]
        if release >= .v600 { fields.append(Field("compressResponse", nil)) }
        fields.append(Field("parameters", parameters))
        if release == .v600 {
            fields += [
                Field("__wl_deviceCtxVersion", "-1"), Field("__wl_deviceCtxSession", "26284251795235122982"),
            ]
        } else if release > .v600 {
            fields.append(Field("__wl_deviceCtx", "AC4322ssvm-n0BAA"))
        }
        return fields
    }

    func subscribeFields(adapter: String, eventSource: String, alias: String, options: String) -> [Field] {
        var fields = [Field("adapter", adapter), Field("eventSource", eventSource)]
        if release >= .v710 { fields.append(Field("appUserId", nil)) }
        return fields + [Field("alias", alias), Field("subscribe", options)]
    }

    func unsubscribeFields(adapter: String, eventSource: String, alias: String) -> [Field] {
        var fields = [Field("alias", alias), Field("adapter", adapter), Field("eventSource", eventSource)]
        if release >= .v710 { fields.append(Field("appUserId", nil)) }
        return fields + [Field("unsubscribe", "")]
    }

    func tagFields(_ tag: String, isWanted: Bool) -> [Field] {
        [Field("tag", tag), isWanted ? Field("subscribe", "{}") : Field("unsubscribe", "")]
    }

    func deviceAnswer(token: String) -> JSONValue {
        [
            "ID": [
                "token": .string(token), "app": ["id": .string(application), "version": .string(version)],
                "device": .object(described), "custom": .object(device.custom),
            ]
        ]
    }

    /// The id is read as JSON, so that one of digits is a number in the response.
    func messageAnswer(id: String) throws -> JSONValue {
        guard let value = try? JSONValue(parsing: id) else { throw ClientDoubleError("JSON.parse fails on '\(id)'") }
        return value
    }

    /// Matches `/^\/\*-secure-\s*([\s\S]*?)\*\/\s*$/`, anchored at both ends; JSON alone is taken too.
    func unwrap(_ answer: RawAnswer) throws -> JSONValue? {
        guard answer["Content-Type"].first?.lowercased().hasPrefix("application/json") == true else { return nil }
        var text = Substring(answer.text)
        if text.hasPrefix("/*-secure-") {
            while text.last?.isWhitespace == true { text.removeLast() }
            guard text.hasSuffix("*/") else { throw ClientDoubleError("the wrapping has no end: \(answer.text)") }
            text = text.dropFirst(10).dropLast(2)
        }
        guard !text.allSatisfy(\.isWhitespace) else { return nil }
        guard let value = try? JSONValue(parsing: String(text)) else {
            throw ClientDoubleError("the body is not JSON, although its type says so: \(answer.text)")
        }
        return value
    }

    func checkConnection(_ object: JSONValue) throws {
        for member in ["userPrefs", "gadgetProps", "userInfo"] where object[member]?.object == nil {
            throw ClientDoubleError("TypeError: no \(member)")
        }
        try checkState(object)
    }
}
