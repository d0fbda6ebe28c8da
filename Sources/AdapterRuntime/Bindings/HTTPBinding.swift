import BackEndHTTP
import Core
import JavaScriptEngine
import Logging
import Tracing
import WorklightProject

/// `WL.Server.invokeHttp` (server-api 2.2).
extension AdapterScope {
    static func declareHTTP(in table: inout BindingTable.Declarations) {
        table.addWaiting("invokeHttp") { scope, call in try scope.invokeHTTP(call[0]) }
    }

    private func invokeHTTP(_ options: ScriptValue) throws -> BackEndCall {
        guard options.isObject else {
            throw HostError("invokeHttp: expected an object with 'method' and 'path', got \(options.kind)")
        }
        guard let policy = adapter.descriptor.connectivity.http else {
            throw HostError(
                "invokeHttp: \(adapter.descriptor.path) has no HTTP connectivity; it needs a connectionPolicy of type "
                    + "http:HTTPConnectionPolicyType")
        }
        guard policy.domain != nil else {
            throw HostError("invokeHttp: \(adapter.descriptor.path) names no 'domain' in its connectionPolicy")
        }
        warnAboutUnknown(options.memberNames)
        var request = try BackEndRequest(options)
        if let type = request.unknownContentType {
            adapter.log.warnOnce(
                "invokeHttp returnedContentType \(type)", to: logger,
                atCall(
                    "invokeHttp: returnedContentType '\(type)' is not known and is ignored; expected one of "
                        + BackEndRequest.contentTypes.joined(separator: ", ")))
        }
        let backEnd: HTTPBackEnd
        do {
            backEnd = try adapter.backEnds.http(policy)
        } catch {
            throw HostError("invokeHttp: \(error)")
        }
        let user: HTTPIdentity?
        do throws(BackEndCallError) {
            user = try endUser(policy)
        } catch {
            return .result(try makeResult(error, of: request, isQuoted: false))
        }
        // The log of a server in production quotes no user's request or response, and no log shows a password.
        let isQuoted = adapter.settings.failureReference == nil && user == nil && !table.call.mayHavePassword
        let isGivenUp = context.isGivenUp
        let cookies = user.map { table.call.cookies(ofEndUser: $0.username) } ?? table.cookies
        let start = adapter.services.time.uptime
        let span = adapter.services.tracer?.span(
            request.method.rawValue, in: table.call.caller.trace, ofKind: .client,
            ["http.request.method": .string(request.method.rawValue), "server.address": .string(policy.domain ?? "")])
        request.trace = span?.context.trace
        let sent = request
        let session = policy.hasConnectionPerSession ? table.call.connectionOwner : nil
        let cpu = context.remainingCPUTime.map(CPUBudget.init)
        let exchange = BackEndExchange.Options(
            cookies: cookies, as: user, session: session, deadline: context.remainingTime ?? Self.longestWait,
            isGivenUp: isGivenUp)
        let time = adapter.services.time
        let ended = { @Sendable (exchange: BackEndExchange) in
            (exchange, isAbandoned: isGivenUp(), took: time.uptime - start)
        }
        let wait = BackEndWait {
            ended(backEnd.send(sent, exchange))
        } begin: { then in
            backEnd.begin(sent, exchange) { then(ended($0)) }
        } finish: { [self] exchange, isAbandoned, took in
            let outcome = backEnd.convert(exchange, cpu: cpu)
            if let cpu { _ = context.count(cpuTime: cpu.used, isOfThisThread: false) }
            let metricsOutcome = isAbandoned ? .abandoned : outcome.metricsOutcome
            adapter.httpMetrics?.record(metricsOutcome, took: took)
            if let status = outcome.status { span?.attributes["http.response.status_code"] = status }
            span?.end(failure: metricsOutcome == .ok ? nil : metricsOutcome.rawValue)
            // No trouble of the back end's. The script comes to its end next.
            if isAbandoned { throw HostError("invokeHttp: the call was cancelled") }
            adapter.backEnds.note(.http, failure: outcome.outage, at: time.now)
            return try makeResult(outcome, of: sent, isQuoted: isQuoted)
        }
        // A stub of a test has its response at once, and belongs to this thread.
        return backEnd.isStub ? .result(try waiting { wait.onThread() }()) : .wait(wait)
    }

    private func makeResult(
        _ outcome: BackEndOutcome, of request: BackEndRequest, isQuoted: Bool
    ) throws -> ScriptValue {
        switch outcome {
        case .response(let response):
            if let result = try makeResult(response, of: request) { return result }
            guard let failure = response.check() else {
                throw HostError("invokeHttp: the engine cannot parse the back end's response as JSON")
            }
            return try makeResult(failure, of: request, isQuoted: isQuoted)
        case .failure(let failure): return try makeResult(failure, of: request, isQuoted: isQuoted)
        }
    }

