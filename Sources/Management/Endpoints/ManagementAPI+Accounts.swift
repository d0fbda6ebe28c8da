import Core
import Credentials
import Foundation
package import Installation
import Logging

extension ManagementAPI {
    private static let role = JSONSchema.choice(ManagementRole.allCases.map(\.rawValue))
    private static let account = JSONSchema.object([.required("name", .anyText), .required("role", role)])
    private static let password = JSONSchema.secret(12...1024)

    static let accountRoutes: [ManagementRoute] = [
        ManagementRoute(
            method: "POST", path: "login",
            summary: "Log in with an account. The token is for the header Authorization, and ends after 12 hours.",
            role: nil, parameters: [],
            body: .object([.required("account", .name), .required("password", .secret(1...1024))]), status: 200,
            answer: .object([
                .required("account", .anyText), .required("role", role), .required("token", .anyText),
                .required("expires", .time),
            ]), problems: [.unauthorized, .tooManyRequests], auditType: "Login", isInteractive: false
        ) { api, input in
            let name = input.body["account"]?.string ?? ""
            input.note.set(account: name)
            let session: (account: String, token: String, role: ManagementRole)?
            do {
                session = try await api.installation.security.accounts.logIn(
                    name, password: input.body["password"]?.string ?? "", from: input.principal.address)
            } catch AccountLoginError.tooManyRefusals(let text) {
                throw ManagementError(.tooManyRequests, text)
            } catch AccountLoginError.undecided(let text) {
                throw ManagementError(.unavailable, text)
            }
            guard let (account, token, role) = session else {
                throw ManagementError(.unauthorized, "wrong account or password")
            }
            input.note.set(account: account)
            return api.session(of: account, role, token: token)
        },
        .change(
            "POST", "logout", "End the session of the token that the call shows.", role: .monitor, audit: "Logout",
            answer: .object([]), problems: [.conflict]
        ) { api, input in
            guard let session = input.principal.session else {
                throw ManagementError(.conflict, "the call does not show the token of a session")
            }
            api.installation.security.accounts.sessions.end(hash: session)
            return ManagementAnswer([:])
        },
        .get(
            "logins", "List the accounts with sessions of the management API.", role: .admin,
            answer: .page(
                of: .object([.required("account", .anyText), .required("role", role), .required("sessions", .count)]))
        ) { api, _ in
            let items = api.installation.security.accounts.sessions.accounts.map { account -> JSONValue in
                [
                    "account": .string(account.name), "role": .string(account.role.rawValue),
                    "sessions": .number(Double(account.count)),
                ]
            }
            return ["items": .array(items)]
        },
        .change(
            "DELETE", "logins/{account}", "End all sessions of an account, also of LDAP and OpenID Connect.",
            role: .admin, audit: "Logout", answer: .object([.required("ended", .count)])
        ) { api, input in
            let count = api.installation.security.accounts.sessions.end(account: input.required("account"))
            input.note.set(before: ["sessions": .number(Double(count))])
            return ManagementAnswer(["ended": .number(Double(count))])
        },
        .get("me", "Show the account or token of the call.", answer: account) { _, input in
            ["name": .string(input.principal.account), "role": .string(input.principal.role.rawValue)]
        },
        .get("accounts", "List the accounts.", role: .admin, answer: .page(of: account)) { api, _ in
            let accounts = try await api.accounts { try $0.accounts() }
            return ["items": .array(accounts.map(\.json))]
        },
        .change(
            "POST", "accounts", "Add an account.", role: .admin, audit: "AccountCreation",
            body: .object([
                .required("name", .text(1...100)), .required("role", role), .required("password", password),
            ]), status: 201, answer: account, problems: [.conflict]
        ) { api, input in
            let name = input.body["name"]?.string ?? ""
            try Self.checkName(name)
            let account = ManagementAccount(
                name: name, role: input.newRole ?? .monitor,
                hash: try await api.installation.security.accounts.hash(input.body["password"]?.string ?? ""))
            try await api.accounts { file in
                try file.update { accounts in
                    guard !accounts.contains(where: { $0.name == name }) else {
                        throw ManagementError(.conflict, "the account '\(name)' already exists")
                    }
                    accounts.append(account)
                }
            }
            input.note.set(after: account.json)
            return ManagementAnswer(status: 201, account.json)
        },
        .change(
            "PUT", "accounts/{name}", "Change an account's role or password; its sessions end.", role: .admin,
            audit: "AccountChange", body: .object([.optional("role", role), .optional("password", password)]),
            answer: account, problems: [.notFound]
        ) { api, input in
            let name = input.required("name")
            let hash = try await api.hash(input.body["password"]?.string)
            let change = try await api.change(name) { [role = input.newRole] account in
                account.role = role ?? account.role
                account.hash = hash ?? account.hash
            }
            input.note.set(before: change.before.json, after: change.after.json)
            return ManagementAnswer(change.after.json)
        },
        .change(
            "DELETE", "accounts/{name}", "Remove an account; its sessions end.", role: .admin,
            audit: "AccountDeletion", answer: account, problems: [.notFound]
        ) { api, input in
            let name = input.required("name")
            let account = try await api.accounts { file in
                try file.update { accounts -> ManagementAccount in
                    let known = try Self.account(name, in: accounts)
                    accounts.removeAll { $0.name == name }
                    return known
                }
            }
            api.installation.security.accounts.sessions.end(account: name)
            input.note.set(before: account.json)
            return ManagementAnswer(account.json)
        },
    ]

