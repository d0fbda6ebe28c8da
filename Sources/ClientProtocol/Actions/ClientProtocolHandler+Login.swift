import AdapterRuntime
import Authentication
import Core
import HTTPServer
import HTTPTypes
import Installation
import Logging
import NIOCore
import PushModel

/// Logging in and out (wire-protocol 6).
extension ClientProtocolHandler {
    /// The longest form, in bytes. A form waits with its body while password checks are delayed.
    static let longestForm = 65_536

    /// Takes a posted login form. It carries no `WL-Instance-Id`, and names no realm.
    ///
    /// Only a posted form counts: a page of another site must not be able to log a user in, perhaps with the attacker's account, and the contents of
    /// a URL end up in logs and histories.
    ///
    /// - Parameter success: the response to a login.
    func submitForm(
        _ exchange: ClientRequestContext, then success: Response = ClientProtocolResponse.empty
    ) async -> Response {
        if let application = exchange.application ?? exchange.session.application,
            let block = handshake.block(application) ?? handshake.block(exchange.session, of: application.id)
        {
            return block
        }
        guard exchange.head.method == .post else {
            var response = ClientProtocolResponse.failure(.unexpected, "expected POST", status: .methodNotAllowed)
            response.headers[.allow] = "POST"
            return response
        }
        guard !mayBeForged(exchange) else {
            security.log.log(
                "cross-site login", at: .notice, metadata: ["address": "\(exchange.call.address)"],
                "a login was refused: a page of another site may have sent it")
            return Self.crossSiteRefusal
        }
        guard exchange.body.readableBytes <= Self.longestForm else {
            return ClientProtocolResponse.failure(
                .unexpected, "the login form is longer than \(Self.longestForm) bytes", status: .contentTooLarge)
        }
        guard let user = exchange.fields["j_username"], let password = exchange.fields["j_password"] else {
            return ClientProtocolResponse.page(LoginPage.standard.html(error: "Enter a user name and a password."))
        }
        switch await security.gate.submitForm(user: user, password: password, exchange.visit) {
        case .loggedIn: return success
        case .page(let html): return ClientProtocolResponse.page(html)
        case .redirect(let redirect): return ClientProtocolResponse.redirect(to: redirect, under: contextRoot)
        case .tooMany(let html, let error):
            // Clients know the form by its page.
            var response = ClientProtocolResponse.page(html, status: .tooManyRequests)
            response.headers[.retryAfter] = "\(error.retryAfter.components.seconds)"
            return response
        }
    }

    /// Native clients send nothing that distinguishes them from a page in an old browser. But they name their environment in
    /// the path, or have a session in which they did or were shown the form.
    func mayBeForged(_ exchange: ClientRequestContext) -> Bool {
        let page = PageOrigin(of: exchange.head, for: exchange.call.host)
        guard page.isUnknown else { return page.isCrossSite }
        return exchange.session.hasServedBrowser
            || exchange.application?.environment.isBrowser ?? (exchange.session.pendingRealm == nil)
    }

    /// Logs out of the realm that is named, or else of those of the application.
    func logOut(_ exchange: ClientRequestContext) async -> Response {
        if let realm = exchange.fields["realm"], !realm.isEmpty {
            if BuiltInRealm(rawValue: realm) == nil || realm == BuiltInRealm.anonymousUser.rawValue {
                await security.gate.logOut(of: realm, exchange.visit)
            }
        } else {
            let own = exchange.application.map(security.policy.userRealms) ?? []
            for realm in own.isEmpty ? exchange.session.client.realms : own {
                await security.gate.logOut(of: realm, exchange.visit)
            }
        }
        return ClientProtocolResponse.success
    }

    /// The realms whose users count for code that a test guards, whether or not they were checked: the test's and the application's.
    private func namedRealms(_ exchange: ClientRequestContext, test: String?) -> [String] {
        (test.flatMap(security.policy.userRealm).map { [$0] } ?? [])
            + (exchange.application.map(security.policy.userRealms) ?? [])
    }

    /// Returns the user for whom an adapter's code with this test acts: the user in the test's realm, else in one of the
    /// application's. If none of them has a user, a checked user of any other realm counts, since a realm that no test names may
    /// accept any name. In a project in which no realm checks its users, every user counts.
    ///
    /// - Returns: `nil` without a login.
    func loggedIn(_ exchange: ClientRequestContext, test: String?) -> RealmUser? {
        let session = exchange.session
        let named = namedRealms(exchange, test: test)
        let others = security.gate.realms.checksUsers ? session.checkedRealms : session.client.realms
        // Realms without a login have the client's own id, which shows no more than its cookie does.
        return (named + others).lazy.compactMap { security.gate.user(in: $0, of: session) }
            .first { $0.id != session.persistentID }
    }

    /// Returns the users of the client: those of the test's and the application's realms, checked users of other realms, and the
    /// client itself.
    func users(_ exchange: ClientRequestContext, test: String? = nil) -> Set<RealmUser> {
        let session = exchange.session
        let realms = Set(namedRealms(exchange, test: test) + session.checkedRealms)
        return Set(realms.compactMap { security.gate.user(in: $0, of: session) })
            .union([RealmUser(id: session.persistentID, realm: nil)])
    }

    /// The user as ``loggedIn(_:test:)`` finds it; a client without a login is a user by its own id.
    func user(_ exchange: ClientRequestContext, test: String?) -> RealmUser {
        loggedIn(exchange, test: test) ?? RealmUser(id: exchange.session.persistentID, realm: nil)
    }
}
