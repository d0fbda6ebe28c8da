import AdapterRuntime
import Authentication
import Core

/// A client's identities by realm, in the form that clients read (wire-protocol 3.4).
struct RealmIdentities {
    let session: ServerSession
    let gate: RealmAuthenticator
    /// The version of the client's SDK: as of 6.3 an identity also names the device; before 6.1 it has `userName` and `loginName`,
    /// which those clients read for `getUserName` and `getLoginName` (wire-protocol 13).
    let version: PlatformVersion

    /// Returns the built-in realms that the session has passed.
    func passed(_ realms: some Sequence<BuiltInRealm>) -> JSONObject {
        var object = JSONObject()
        for realm in realms {
            if let identity = identity(in: realm) { object[realm.rawValue] = identity }
        }
        return object
    }

    /// The realms in the response to `init`.
    static let connection: [BuiltInRealm] = [.remoteDisable, .antiXSRF, .deviceNoProvisioning]

    /// Returns all realms, with and without an identity, in the order of the original.
    func all() -> JSONObject {
        var object = JSONObject()
        for realm in [BuiltInRealm.authenticity, .remoteDisable] { object[realm.rawValue] = either(realm) }
        for name in gate.realms.names { object[name] = user(in: name) }
        for realm in [BuiltInRealm.antiXSRF, .deviceAutoProvisioning, .deviceNoProvisioning] {
            object[realm.rawValue] = either(realm)
        }
        // The server's own realm: the user of the first realm that has one.
        object["myserver"] = session.client.realms.first.map(user) ?? nobody
        object[BuiltInRealm.anonymousUser.rawValue] = user(in: BuiltInRealm.anonymousUser.rawValue)
        return object
    }

    /// Returns the user's identity in one realm.
    func user(in realm: String) -> JSONValue {
        guard let identity = gate.identity(in: realm, of: session) else { return nobody }
        let userID = identity["userId"] ?? .null
        return make(
            userID: userID, displayName: identity["displayName"] ?? userID,
            attributes: identity["attributes"].flatMap(\.object).map { .object($0) } ?? [:],
            userName: identity["userName"], loginName: identity["loginName"])
    }

    private func either(_ realm: BuiltInRealm) -> JSONValue { identity(in: realm) ?? nobody }

    private func identity(in realm: BuiltInRealm) -> JSONValue? {
        switch realm {
        case .remoteDisable: make("WLRemoteDisableNullLoginModule")
        case .antiXSRF: make(session.instanceID)
        case .deviceNoProvisioning: session.device.map { make($0.id) }
        case .deviceAutoProvisioning, .authenticity, .directUpdate, .anonymousUser: nil
        }
    }

    private func make(_ id: String) -> JSONValue {
        make(userID: .string(id), displayName: .string(id), attributes: [:])
    }

    private var nobody: JSONValue { make(userID: .null, displayName: .null, attributes: [:], isUser: false) }

    private func make(
        userID: JSONValue, displayName: JSONValue, attributes: JSONValue, isUser: Bool = true,
        userName: JSONValue? = nil, loginName: JSONValue? = nil
    ) -> JSONValue {
        var object: JSONObject = [
            "userId": userID, "attributes": attributes, "isUserAuthenticated": isUser ? 1 : 0,
            "displayName": displayName,
        ]
        if version < PlatformVersion(major: 6, minor: 1) {
            // The user's id if an adapter sets no names, as 6.1 does.
            object["userName"] = userName ?? userID
            object["loginName"] = loginName ?? userID
        }
        if version >= PlatformVersion(major: 6, minor: 3) {
            object["deviceId"] = isUser ? session.device.map { .string($0.id) } ?? .null : .null
        }
        return .object(object)
    }
}
