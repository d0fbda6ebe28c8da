import Authentication
import Core
import Foundation
import HTTPTypes
import Hummingbird
import Installation
import Logging
import Management
import Tokens

/// Login to the management API at an OpenID Connect provider, by redirects of the browser.
extension Routes {
    private static let cookie = "lamplighter-openid"
    /// Ends the cookie of a login that leads to the console.
    private static let consoleMark = "~console"

    /// Handles a login at the provider; returns `nil` for other paths.
    func openIDLogin(_ request: Request, _ context: ServerRequestContext) async -> Response? {
        let isBegin = request.uri.path == "/management/v1/login/openid"
        guard request.method == .get, isBegin || request.uri.path == OpenIDAccounts.callbackPath else { return nil }
        guard let accounts = installation.security.accounts.openID else {
            return Self.response(
                ManagementError(.notFound, "OpenID Connect is not configured; set console.openID").answer)
        }
        guard mayAsk(request, context) else { return tooMany }
        let isForConsole = request.uri.query == "for=console"
        return isBegin
            ? await begin(accounts, isForConsole: isForConsole) : await finish(accounts, request, context)
    }

    /// Each login asks the provider.
    private func mayAsk(_ request: Request, _ context: ServerRequestContext) -> Bool {
        installation.security.accounts.mayAskProvider(from: address(request, context))
    }

    private var tooMany: Response {
        Self.response(ManagementError(.tooManyRequests, "too many logins; try again in a minute").answer)
    }

    /// Strangers do not see the provider's words.
    fileprivate static let providerProblem = ManagementError(
        .unavailable, "the OpenID Connect provider refuses or does not respond; the server's log has the reason")

    private func begin(_ accounts: OpenIDAccounts, isForConsole: Bool) async -> Response {
        let secrets = OpenIDLogin.Secrets()
        do {
            let address = try await accounts.login.address(secrets)
            return Response(
                status: .found,
                headers: [
                    .location: address, .cacheControl: "no-store",
                    .setCookie: cookie(secrets.cookie + (isForConsole ? Self.consoleMark : ""), life: 600),
                ])
        } catch {
            installation.security.accounts.noteFailure(error)
            return Self.response(Self.providerProblem.answer)
        }
    }

    private func finish(_ accounts: OpenIDAccounts, _ request: Request, _ context: ServerRequestContext) async
        -> Response
    {
        let query = FormFields(request.uri.query ?? "")
        let (secrets, isForConsole) = secrets(request)
        let answer = await api.logIn(
            accounts, code: query["code"], state: query["state"], error: query["error"], secrets: secrets,
            from: address(request, context))
        guard isForConsole else {
            var response = Self.response(answer)
            response.headers[.setCookie] = cookie("", life: 0)
            return response
        }
        let token = (try? JSONValue(parsing: answer.body))?["token"]?.string
        return console.finishLogin(token: token, answer, cookie: cookie("", life: 0))
    }

    /// The secrets of the login that the browser began, and whether it began it at the console.
    private func secrets(_ request: Request) -> (OpenIDLogin.Secrets?, isForConsole: Bool) {
        let cookies = request.headers[values: .cookie].flatMap { $0.split(separator: ";") }
        let value = cookies.map { $0.trimmingCharacters(in: .whitespaces) }.first { $0.hasPrefix(Self.cookie + "=") }
        guard let value = value?.dropFirst(Self.cookie.count + 1) else { return (nil, false) }
        let isForConsole = value.hasSuffix(Self.consoleMark)
        let text = isForConsole ? value.dropLast(Self.consoleMark.count) : value
        return (OpenIDLogin.Secrets(cookie: String(text)), isForConsole)
    }

    /// SameSite is Lax: the provider's redirect comes from another site.
    private func cookie(_ value: String, life: Int) -> String {
        let isSecure = installation.settings.consoleAddress.hasPrefix("https:")
        return "\(Self.cookie)=\(value); Path=/management/v1/login/openid; Max-Age=\(life); HttpOnly; SameSite=Lax"
            + (isSecure ? "; Secure" : "")
    }
}

extension ManagementAPI {
    /// Ends a login at the provider.
    ///
    /// - Parameter secrets: the cookie of the browser that began it.
    fileprivate func logIn(
        _ accounts: OpenIDAccounts, code: String?, state: String?, error: String?, secrets: OpenIDLogin.Secrets?,
        from address: String
    ) async -> ManagementAnswer {
        let note = AuditNote()
        let answer: ManagementAnswer
        do {
            guard let secrets, let state, state.isSame(as: secrets.state) else {
                throw ManagementError(.badRequest, "expected the browser that began the login; begin again")
            }
            guard let code else {
                throw ManagementError(
                    .unauthorized, "the provider refuses the login: \((error ?? "no code").prefix(100))")
            }
            let ends = installation.security.accounts.sessions.ends
            let (name, role) = try await accounts.account(code: code, secrets)
            let account = "openid:\(name)"
            note.set(account: account)
            guard let role else {
                throw ManagementError(
                    .forbidden, "'\(name)' has no role here; see console.openID.roles in the settings")
            }
            guard let token = installation.security.accounts.sessions.begin(account: account, role: role, ends: ends)
            else {
                throw ManagementError(.unavailable, "accounts were changed during the login; log in again")
            }
            answer = session(of: account, role, token: token)
        } catch let problem as ManagementError {
            answer = problem.answer
        } catch let error as TokenError {
            installation.security.accounts.noteFailure(error)
            answer = ManagementError(.unauthorized, "the provider's identity token is not valid").answer
        } catch {
            installation.security.accounts.noteFailure(error)
            answer = Routes.providerProblem.answer
        }
        let call = ManagementCall("GET", "login", "openid", "callback")
        let principal = ManagementPrincipal(account: "", role: .monitor, address: address)
        if answer.isProblem {
            installation.security.accounts.noteRefusal(of: note.account ?? "", from: address)
        } else {
            await audit("Login", call, answer, note, as: principal)
        }
        return answer
    }
}
