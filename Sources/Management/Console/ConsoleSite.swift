import Authentication
import Core
import Foundation
import HTTPTypes
package import Hummingbird
package import Installation
import NIOCore

/// The console: pages for operators in a browser. It does everything by the management API, in the name of the account that
/// has logged in.
package struct ConsoleSite: Sendable {
    package static let root = "/console"
    /// The largest form of a caller without a session, in bytes.
    private static let longestLogin = 16 << 10

    let api: ManagementAPI
    let access: ManagementAccess
    let live: LivePages
    /// The client's address.
    let clientAddress: @Sendable (Request, ServerRequestContext) -> String

    package init(
        api: ManagementAPI, access: ManagementAccess, live: LivePages,
        clientAddress: @escaping @Sendable (Request, ServerRequestContext) -> String
    ) {
        (self.api, self.access, self.live, self.clientAddress) = (api, access, live, clientAddress)
    }

    private var installation: Installation { api.installation }

    package func answer(_ request: Request, _ context: ServerRequestContext) async -> Response {
        let path = request.uri.path.dropFirst(Self.root.count).split(separator: "/").map {
            PercentEncoding.decode($0, plusIsBlank: false) ?? String($0)
        }
        let isPost = request.method == .post
        guard isPost || request.method == .get else {
            var response = Self.plain("expected GET or POST", status: .methodNotAllowed)
            response.headers[.allow] = "GET, POST"
            return response
        }
        if !isPost, path.count == 1, let file = Self.file(path[0], request) { return file }
        let cookies = ConsoleCookies(request.headers, isSecure: isSecure)
        let principal = session(cookies, request, context)
        var form = FormFields(isPost ? "" : request.uri.query ?? "")
        if isPost {
            do {
                form = try await body(request, limit: principal == nil ? Self.longestLogin : nil)
                form.add(request.uri.query ?? "")
            } catch {
                return error.response
            }
        }
        if path == ["login"] { return await logIn(isPost, form, cookies, request, context) }
        guard let principal, let token = cookies.session else { return loginNeeded(isPost, request) }
        let csrf = Self.csrf(token)
        if isPost {
            guard form["csrf"]?.isSame(as: csrf) == true else {
                return Self.plain(
                    "the form is not of this session; go back, reload the page and try again", status: .forbidden)
            }
            form["csrf"] = nil
        }
        let visit = AccountVisit(principal: principal, csrf: csrf, notice: cookies.notice)
        if path == ["logout"], isPost { return await logOut(principal) }
        if path.first == "live", !isPost { return follow(Array(path.dropFirst()), form, principal, request) }
        if path == ["audit.csv"], !isPost { return await downloadAudit(form, visit) }
        let query = isPost || form.all.isEmpty ? "" : "?\(FormFields.encode(form.all.map { ($0.name, $0.value) }))"
        let address = path.map { PercentEncoding.encode($0) }.joined(separator: "/") + query
        return isPost
            ? await act(path, form, address, visit) : await show(path, form, address, visit)
    }

    /// The account that requests a page, with its session.
    private struct AccountVisit {
        let principal: ManagementPrincipal
        let csrf: String
        let notice: String?
    }

    // MARK: Pages

    private func show(_ path: [String], _ fields: FormFields, _ address: String, _ visit: AccountVisit) async
        -> Response
    {
        guard let (page, parameters) = Self.page(path) else {
            return await response(.notFound, visit, current: nil, live: nil)
        }
        let call = ConsoleCall(
            api: api, principal: visit.principal, parameters: parameters, fields: fields, address: address)
        do {
            let view = try await Self.view(page, call)
            let isLive = view.sections.contains { $0.liveID != nil }
            return await response(view, visit, current: page.menu?.label, live: isLive ? address : nil)
        } catch {
            return await response(
                .problem(ConsoleError(error), isChange: false), visit, current: page.menu?.label, live: nil)
        }
    }

    /// The audit log as CSV, with the filter of its page.
    private func downloadAudit(_ fields: FormFields, _ visit: AccountVisit) async -> Response {
        let filter = Self.auditFilter.compactMap { name in
            fields[name].flatMap { $0.isEmpty ? nil : (name, $0) }
        }
        let call = ManagementCall(path: ["audit-log"], query: filter).asCSV
        let answer = await api.answer(call, as: visit.principal)
        guard answer.isProblem else { return Self.csv(answer.body) }
        let json = (try? JSONValue(parsing: answer.body)) ?? .null
        return await response(
            .problem(ConsoleError(status: answer.status, answer: json), isChange: false), visit, current: nil, live: nil
        )
    }

    /// - Throws: ``ConsoleError``.
    private static func view(_ page: ConsolePage, _ call: ConsoleCall) async throws -> ConsoleView {
        guard call.may(page.role) else {
            throw ConsoleError(
                status: 403,
                detail: "the account has the role \(call.principal.role.rawValue); expected \(page.role.rawValue)")
        }
        return try await page.view(call)
    }

    static func page(_ path: [String]) -> (ConsolePage, [String: String])? {
        for page in pages {
            if let parameters = page.pattern.match(path) { return (page, parameters) }
        }
        return nil
    }

    private func act(_ path: [String], _ fields: FormFields, _ address: String, _ visit: AccountVisit) async -> Response
    {
        let found = Self.actions.lazy.compactMap { action in action.pattern.match(path).map { (action, $0) } }.first
        guard let (action, parameters) = found else {
            return await response(.notFound, visit, current: nil, live: nil)
        }
        let call = ConsoleCall(
            api: api, principal: visit.principal, parameters: parameters, fields: fields, address: address)
        do {
            if let question = action.question, fields["confirmed"] == nil {
                return await response(.question(try await question(call), call), visit, current: nil, live: nil)
            }
            switch try await action.run(call) {
            case .view(let view): return await response(view, visit, current: nil, live: nil)
            case .done(let text, let page):
                return Self.redirect(page, cookies: [cookie(.notice(text))])
            }
        } catch {
            let problem = ConsoleError(error)
            guard error is ConsoleError, var view = try? await action.form?(call) else {
                return await response(.problem(problem, isChange: true), visit, current: nil, live: nil)
            }
            view.sections.insert(ConsoleSection([.paragraph([.text(problem.detail)], .bad)]), at: 0)
            view.status = problem.status
            return await response(view, visit, current: nil, live: nil)
        }
    }

    /// The name, mode and state of the server, as of now.
    private func strip() async -> ConsoleHeader {
        ConsoleHeader(
            name: installation.settings.serverName, mode: installation.settings.mode,
            report: await installation.currentHealth())
    }

    private func response(_ view: ConsoleView, _ visit: AccountVisit, current: String?, live: String?) async -> Response
    {
        var context: [String: Any] = [
            "title": view.title.printable, "csrf": visit.csrf, "strip": await strip().context,
            "sections": view.sections.map { $0.context(csrf: visit.csrf) },
            "account": ["name": visit.principal.account, "role": visit.principal.role.rawValue],
            "menu": ConsoleMenuEntry.Group.allCases.map { menu($0, visit, current: current) },
        ]
        context["live"] = live.map { "\(Self.root)/live/\($0)" }
        context["notice"] = visit.notice?.printable
        var response = Self.html(ConsolePages.render("page", context), status: .init(code: view.status))
        if visit.notice != nil { response.headers[values: .setCookie] = [cookie(.notice(nil))] }
        return response
    }

    private func menu(_ group: ConsoleMenuEntry.Group, _ visit: AccountVisit, current: String?) -> [String: Any] {
        [
            "heading": group.rawValue,
            "entries": Self.pages.filter { $0.menu?.group == group && visit.principal.role >= $0.role }.map {
                [
                    "href": ([Self.root] + $0.pattern.segments).joined(separator: "/"),
                    "label": $0.menu?.label ?? "", "current": $0.menu?.label == current,
                ] as [String: Any]
            },
        ]
    }

    // MARK: Live pages

    private func follow(
        _ path: [String], _ fields: FormFields, _ principal: ManagementPrincipal, _ request: Request
    ) -> Response {
        guard let (page, parameters) = Self.page(path), principal.role >= page.role, let session = principal.session
        else { return Self.plain("unknown page", status: .notFound) }
        let call = ConsoleCall(
            api: api, principal: ManagementPrincipal(account: "console", role: principal.role, address: ""),
            parameters: parameters, fields: fields, address: "")
        let key = LivePages.Key(path: path, query: request.uri.query ?? "", role: principal.role)
        let events = live.events(of: key, session: session) {
            let sections = try await Self.view(page, call).sections
            var parts = [(id: ConsoleHeader.id, html: ConsolePages.render("strip", await strip().context))]
            for section in sections {
                guard let id = section.liveID else { continue }
                parts.append((id, ConsolePages.render("section", section.context(csrf: ""))))
            }
            return parts
        }
        guard let events else {
            return Self.plain("too many live pages; close some", status: .serviceUnavailable)
        }
        var headers: HTTPFields = [.contentType: "text/event-stream", .cacheControl: "no-store"]
        // nginx passes on events at once.
        headers.set("X-Accel-Buffering", "no")
        return Response(
            status: .ok, headers: headers,
            body: ResponseBody { writer in
                for await event in events { try await writer.write(ByteBuffer(string: event)) }
                try await writer.finish(nil)
            })
    }

    // MARK: Login

    private func logIn(
        _ isPost: Bool, _ form: FormFields, _ cookies: ConsoleCookies, _ request: Request,
        _ context: ServerRequestContext
    ) async -> Response {
        let next = form["next"].flatMap(Self.checkedNext) ?? Self.root
        guard isPost else { return loginPage(next: next, name: nil, problem: nil) }
        guard let secret = cookies.login, form["csrf"]?.isSame(as: secret) == true else {
            return loginPage(next: next, name: form["account"], problem: "the page was open for too long; log in again")
        }
        let body: JSONValue = [
            "account": .string(form["account"] ?? ""), "password": .string(form["password"] ?? ""),
        ]
        let answer = await api.answer(
            ManagementCall("POST", "login", body: body),
            as: ManagementPrincipal(account: "", role: .monitor, address: clientAddress(request, context)))
        let json = try? JSONValue(parsing: answer.body)
        guard !answer.isProblem, let token = json?["token"]?.string else {
            return loginPage(next: next, name: form["account"], problem: json?["detail"]?.string ?? "")
        }
        return Self.redirect(next, cookies: [cookie(.session(token)), cookie(.login(nil))])
    }

    private func loginPage(next: String, name: String?, problem: String?) -> Response {
        let secret = ManagementAccess.newToken()
        let accounts = installation.security.accounts
        var view = ConsoleView.login(
            next: next, name: name, problem: problem, hasOpenID: accounts.openID != nil, csrf: secret)
        if problem != nil { view.status = 401 }
        let settings = installation.settings
        let context: [String: Any] = [
            "title": view.title, "csrf": "", "sections": view.sections.map { $0.context(csrf: secret) },
            "strip": ConsoleHeader(name: settings.serverName, mode: settings.mode, report: nil).context,
        ]
        var response = Self.html(ConsolePages.render("page", context), status: .init(code: view.status))
        response.headers[values: .setCookie] = [cookie(.login(secret))]
        return response
    }

    /// Leads a browser that has logged in at the OpenID Connect provider to the console, or says why it may not.
    package func finishLogin(token: String?, _ answer: ManagementAnswer, cookie ended: String) -> Response {
        guard let token else {
            let detail = (try? JSONValue(parsing: answer.body))?["detail"]?.string ?? ""
            var response = loginPage(next: Self.root, name: nil, problem: detail)
            response.headers[values: .setCookie].append(ended)
            return response
        }
        // The provider's redirect is of another site; the cookie is sent with the next request of this one.
        return Self.redirect(Self.root, cookies: [cookie(.session(token)), ended])
    }

    private func logOut(_ principal: ManagementPrincipal) async -> Response {
        _ = await api.answer(ManagementCall("POST", "logout"), as: principal)
        return Self.redirect("\(Self.root)/login", cookies: [cookie(.session(nil))])
    }

    /// Returns true if a request has the cookie of a session.
    package func hasSession(_ request: Request, _ context: ServerRequestContext) -> Bool {
        session(ConsoleCookies(request.headers, isSecure: isSecure), request, context) != nil
    }

    /// The account of the session's cookie.
    private func session(
        _ cookies: ConsoleCookies, _ request: Request, _ context: ServerRequestContext
    ) -> ManagementPrincipal? {
        cookies.session.flatMap { access.principal(session: $0, address: clientAddress(request, context)) }
    }

    private func loginNeeded(_ isPost: Bool, _ request: Request) -> Response {
        let asked = "\(request.uri.path)\(request.uri.query.map { "?\($0)" } ?? "")"
        let isPage = !isPost && !request.uri.path.hasPrefix("\(Self.root)/live")
        guard isPage, let next = Self.checkedNext(asked), next != Self.root else {
            return Self.redirect("\(Self.root)/login", cookies: [])
        }
        return Self.redirect("\(Self.root)/login?\(FormFields.encode([("next", next)]))", cookies: [])
    }

    /// The page to lead to after the login, if it is one of the console.
    private static func checkedNext(_ text: String) -> String? {
        let isOurs = text == root || text.hasPrefix("\(root)/") || text.hasPrefix("\(root)?")
        return isOurs && text.utf8.count < 2000 && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != 0x5C }
            ? text : nil
    }

    /// A form of a session has this value, which only pages of the session contain.
    static func csrf(_ token: String) -> String { ManagementAccess.hash("form \(token)") }

    private var isSecure: Bool { installation.settings.consoleAddress.hasPrefix("https:") }

    func cookie(_ cookie: ConsoleCookies.Cookie) -> String {
        cookie.header(isSecure: isSecure)
    }

    /// - Throws: ``ConsoleFormError``.
    private func body(_ request: Request, limit: Int?) async throws(ConsoleFormError) -> FormFields {
        let limit = limit ?? installation.settings.longestRequest
        guard request.headers[.contentType]?.lowercased().hasPrefix("application/x-www-form-urlencoded") == true else {
            throw ConsoleFormError(status: .unsupportedMediaType, text: "expected a form")
        }
        do {
            return FormFields(String(buffer: try await request.body.collect(upTo: limit)))
        } catch {
            throw ConsoleFormError(status: .contentTooLarge, text: "expected \(limit) bytes at most (limits.request)")
        }
    }
}

/// A form that is not read.
private struct ConsoleFormError: Error {
    let status: HTTPResponse.Status
    let text: String

    var response: Response { ConsoleSite.plain(text, status: status) }
}