    /// - Throws: ``ManagementError`` with status 400 for a name with other characters than these.
    static func checkName(_ name: String) throws(ManagementError) {
        guard name.utf8.count <= 100, name.wholeMatch(of: /[A-Za-z0-9._@-]+/) != nil else {
            throw ManagementError(.badRequest, "expected 1 to 100 letters, digits and . _ @ -", field: "name")
        }
    }

    /// Returns the response to a login.
    package func session(of name: String, _ role: ManagementRole, token: String) -> ManagementAnswer {
        let end = installation.time.now.addingTimeInterval(ManagementSessions.life / .seconds(1))
        return ManagementAnswer([
            "account": .string(name), "role": .string(role.rawValue), "token": .string(token),
            "expires": .string(end.spelling),
        ])
    }

    /// Reads or changes the accounts.
    ///
    /// - Throws: ``ManagementError`` with status 503 when the file has a mistake.
    private func accounts<Value: Sendable>(
        _ body: @escaping @Sendable (AccountsFile) throws -> Value
    ) async throws -> Value {
        do {
            return try await runBlocking { [file = installation.security.accounts.file] in try body(file) }
        } catch let error as AccountsFileError {
            installation.logger.error("\(error)")
            throw ManagementError(.unavailable, "\(error)")
        }
    }

    private func hash(_ password: String?) async throws -> PasswordHash? {
        guard let password else { return nil }
        return try await installation.security.accounts.hash(password)
    }

    private func change(
        _ name: String, _ body: @escaping @Sendable (inout ManagementAccount) -> Void
    ) async throws -> (before: ManagementAccount, after: ManagementAccount) {
        let change = try await accounts { file in
            try file.update { accounts -> (ManagementAccount, ManagementAccount) in
                let before = try Self.account(name, in: accounts)
                var after = before
                body(&after)
                accounts = accounts.map { $0.name == name ? after : $0 }
                return (before, after)
            }
        }
        installation.security.accounts.sessions.end(account: name)
        return change
    }

    private static func account(
        _ name: String, in accounts: [ManagementAccount]
    ) throws(ManagementError) -> ManagementAccount {
        guard let account = accounts.first(where: { $0.name == name }) else {
            throw ManagementError(.notFound, "unknown account '\(name.prefix(100))'")
        }
        return account
    }
}

extension ManagementInput {
    fileprivate var newRole: ManagementRole? { body["role"]?.string.flatMap { ManagementRole(rawValue: $0) } }
}

extension ManagementAccount {
    fileprivate var json: JSONValue { ["name": .string(name), "role": .string(role.rawValue)] }
}
