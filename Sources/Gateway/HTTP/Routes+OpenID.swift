import Authentication
import Foundation
import HTTPTypes
import Hummingbird
import Logging
import PushModel
import Tokens

/// Login to the management API at an OpenID Connect provider, by redirects of the browser.
extension Routes {
    private static let cookie = "lamplighter-openid"

    func addOpenID(to router: Router<GatewayContext>) {
        guard let accounts = installation.accounts.openID else { return }
        router.get("management/v1/login/openid") { _, _ in await begin(accounts) }
        router.get("management/v1/login/openid/callback") { request, context in
            await finish(accounts, request, context)
        }
    }

    private func begin(_ accounts: OpenIDAccounts) async -> Response {
        let secrets = OpenIDLogin.Secrets()
        do {
            let address = try await accounts.login.address(secrets)
            return Response(
                status: .found,
                headers: [
                    .location: address, .cacheControl: "no-store",
                    .setCookie: cookie(secrets.cookie, life: 600),
                ])
        } catch {
            installation.logger.error("login to the management API: \(error)")
            return Self.response(ManagementProblem(.unavailable, "\(error)").answer)
        }
    }

    private func finish(_ accounts: OpenIDAccounts, _ request: Request, _ context: GatewayContext) async -> Response {
        let query = FormFields(request.uri.query ?? "")
        let answer = await api.logIn(
            accounts, code: query["code"], state: query["state"], error: query["error"],
            secrets: secrets(request), from: address(request, context))
        var response = Self.response(answer)
        response.headers[.setCookie] = cookie("", life: 0)
        return response
    }

    private func secrets(_ request: Request) -> OpenIDLogin.Secrets? {
        let cookies = request.headers[values: .cookie].flatMap { $0.split(separator: ";") }
        let value = cookies.map { $0.trimmingCharacters(in: .whitespaces) }.first { $0.hasPrefix(Self.cookie + "=") }
        return value.flatMap { OpenIDLogin.Secrets(cookie: String($0.dropFirst(Self.cookie.count + 1))) }
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
                throw ManagementProblem(.badRequest, "expected the browser that began the login; begin again")
            }
            guard let code else {
                throw ManagementProblem(
                    .unauthorized, "the provider refuses the login: \((error ?? "no code").prefix(100))")
            }
            let (name, role) = try await accounts.account(code: code, secrets)
            note.set(account: name)
            guard let role else {
                throw ManagementProblem(
                    .forbidden, "'\(name)' has no role here; see console.openID.roles in the settings")
            }
            answer = session(of: name, role, token: installation.accounts.sessions.begin(account: name, role: role))
        } catch let problem as ManagementProblem {
            answer = problem.answer
        } catch let error as TokenError {
            installation.logger.error("login to the management API: \(error)")
            answer = ManagementProblem(.unauthorized, "the provider's identity token is not valid").answer
        } catch {
            installation.logger.error("login to the management API: \(error)")
            answer = ManagementProblem(.unavailable, "\(error)").answer
        }
        let call = ManagementCall("GET", "login", "openid", "callback")
        let principal = ManagementPrincipal(account: "", role: .monitor, address: address)
        await audit("Login", call, answer, note, as: principal)
        return answer
    }
}
