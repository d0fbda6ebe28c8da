import AdapterRuntime
import Authentication
import Hummingbird
import PushModel

/// Logging in and out (wire-protocol 6).
extension WireServer {
    /// Takes a posted login form. It carries no `WL-Instance-Id`, and names no realm.
    func submitForm(_ exchange: Exchange) async -> Response {
        guard let user = exchange.fields["j_username"], let password = exchange.fields["j_password"] else {
            return WireAnswer.page(LoginPage.standard.html(error: "Enter a user name and a password."))
        }
        switch await security.gate.submitForm(user: user, password: password, exchange.visit) {
        case .loggedIn: return WireAnswer.empty
        case .page(let html): return WireAnswer.page(html)
        }
    }

    /// Logs out of the realm that is named, or else of those of the application.
    func logOut(_ exchange: Exchange) async -> Response {
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
        return WireAnswer.success
    }

    /// The user that is meant by what a test guards: who is logged in to the test's user realm, else to one of the
    /// application's.
    func userID(_ exchange: Exchange, test: String?) -> String? {
        let realms =
            (test.flatMap(security.policy.userRealm).map { [$0] } ?? [])
            + (exchange.application.map(security.policy.userRealms) ?? []) + exchange.session.client.realms
        return realms.lazy.compactMap { realm in
            security.gate.identity(in: realm, of: exchange.session)?["userId"]?.string
        }.first
    }
}
