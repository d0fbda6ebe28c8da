import TestSupport

/// A project whose users are known by their requests' headers: by Basic, by a proxy, or by a provider's tokens.
enum RealmProject {
    /// - Parameter issuer: of the tokens.
    static func make(issuer: String) throws -> TemporaryFolder {
        try TemporaryFolder([
            "adapters/A/A.xml": adapterXML("A", procedures: ["who"]).replacing(
                "</wl:adapter>",
                with: ["Basic", "Proxy", "Token"].map { "<procedure name=\"of\($0)\" securityTest=\"\($0)\"/>" }
                    .joined()
                    + "</wl:adapter>"),
            "adapters/A/A-impl.js": """
            function user(realm) { var u = WL.Server.getActiveUser(realm); return u === null ? null : u; }
            function who() { return { users: [user('Basic'), user('Proxy'), user('Token')] }; }
            function ofBasic() { return { user: user('Basic').userId }; }
            function ofProxy() { return { user: user('Proxy').userId, name: user('Proxy').displayName }; }
            function ofToken() { return { user: user('Token').userId }; }
            """,
            "apps/MyApp/application-descriptor.xml": """
            <application id="MyApp" platformVersion="6.2.0.0" xmlns="http://www.worklight.com/application-descriptor">
            <displayName>App</displayName><android version="1.0"/><mobileWebApp version="1.0"/></application>
            """,
            "apps/MyNative/application-descriptor.xml": """
            <nativeAndroidApp id="MyNative" platformVersion="7.1" version="1.0"
                xmlns="http://www.worklight.com/native-android-descriptor"><displayName>N</displayName></nativeAndroidApp>
            """,
            // The password is "password".
            "server/conf/users": "bjones:$2b$04$abcdefghijklmnopqrstuughE8Ev8uGFaUgY2cNEySvxngrb/Jzdm",
            "server/conf/authenticationConfig.xml": authentication(issuer),
        ])
    }

    private static func authentication(_ issuer: String) -> String {
        let tests = ["Basic", "Proxy", "Token"].map { realm in
            """
            <customSecurityTest name="\(realm)"><test realm="wl_antiXSRFRealm" step="1"/>
            <test realm="\(realm)" isInternalUserID="true" step="2"/></customSecurityTest>
            """
        }
        return """
            <tns:loginConfiguration xmlns:tns="http://www.worklight.com/auth/config">
            <securityTests>\(tests.joined())</securityTests>
            <realms>
            <realm name="Basic" loginModule="Users">
              <className>com.worklight.core.auth.ext.BasicAuthenticator</className>
              <parameter name="basic-realm-name" value="The office"/></realm>
            <realm name="Proxy" loginModule="Header">
              <className>com.worklight.core.auth.ext.HeaderAuthenticator</className></realm>
            <realm name="Token" loginModule="Provider"><className>lamplighter.BearerAuthenticator</className></realm>
            </realms>
            <loginModules>
            <loginModule name="Users"><className>lamplighter.PasswordFileLoginModule</className>
              <parameter name="file" value="server/conf/users"/></loginModule>
            <loginModule name="Header"><className>com.worklight.core.auth.ext.HeaderLoginModule</className>
              <parameter name="user-name-header" value="X-User"/>
              <parameter name="display-name-header" value="X-Name"/></loginModule>
            <loginModule name="Provider"><className>lamplighter.OpenIDConnectLoginModule</className>
              <parameter name="issuer" value="\(issuer)"/><parameter name="audience" value="MyApp"/></loginModule>
            </loginModules>
            </tns:loginConfiguration>
            """
    }
}
