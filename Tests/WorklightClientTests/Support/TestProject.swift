import TestSupport

/// A project with one native iOS application, whose users log in by a form, by an adapter, or not at all.
enum TestProject {
    enum Login: Sendable {
        case form, adapter, nobody

        fileprivate var test: String {
            switch self {
            case .form: "FormMobile"
            case .adapter: "AdapterMobile"
            case .nobody: "NobodyMobile"
            }
        }
    }

    static func make(_ login: Login) throws -> TemporaryFolder {
        try TemporaryFolder([
            "apps/MyNative/application-descriptor.xml": """
            <nativeIOSApp id="MyNative" platformVersion="5.0.6" version="1.0" securityTest="\(login.test)"
                xmlns="http://www.worklight.com/native-ios-descriptor">
              <displayName>N</displayName><pushSender password="p"/>
            </nativeIOSApp>
            """,
            "server/conf/authenticationConfig.xml": authentication(login),
            "server/conf/users": users,
            "adapters/demoAdapter/demoAdapter.xml": adapterXML(
                "demoAdapter", procedures: ["getDemoAccount", "fail", "big", "slow", "count"]
            ).replacing(
                "</wl:adapter>",
                with: """
                    <procedure name="secret" securityTest="SecretTest"/><procedure name="formSecret" securityTest="FormTest"/>
                    </wl:adapter>
                    """),
            "adapters/demoAdapter/demoAdapter-impl.js": demo,
            "adapters/AuthAdapter/AuthAdapter.xml": adapterXML("AuthAdapter", procedures: [])
                .replacing(
                    "</wl:adapter>",
                    with: "<procedure name=\"submitAuthentication\" securityTest=\"wl_unprotected\"/></wl:adapter>"),
            "adapters/AuthAdapter/AuthAdapter-impl.js": authAdapter,
            "adapters/PushAdapter/PushAdapter.xml": adapterXML(
                "PushAdapter", procedures: ["submitNotification", "devices"]),
            "adapters/PushAdapter/PushAdapter-impl.js": push,
        ])
    }

    private static func authentication(_ login: Login) -> String {
        func test(_ name: String, _ realm: String?) -> String {
            let user = realm.map { #"<testUser realm="\#($0)"/>"# } ?? ""
            return """
                <mobileSecurityTest name="\(name)Mobile"><testDeviceId provisioningType="none"/>\(user)</mobileSecurityTest>
                """
        }
        return """
            <tns:loginConfiguration xmlns:tns="http://www.worklight.com/auth/config">
            <securityTests>
            \(test("Form", "PushAppRealm")) \(test("Adapter", "AdapterRealm")) \(test("Nobody", nil))
            <customSecurityTest name="SecretTest"><test realm="AdapterRealm" isInternalUserID="true"/></customSecurityTest>
            <customSecurityTest name="FormTest"><test realm="PushAppRealm" isInternalUserID="true"/></customSecurityTest>
            </securityTests>
            <realms>
            <realm name="PushAppRealm" loginModule="Users">
              <className>com.worklight.core.auth.ext.FormBasedAuthenticator</className></realm>
            <realm name="AdapterRealm" loginModule="Adapter">
              <className>com.worklight.integration.auth.AdapterAuthenticator</className>
              <parameter name="login-function" value="AuthAdapter.onAuthRequired"/></realm>
            </realms>
            <loginModules>
            <loginModule name="Users"><className>lamplighter.PasswordFileLoginModule</className>
              <parameter name="file" value="server/conf/users"/></loginModule>
            <loginModule name="Adapter"><className>com.worklight.core.auth.ext.NonValidatingLoginModule</className></loginModule>
            </loginModules>
            </tns:loginConfiguration>
            """
    }

    /// The password is "password".
    private static let users = """
        bjones:$2b$04$abcdefghijklmnopqrstuughE8Ev8uGFaUgY2cNEySvxngrb/Jzdm
        """

    private static let demo = """
        function getDemoAccount() {
            var all = Array.prototype.slice.call(arguments);
            return { echo: all, types: all.map(function (a) { return a === null ? 'null' : typeof a; }) };
        }
        function fail() { throw new Error('boom'); }
        function big() { var s = ''; while (s.length < 30000) { s += 'lamplighter '; } return { text: s }; }
        function slow() { var end = Date.now() + 3000; while (Date.now() < end) {} return { done: true }; }
        var calls = 0;
        function count() { calls += 1; return { calls: calls }; }
        function secret() { return { secret: 42, user: WL.Server.getActiveUser('AdapterRealm').userId }; }
        function formSecret() { return { secret: 43, user: WL.Server.getActiveUser('PushAppRealm').userId }; }
        """

    private static let authAdapter = """
        function onAuthRequired(headers, errorMessage) {
            return { authRequired: true, errorMessage: errorMessage ? errorMessage : null };
        }
        function submitAuthentication(user, password) {
            if (user !== 'bjones' || password !== 'password') { return onAuthRequired(null, 'Invalid login credentials'); }
            WL.Server.setActiveUser('AdapterRealm', { userId: user, displayName: user, attributes: {} });
            return { authRequired: false };
        }
        """

    private static let push = """
        WL.Server.createEventSource({ name: 'PushEventSource' });
        function submitNotification(userId, text) {
            var subscription = WL.Server.getUserNotificationSubscription('PushAdapter.PushEventSource', userId);
            if (subscription === null) { return { result: 'No subscription found for user :: ' + userId }; }
            WL.Server.notifyAllDevices(subscription, WL.Server.createDefaultNotification(text, 1, { custom: 'data' }));
            return { result: 'Notification sent to user :: ' + userId };
        }
        function devices(userId) {
            var subscription = WL.Server.getUserNotificationSubscription('PushAdapter.PushEventSource', userId);
            return { devices: subscription === null ? [] : subscription.getDeviceSubscriptions() };
        }
        """
}
