import Core
import Foundation
package import Installation
import Logging
import PushModel

extension ManagementAPI {
    private static let token = JSONSchema.object([
        .required("name", .anyText), .required("role", .choice(ManagementRole.allCases.map(\.rawValue))),
        .required("created", .time), .optional("expires", .time), .required("isExpired", .bool),
    ])

    private static let auditEntry = JSONSchema.object([
        .required("number", .count), .required("time", .time), .required("type", .anyText),
        .required("account", .anyText), .required("address", .anyText), .required("target", .anyText),
        .required("outcome", .choice(["SUCCESS", "FAILURE"])), .required("status", .integer(200...599)),
        .optional("before", .anything), .optional("after", .anything),
    ])

    static let accessRoutes: [ManagementRoute] = [
        .get("tokens", "List the API tokens.", role: .admin, answer: .page(of: token)) { api, _ in
            let now = api.installation.time.now
            let tokens = try await runBlocking { [store = api.store] in try store.apiTokens() }
            return ["items": .array(tokens.map { $0.json(at: now) })]
        },
        .change(
            "POST", "tokens", "Create an API token. Only the response to this request shows it.", role: .admin,
            audit: "TokenCreation",
            body: .object([
                .required("name", .text(1...100)), .required("role", .choice(ManagementRole.allCases.map(\.rawValue))),
                .optional("expires", .time),
            ]), status: 201,
            answer: .object([
                .required("name", .anyText), .required("role", .anyText), .optional("expires", .time),
                .required("token", .anyText),
            ]), problems: [.conflict]
        ) { api, input in
            let now = api.installation.time.now
            let (name, role) = (input.body["name"]?.string ?? "", input.body["role"]?.string ?? "")
            let expires = input.body["expires"]?.string.flatMap { Date(spelling: $0) }
            if let expires, expires <= now {
                throw ManagementError(.badRequest, "expected a time in the future", field: "expires")
            }
            try Self.checkName(name)
            let secret = ManagementAccess.newToken()
            let token = APIToken(
                name: name, hash: ManagementAccess.hash(secret), role: role, createdAt: now, expiresAt: expires)
            guard try await runBlocking({ [store = api.store] in try store.add(token) }) else {
                throw ManagementError(
                    .conflict, "the name '\(name)' is taken; remove that token or choose another name")
            }
            input.note.set(after: token.json(at: now))
            var object: JSONObject = ["name": .string(name), "role": .string(role)]
            object["expires"] = (expires?.spelling).map(JSONValue.string)
            object["token"] = .string(secret)
            return ManagementAnswer(status: 201, .object(object))
        },
        .change(
            "DELETE", "tokens/{name}", "Remove an API token; it ends at once.", role: .admin, audit: "TokenDeletion",
            answer: token, problems: [.notFound]
        ) { api, input in
            let name = input.required("name")
            guard let token = try await runBlocking({ [store = api.store] in try store.removeAPIToken(name) }) else {
                throw ManagementError(.notFound, "unknown token '\(name.prefix(100))'")
            }
            api.installation.security.accounts.sessions.forgetTokens()
            let json = token.json(at: api.installation.time.now)
            input.note.set(before: json)
            return ManagementAnswer(json)
        },
        ManagementRoute(
            method: "GET", path: "audit-log",
            summary: "List the audit log, newest first: calls that changed something or tried to.", role: .admin,
            parameters: [
                .query(
                    "account", .name,
                    "Entries of this account; of a token, 'token:NAME'; of the command line, 'unix:USER'."),
                .query("type", .name, "Entries of this type, such as AdapterDeployment."),
                .query("since", .pastTime, "Entries of this time or later."),
                .query("until", .pastTime, "Entries before this time."),
                .query(
                    "format", .choice(["json", "csv"]),
                    """
                    csv: the newest \(longestCSV) entries that match, as CSV; 'limit' and 'cursor' do not count then. \
                    'Accept: text/csv' does the same.
                    """),
            ] + pageParameters, body: nil, status: 200, answer: .page(of: auditEntry), problems: [], auditType: nil,
            isInteractive: false
        ) { api, input in
            let now = api.installation.time.now
            let filter = AuditFilter(
                account: input.text("account"), type: input.text("type"), since: input.time("since", now: now),
                until: input.time("until", now: now))
            let cursor = try input.cursor().map { try $0.integer(0) }
            let isCSV = input.text("format") == "csv"
            let before = isCSV ? nil : cursor
            let limit = isCSV ? Self.longestCSV : input.limit
            let page = try await runBlocking { [store = api.store] in
                try store.auditLog(matching: filter, before: before, limit: limit)
            }
            guard isCSV else {
                return ManagementAnswer(
                    Self.page(page.items.map(\.json), next: page.next.map { [.number(Double($0))] }))
            }
            var csv = CSVText()
            csv.add([
                "number", "time", "type", "account", "address", "resource", "outcome", "status", "before", "after",
            ])
            for entry in page.items { csv.add(entry.fields) }
            return ManagementAnswer(body: csv.text, type: CSVText.type)
        },
    ]

    /// The largest number of entries of the audit log as CSV.
    static let longestCSV = 10_000

    /// Appends a call to the audit log. A failure is logged with the entry.
    package func audit(
        _ type: String, _ call: ManagementCall, _ answer: ManagementAnswer, _ note: AuditNote,
        as principal: ManagementPrincipal
    ) async {
        let (before, after) = note.change
        let entry = AuditEntry(
            time: installation.time.now, type: type, account: note.account ?? principal.account,
            address: principal.address,
            target: call.path.map { PercentEncoding.encode($0) }.joined(separator: "/"), status: answer.status,
            isFailure: note.isFailed, before: before, after: after)
        do {
            try await runBlocking { [store] in try store.append(entry) }
        } catch {
            installation.logger.error("not in the audit log: \(entry.json.text): \(error)")
        }
    }
}

extension APIToken {
    fileprivate func json(at now: Date) -> JSONValue {
        var object: JSONObject = [
            "name": .string(name), "role": .string(role), "created": .string(createdAt.spelling),
        ]
        object["expires"] = (expiresAt?.spelling).map(JSONValue.string)
        object["isExpired"] = .bool(expiresAt.map { $0 <= now } ?? false)
        return .object(object)
    }
}

extension AuditEntry {
    private var outcome: String { isFailure ? "FAILURE" : "SUCCESS" }

    /// The fields of a row of CSV.
    fileprivate var fields: [String] {
        [
            "\(number ?? 0)", time.spelling, type, account, address, target, outcome, "\(status)", before?.text ?? "",
            after?.text ?? "",
        ]
    }

    fileprivate var json: JSONValue {
        var object: JSONObject = [
            "number": .number(Double(number ?? 0)), "time": .string(time.spelling), "type": .string(type),
            "account": .string(account), "address": .string(address), "target": .string(target),
            "outcome": .string(outcome), "status": .number(Double(status)),
        ]
        object["before"] = before
        object["after"] = after
        return .object(object)
    }
}
