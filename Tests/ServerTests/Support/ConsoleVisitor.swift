import Core
import Foundation
import NIOHTTP1
import TestSupport
import Testing

/// A browser without scripts: it keeps cookies, and sends the forms of the pages that it got.
final class ConsoleVisitor: Sendable {
    typealias Answer = (status: Int, body: String, headers: HTTPHeaders)

    let server: RunningServer
    private let cookies = AwaitableValue<[String: String]>([:])

    init(_ server: RunningServer) { self.server = server }

    /// Adds an account and logs in with it.
    static func loggedIn(_ server: RunningServer, as role: String = "admin") async throws -> ConsoleVisitor {
        let account: JSONValue = ["name": .string(role), "role": .string(role), "password": "right-password"]
        #expect(try await server.manage(.POST, "accounts", body: account.text).status == 201)
        let visitor = ConsoleVisitor(server)
        let answer = try await visitor.logIn(as: role, "right-password")
        #expect(answer.status == 303)
        return visitor
    }

    func logIn(as account: String, _ password: String, next: String? = nil) async throws -> Answer {
        let page = try await get("/console/login\(next.map { "?next=\($0)" } ?? "")")
        return try await post(
            "/console/login",
            ["account": account, "password": password, "next": Self.value(of: "next", in: page.body)],
            csrf: Self.value(of: "csrf", in: page.body, last: true))
    }

    func get(_ path: String) async throws -> Answer {
        keep(try await server.send(.GET, path, headers: header))
    }

    /// Sends a form.
    ///
    /// - Parameter csrf: the form's token; `nil` for that of the overview.
    func post(_ path: String, _ fields: [String: String] = [:], csrf: String? = nil) async throws -> Answer {
        var fields = fields
        if let csrf {
            fields["csrf"] = csrf
        } else {
            fields["csrf"] = Self.value(of: "csrf", in: try await get("/console").body)
        }
        return keep(
            try await server.send(
                .POST, path, body: FormFields.encode(fields.map { ($0.key, $0.value) }),
                type: "application/x-www-form-urlencoded", headers: header))
    }

    var session: String? { cookies.value["lamplighter-console"] }

    private var header: [(String, String)] {
        let pairs = cookies.value.map { "\($0.key)=\($0.value)" }
        return pairs.isEmpty ? [] : [("Cookie", pairs.joined(separator: "; "))]
    }

    private func keep(_ answer: Answer) -> Answer {
        for cookie in answer.headers["Set-Cookie"] {
            let parts = cookie.split(separator: ";")[0].split(separator: "=", maxSplits: 1)
            cookies.update { $0[String(parts[0])] = cookie.contains("Max-Age=0") ? nil : String(parts[1]) }
        }
        return answer
    }

    /// The value of a hidden field.
    static func value(of name: String, in page: String, last: Bool = false) -> String {
        let values = page.components(separatedBy: "name=\"\(name)\" value=\"").dropFirst()
            .map { String($0.prefix { $0 != "\"" }) }
        return (last ? values.last : values.first) ?? ""
    }
}
