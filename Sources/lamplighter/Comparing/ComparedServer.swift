import Core
import Foundation
import HTTPTransfer

/// A server that an app connects to, logs in to and calls, by the original's protocol.
final class ComparedServer {
    struct Answer {
        let status: Int
        /// The JSON without its wrapping; a string for anything else.
        let body: JSONValue

        /// True for an error of the server, and for the result of a procedure that failed.
        var isFailure: Bool { status >= 400 || body["isSuccessful"] == false }
    }

    /// The address with the context root, without a slash at its end.
    let url: String
    private let calls: ComparedCalls
    private let client: TransferClient
    private var cookies: [String: String] = [:]
    private var instanceID: String?
    private static let timeout = Duration.seconds(60)

    init(_ url: String, _ calls: ComparedCalls, trust: TransferClient.Trust) {
        self.url = url.hasSuffix("/") ? String(url.dropLast()) : url
        self.calls = calls
        var settings = TransferClient.Settings()
        settings.trust = trust
        client = TransferClient(settings)
    }

    func close() { client.close() }

    private var application: String {
        "\(url)/apps/services/api/\(PercentEncoding.encode(calls.application))/\(PercentEncoding.encode(calls.environment))/"
    }

    /// Connects, and logs in if the file has a login.
    ///
    /// - Throws: ``CommandError``.
    ///
    /// - Returns: the result of a login by a procedure.
    func connect() async throws -> Answer? {
        let answer = try await app("init", [])
        guard answer.status == 200 else {
            throw CommandError(
                description:
                    "\(url) refuses the app '\(calls.application)' (\(calls.environment) \(calls.version)) with status \(answer.status)"
            )
        }
        guard case .procedure(let login) = calls.login else { return nil }
        let result = try await send("\(url)/invoke", fields(of: login))
        guard !result.isFailure else {
            throw CommandError(description: "\(url): the login by \(login.name) failed with status \(result.status)")
        }
        return result
    }

    /// Calls a procedure as the app does.
    func call(_ call: ComparedCalls.Call) async throws -> Answer { try await app("query", fields(of: call)) }

    private func fields(of call: ComparedCalls.Call) -> [(String, String)] {
        [("adapter", call.adapter), ("procedure", call.procedure), ("parameters", call.parameters)]
    }

    /// Sends an action; logs in by the form when the server asks for it.
    private func app(_ action: String, _ fields: [(String, String)]) async throws -> Answer {
        let answer = try await send(application + action, fields)
        guard answer.body.string?.contains("j_security_check") == true else { return answer }
        guard case .form(let user, let password) = calls.login else {
            throw CommandError(
                description:
                    "\(url) asks for a login by a form; name it in the file as login: {form: {user: …, password: …}}")
        }
        let login = try await send(
            "\(url)/apps/services/j_security_check", [("j_username", user), ("j_password", password)])
        guard login.body.string?.contains("j_security_check") != true else {
            throw CommandError(description: "\(url) refuses the user name or the password of the file's login")
        }
        return try await send(application + action, fields)
    }

    /// The largest number of challenges in a row.
    private static let mostChallenges = 5

    private func send(_ url: String, _ fields: [(String, String)]) async throws -> Answer {
        var authorization: String?
        for _ in 0...Self.mostChallenges {
            var request = TransferRequest(
                "POST", url: url,
                headers: [
                    ("Content-Type", "application/x-www-form-urlencoded; charset=UTF-8"),
                    ("X-Requested-With", "XMLHttpRequest"), ("x-wl-app-version", calls.version),
                    ("Accept-Language", "en"),
                ], body: Array(FormFields.encode(fields + [("isAjaxRequest", "true")]).utf8))
            request.timeout = Self.timeout
            if !cookies.isEmpty {
                let pairs = cookies.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
                request.headers.append(("Cookie", pairs.joined(separator: "; ")))
            }
            if let instanceID { request.headers.append(("WL-Instance-Id", instanceID)) }
            if let authorization { request.headers.append(("Authorization", authorization)) }
            let (status, text, headers): (Int, String, [(name: String, value: String)])
            do {
                let response = try await client.send(request)
                (status, text, headers) = (response.status, response.text, response.head.headers)
            } catch {
                throw CommandError(error, from: self.url, after: Self.timeout, isOwn: false)
            }
            for (name, value) in headers where name.lowercased() == "set-cookie" {
                let pair = value.prefix { $0 != ";" }.split(separator: "=", maxSplits: 1).map(String.init)
                if pair.count == 2 { cookies[pair[0]] = pair[1] }
            }
            let answer = Answer(status: status, body: Self.body(text))
            guard status == 401, let challenges = answer.body["challenges"]?.object else { return answer }
            authorization = try respond(to: challenges)
        }
        throw CommandError(description: "\(self.url) repeats its challenges without end")
    }

    /// Takes the instance id, and makes the value of `Authorization` for the device realm (wire-protocol 3).
    private func respond(to challenges: JSONObject) throws -> String? {
        var responses = JSONObject()
        for member in challenges.members {
            switch member.key {
            case "wl_antiXSRFRealm": instanceID = member.value["WL-Instance-Id"]?.string
            case "wl_deviceNoProvisioningRealm":
                responses[member.key] = [
                    "ID": [
                        "token": member.value["token"] ?? .null,
                        "app": ["id": .string(calls.application), "version": .string(calls.version)],
                        "device": [
                            "id": "lamplighter-compare", "os": "4.4", "model": "compare",
                            "environment": .string(calls.environment),
                        ],
                        "custom": [:],
                    ]
                ]
            case "wl_remoteDisableRealm": responses[member.key] = member.value["messageId"] ?? .null
            default:
                throw CommandError(
                    description:
                        "\(url) has a challenge of the realm '\(calls.shown(member.key))', which this command cannot pass; compare with a test without it"
                )
            }
        }
        return responses.members.isEmpty ? nil : JSONValue.object(responses).text
    }

    private static func body(_ text: String) -> JSONValue {
        var json = text[...]
        if json.hasPrefix("/*-secure-") {
            json = json.dropFirst("/*-secure-".count)
            if let end = json.range(of: "*/", options: .backwards) { json = json[..<end.lowerBound] }
        }
        return (try? JSONValue(parsing: String(json))) ?? .string(text)
    }
}
