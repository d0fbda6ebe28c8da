/// The realms of a project, by name.
public struct RealmTable: Sendable {
    private let realms: [String: Realm]
    /// In the file's order.
    public let names: [String]

    public init(_ realms: [Realm]) {
        self.realms = Dictionary(realms.map { ($0.name, $0) }) { first, _ in first }
        names = realms.map(\.name)
    }

    public subscript(name: String) -> Realm? { realms[name] }

    /// True if any realm checks its users' identities.
    public var checksUsers: Bool {
        names.contains { name in
            switch realms[name]?.authenticator {
            case .adapter, .header, .bearer, .certificate: true
            case .script: if case .nonValidating = realms[name]?.loginModule { false } else { true }
            case .form, .basic: if case .nonValidating = realms[name]?.loginModule { false } else { true }
            case .persistentCookie, .unavailable, nil: false
            }
        }
    }

    /// The realms whose authenticator is a script, in the file's order.
    var scripted: [(realm: Realm, script: RealmScript)] {
        names.compactMap { name in
            guard let realm = realms[name], case .script(let script) = realm.authenticator else { return nil }
            return (realm, script)
        }
    }

    /// True if a realm's authenticator is a script, which may recognize its own requests.
    public var hasScripts: Bool { !scripted.isEmpty }

    /// The login page that a realm redirects to by that name.
    ///
    /// - Parameter preferred: the realm that counts if several have a page of that name.
    public func loginPage(named name: String, preferred: String?) -> LoginPage? {
        for realm in ([preferred].compactMap(\.self) + names) {
            if case .form(let form) = realms[realm]?.authenticator, form.redirect == .page(name: name) {
                return form.page
            }
        }
        return nil
    }

    /// The one form-based realm; `nil` when there are several or none.
    ///
    /// A form names no realm. In a new session, which has shown no form, it is for this realm.
    var onlyForm: Realm? {
        let forms = realms.values.filter { if case .form = $0.authenticator { true } else { false } }
        return forms.count == 1 ? forms.first : nil
    }
}