    /// Returns the identity of the user whom the back end should see (`connectAs="endUser"`): user id and credentials of the procedure's
    /// user realm.
    ///
    /// - Returns: `nil` when the call uses the server's own identity, or the policy names no authentication.
    /// - Throws: ``BackEndCallError`` when there is no such identity: the call is then never sent with the server's.
    private func endUser(_ policy: HTTPConnectionPolicy) throws(BackEndCallError) -> HTTPIdentity? {
        guard table.call.connectAs == .endUser, let scheme = policy.authentication?.scheme else { return nil }
        let lead = "the procedure has connectAs=\"endUser\", but "
        guard let realm = table.call.userRealm else {
            throw BackEndCallError(transport: lead + "its security test names no user realm")
        }
        guard let name = table.call.identity(in: realm)?.userID else {
            throw BackEndCallError(transport: lead + "nobody is logged in to the realm '\(realm)'")
        }
        guard let password = table.call.credentials(in: realm)?.string else {
            throw BackEndCallError(
                transport: lead + "the identity in the realm '\(realm)' has no string 'credentials', which the back "
                    + "end would receive as the password")
        }
        guard !(name + password).hasControlCharacters, scheme != .basic || !name.contains(":") else {
            throw BackEndCallError(
                transport: lead + "the user name or password in the realm '\(realm)' has a character that HTTP "
                    + "authentication cannot send")
        }
        return HTTPIdentity(username: name, password: password)
    }

    /// - Parameter isQuoted: whether the log shows the request's query and the beginning of the response.
    private func makeResult(
        _ failure: BackEndCallError, of request: BackEndRequest, isQuoted: Bool
    ) throws -> ScriptValue {
        // A poll that asks every few seconds must not fill the log: one line a minute for each path and cause.
        let reference = adapter.settings.failureReference
        adapter.log.log(
            "invokeHttp \(request.limiterKey) \(failure.message.withoutDigits)", at: .warning,
            // A client may come with its failure's reference.
            others: reference == nil || table.call.caller.request == nil ? .debug : .info, to: logger,
            metadata: reference?.metadata,
            atCall(
                table.call.hidingCredentials(
                    in: "invokeHttp: \(request.method.rawValue) "
                        + (isQuoted ? request.path : "\(request.path.prefix { $0 != "?" })") + ": \(failure)"
                        + (failure.head.map { failure.received(from: $0, isQuoted: isQuoted) } ?? ""))))
        guard failure.summary == nil else { return try makeResult(failure, reference) }
        if let reference { table.call.conceal(failure.message, as: "Http request failed (\(reference))") }
        return try makeResult(failure, nil)
    }

    /// The longest wait of a call without a limit.
    static let longestWait = Duration.seconds(300)
    /// The length of the part of a statement that a message quotes, in characters.
    static let longestQuoted = 4096

    /// Runs a wait of a native function. Flushes notifications to the store and sends pending responses first.
    ///
    /// - Parameter computes: whether the wait is work of this thread, such as a statement of SQLite. Then no other thread replaces it.
    func waiting<Result>(computes: Bool = false, _ body: () throws -> Result) throws -> Result {
        try flushNotifications()
        context.willWait(computes: computes)
        if !computes { table.call.onPhase(.waiting) }
        defer {
            if !computes { table.call.onPhase(.running) }
            markEndOfTime()
        }
        return try body()
    }

    /// Keeps the position at which the call waited when its time was up.
    func markEndOfTime() {
        guard context.remainingTime == .zero || context.isGivenUp() else { return }
        table.call.waiting = context.markStack()
    }

    /// Makes one flat object of the body's members and the transport's, which the engine parses from one JSON string. The last of several
    /// members with one name counts: the body's `isSuccessful` and `errors` replace the defaults, and the
    /// transport's members replace the body's.
    ///
    /// - Returns: `nil` when the body is not JSON.
    private func makeResult(_ response: BackEndResponse, of request: BackEndRequest) throws -> ScriptValue? {
        var hasWrongBytes = response.hasWrongBytes
        var json = Array(#"{"isSuccessful":true,"errors":[],"warnings":[],"info":[],"#.utf8)
        var member: (name: String, value: ScriptValue)?
        switch response.content {
        case .object(let object):
            json.reserveCapacity(object.bytes.count + 1024)
            Self.append(membersOf: object.bytes, to: &json)
        case .array(let array):
            // By itself, for `[1],"b":[2]` would be JSON behind the member's name.
            guard let value = parse(json: array.bytes + [0], onWrongBytes: { hasWrongBytes = true }) else { return nil }
            member = ("array", value)
            json += #""array":null,"#.utf8
        case .text(let text): member = ("text", context.make(text))
        case .empty: break
        }
        Self.append(membersOf: response.head, totalTime: response.totalTime, to: &json)
        json += [UInt8(ascii: "}"), 0]
        let result = parse(json: json) { hasWrongBytes = true }
        if let member { try result?.set(member.name, member.value) }
        if hasWrongBytes { warnAboutWrongBytes(request) }
        return result
    }

    private func warnAboutWrongBytes(_ request: BackEndRequest) {
        adapter.log.warnOnce(
            "invokeHttp bytes \(request.limiterKey)", to: logger,
            atCall(
                "invokeHttp: \(request.method.rawValue) \(request.path.prefix { $0 != "?" }): the back end's response has bytes that are "
                    + "invalid in its encoding (UTF-8 unless the response names another), and U+FFFD replaces them; if it is Latin-1, set "
                    + "returnedContentEncoding: \"ISO-8859-1\""))
    }

    /// Parses JSON in UTF-8. Bytes that are not UTF-8 become U+FFFD.
    ///
    /// - Parameters:
    ///   - bytes: with a zero at its end.
    ///   - onWrongBytes: called when bytes were not UTF-8.
    func parse(json bytes: [UInt8], onWrongBytes: () -> Void = {}) -> ScriptValue? {
        if let value = context.parse(terminatedJSON: bytes) { return value }
        guard let value = context.parse(json: String(decoding: bytes.dropLast(), as: UTF8.self)) else { return nil }
        onWrongBytes()
        return value
    }

    /// Appends the members between an object's braces and a comma; nothing for an empty object. The envelope is valid JSON only if the
    /// object is, because no bytes of the object can close the envelope's braces and leave valid JSON.
    private static func append(membersOf object: [UInt8], to json: inout [UInt8]) {
        guard let open = object.firstIndex(of: UInt8(ascii: "{")), let close = object.lastIndex(of: UInt8(ascii: "}")),
            open < close, object[(close + 1)...].allSatisfy(isBlank)
        else {
            // A syntax error wherever it is appended.
            return json.append(UInt8(ascii: "}"))
        }
        let inner = object[(open + 1)..<close]
        guard !inner.allSatisfy(isBlank) else { return }
        json += inner
        json.append(UInt8(ascii: ","))
    }

    private static func isBlank(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0A, 0x0D].contains(byte) }

    private static func append(membersOf head: BackEndHead, totalTime: Int, to json: inout [UInt8]) {
        json += #""statusCode":\#(head.statusCode),"statusReason":"#.utf8
        JSONValue.string(head.statusReason).write(to: &json)
        json += #","responseHeaders":{"#.utf8
        for (index, header) in head.headers.enumerated() {
            if index > 0 { json.append(UInt8(ascii: ",")) }
            JSONValue.string(header.name).write(to: &json)
            json.append(UInt8(ascii: ":"))
            JSONValue.string(header.value).write(to: &json)
        }
        json += #"},"responseTime":\#(head.responseTime),"totalTime":\#(totalTime)"#.utf8
    }

    /// - Parameter reference: replaces the part of the message about the adapter's files.
    private func makeResult(_ failure: BackEndCallError, _ reference: FailureReference?) throws -> ScriptValue {
        let message = reference.map { "\(failure.summary ?? "Http request failed") (\($0))" } ?? failure.message
        var json = Array(#"{"isSuccessful":false,"errors":["#.utf8)
        JSONValue.string("Runtime: \(message)").write(to: &json)
        json += #"],"warnings":[],"info":[]"#.utf8
        if let head = failure.head {
            json.append(UInt8(ascii: ","))
            Self.append(membersOf: head, totalTime: head.responseTime, to: &json)
        }
        json += [UInt8(ascii: "}"), 0]
        guard let result = context.parse(terminatedJSON: json) else {
            throw HostError("invokeHttp: the engine cannot read a failure as JSON")
        }
        return result
    }

    private func warnAboutUnknown(_ keys: [String]) {
        for key in keys where !BackEndRequest.options.contains(key) {
            adapter.log.warnOnce(
                "invokeHttp \(key)", to: logger,
                atCall(
                    "FWLSE0014W: invokeHttp: the option '\(key)' is not known and does nothing"
                        + Suggestion.hint(for: key, among: BackEndRequest.options)))
        }
    }
}

extension BackEndOutcome {
    /// The status of the response; `nil` when there is none.
    fileprivate var status: Int? {
        switch self {
        case .response(let response): response.head.statusCode
        case .failure(let failure): failure.head?.statusCode
        }
    }

    fileprivate var metricsOutcome: BackEndMetrics.Outcome {
        switch self {
        case .response(let response): response.head.statusCode < 500 ? .ok : .error
        case .failure(let failure): (failure.head?.statusCode ?? 0) >= 500 ? .error : .failed
        }
    }
}

extension String {
    /// Messages and paths that differ in numbers only are the same to the limit of the log.
    fileprivate var withoutDigits: String { filter { !$0.isNumber } }
}

extension BackEndRequest {
    /// Distinguishes failures of different requests, for the limit of the log.
    fileprivate var limiterKey: String { "\(method.rawValue) \(path.prefix { $0 != "?" }.description.withoutDigits)" }

    fileprivate static let options: Set = [
        "method", "path", "parameters", "headers", "cookies", "body", "returnedContentType", "returnedContentEncoding",
        "transformation", "connectionTimeoutInMilliseconds", "socketTimeoutInMilliseconds",
    ]

    fileprivate init(_ options: ScriptValue) throws {
        // Each by its name: members that are not enumerable, and those of classes and Proxies, count as well.
        func option(_ name: String) throws -> ScriptValue { try options.get(name) }
        let body = try option("body")
        var content: Body?
        if body.isObject {
            content = Body(
                contentType: try body.get("contentType").unboxed().string ?? "text/plain; charset=utf-8",
                content: try Self.bodyText(body.get("content")))
        } else if !body.isNullOrUndefined {
            throw HostError("invokeHttp: 'body' must be an object with 'contentType' and 'content', got \(body.kind)")
        }
        do {
            try self.init(
                method: Self.text("method", of: options), path: Self.text("path", of: options),
                parameters: Self.map("parameters", option("parameters")),
                headers: Self.map("headers", option("headers")),
                cookies: Self.map("cookies", option("cookies")), body: content,
                returnedContentType: option("returnedContentType").unboxed().string,
                returnedContentEncoding: option("returnedContentEncoding").unboxed().string,
                transformation: Self.transformation(option("transformation")),
                connectionTimeout: Self.milliseconds(
                    "connectionTimeoutInMilliseconds", option("connectionTimeoutInMilliseconds")),
                socketTimeout: Self.milliseconds("socketTimeoutInMilliseconds", option("socketTimeoutInMilliseconds")))
        } catch let error as BackEndRequestError {
            throw HostError("\(error)")
        }
    }

    private static func text(_ name: String, of options: ScriptValue) throws -> String {
        let value = try options.get(name)
        guard let text = try value.unboxed().string else {
            throw HostError("invokeHttp: '\(name)' must be a string, got \(value.kind)")
        }
        return text
    }

    private static func map(_ name: String, _ value: ScriptValue?) throws -> [(String, String)] {
        guard let value, !value.isNullOrUndefined else { return [] }
        guard value.isObject else { throw HostError("invokeHttp: '\(name)' must be an object, got \(value.kind)") }
        return try value.keys.compactMap { key in
            let member = try value.get(key)
            return member.isUndefined ? nil : (key, try member.text())
        }
    }

    /// Returns an array as JSON, and also an object whose string begins with `[object `; other values as a string.
    private static func bodyText(_ content: ScriptValue) throws -> String {
        if content.isNullOrUndefined { return "" }
        let text = try content.text()
        guard content.isArray || (content.isObject && text.hasPrefix("[object ")) else { return text }
        return try content.json() ?? text
    }

    private static func milliseconds(_ name: String, _ value: ScriptValue?) throws -> Duration? {
        guard let value, !value.isNullOrUndefined else { return nil }
        // Real code also passes a string.
        guard let number = try value.number ?? Double(value.text()), number.isFinite, (0..<1e9).contains(number) else {
            throw HostError("invokeHttp: '\(name)' must be a number of milliseconds, 0 or more, got \(value.kind)")
        }
        return .milliseconds(number)
    }

    private static func transformation(_ value: ScriptValue?) throws -> Transformation {
        guard let value, !value.isNullOrUndefined else { return .standard }
        switch try value.get("type").string {
        case "default": return .standard
        case "void": return .void
        case "xslFile":
            guard let file = try value.get("xslFile").string else {
                throw HostError("invokeHttp: 'transformation.xslFile' must name a file in the adapter's folder")
            }
            return .stylesheet(file)
        default:
            throw HostError(
                "invokeHttp: 'transformation' must be an object whose 'type' is default, xslFile or void, got \(value.kind)"
            )
        }
    }
}
