/// A project whose users log in by a form (`PushAppRealm`) or by an adapter (`AdapterRealm`): the users, and adapters that log in, return
/// results and notify.
public enum LoginProject {
    /// Returns the files of the project.
    ///
    /// - Parameters:
    ///   - realm: the realm of the security test `PushTest`.
    ///   - slow: the duration of the procedure `slow`, in milliseconds.
    ///   - eventSource: further members of the event source's options, each with a comma before it.
    /// - Returns: the contents of the files, keyed by their paths.
    public static func files(realm: String, slow: Int, eventSource: String) -> [String: String] {
        [
            "server/conf/authenticationConfig.xml": authentication(realm: realm),
            "server/conf/users": users,
            "adapters/demoAdapter/demoAdapter.xml": guarded(
                "demoAdapter", ["secret": "SecretTest", "formSecret": "FormTest", "doublySecret": "DoubleTest"],
                open: ["getDemoAccount", "fail", "big", "who", "surroundings", "count", "scalar", "slow"]),
            "adapters/demoAdapter/demoAdapter-impl.js": demo(slow: slow),
            "adapters/AuthAdapter/AuthAdapter.xml": guarded(
                "AuthAdapter", ["submitAuthentication": "wl_unprotected"], open: []),
            "adapters/AuthAdapter/AuthAdapter-impl.js": authAdapter,
            "adapters/PushAdapter/PushAdapter.xml": adapterXML(
                "PushAdapter", procedures: ["submitNotification", "devices", "broadcast"]),
            "adapters/PushAdapter/PushAdapter-impl.js": push(eventSource),
        ]
    }

    private static func authentication(realm: String) -> String {
        func tests(_ name: String, _ realm: String?) -> String {
            let user = realm.map { #"<testUser realm="\#($0)"/>"# } ?? ""
            return """
                <mobileSecurityTest name="\(name)Mobile"><testDeviceId provisioningType="none"/>\(user)</mobileSecurityTest>
                <webSecurityTest name="\(name)Web">\(user)</webSecurityTest>
                """
        }
        return """
            <tns:loginConfiguration xmlns:tns="http://www.worklight.com/auth/config">
            <securityTests>
            \(tests("Form", "PushAppRealm")) \(tests("Adapter", "AdapterRealm"))
            <mobileSecurityTest name="NobodyMobile"><testDeviceId provisioningType="none"/></mobileSecurityTest>
            <customSecurityTest name="NobodyWeb"><test realm="wl_antiXSRFRealm" step="1"/></customSecurityTest>
            <customSecurityTest name="PushTest"><test realm="wl_antiXSRFRealm" step="1"/>
              <test realm="wl_deviceNoProvisioningRealm" isInternalDeviceID="true" step="1"/>
              <test realm="\(realm)" isInternalUserID="true" step="2"/></customSecurityTest>
            <customSecurityTest name="SecretTest"><test realm="AdapterRealm" isInternalUserID="true"/></customSecurityTest>
            <customSecurityTest name="FormTest"><test realm="PushAppRealm" isInternalUserID="true"/></customSecurityTest>
            <customSecurityTest name="DoubleTest"><test realm="AdapterRealm" step="2"/><test realm="PushAppRealm" step="1"/>
            </customSecurityTest>
            </securityTests>
            <realms>
            <realm name="PushAppRealm" loginModule="Users">
              <className>com.worklight.core.auth.ext.FormBasedAuthenticator</className></realm>
            <realm name="AdapterRealm" loginModule="Adapter">
              <className>com.worklight.integration.auth.AdapterAuthenticator</className>
              <parameter name="login-function" value="AuthAdapter.onAuthRequired"/>
              <parameter name="logout-function" value="AuthAdapter.onLogout"/></realm>
            </realms>
            <loginModules>
            <loginModule name="Users"><className>lamplighter.PasswordFileLoginModule</className>
              <parameter name="file" value="server/conf/users"/></loginModule>
            <loginModule name="Adapter"><className>com.worklight.core.auth.ext.NonValidatingLoginModule</className></loginModule>
            </loginModules>
            </tns:loginConfiguration>
            """
    }

    /// The passwords are "password" and "secret".
    private static let users = """
        bjones:$2b$04$abcdefghijklmnopqrstuughE8Ev8uGFaUgY2cNEySvxngrb/Jzdm
        ann:$2b$04$abcdefghijklmnopqrstuu2r9OfJnfCsdneAXAGHnS4UpFFP8WIrW
        """

    private static func guarded(_ name: String, _ tests: [String: String], open: [String]) -> String {
        let procedures = tests.sorted { $0.key < $1.key }.map {
            "<procedure name=\"\($0.key)\" securityTest=\"\($0.value)\"/>"
        }
        return adapterXML(name, procedures: open)
            .replacing("</wl:adapter>", with: procedures.joined() + "</wl:adapter>")
    }

    private static func demo(slow milliseconds: Int) -> String {
        """
        function getDemoAccount() {
            var all = Array.prototype.slice.call(arguments);
            return { echo: all, types: all.map(function (a) { return a === null ? 'null' : typeof a; }) };
        }
        function fail() { throw new Error('boom'); }
        function big() { var s = ''; while (s.length < 30000) { s += 'lamplighter '; } return { text: s }; }
        function who(realm) { var u = WL.Server.getActiveUser(realm); return { user: u === null ? null : u.userId }; }
        function secret() { return { secret: 42, user: WL.Server.getActiveUser('AdapterRealm').userId }; }
        function formSecret() { return { secret: 43, user: WL.Server.getActiveUser('PushAppRealm').userId }; }
        function doublySecret() { return { secret: 44 }; }
        function surroundings() { return { context: WL.Server.getClientDeviceContext() }; }
        var calls = 0;
        function count() { calls += 1; return { calls: calls }; }
        function slow() { var end = Date.now() + \(milliseconds); while (Date.now() < end) {} return { done: true }; }
        function scalar() { return 7; }
        """
    }

    private static let authAdapter = """
        function onAuthRequired(headers, errorMessage) {
            return { authRequired: true, errorMessage: errorMessage ? errorMessage : null };
        }
        function submitAuthentication(user, password) {
            var known = { bjones: 'password', ann: 'secret' };
            if (/^user-\\d+$/.test(user)) { known[user] = 'secret'; }
            if (known[user] !== password) { return onAuthRequired(null, 'Invalid login credentials'); }
            WL.Server.setActiveUser('AdapterRealm', null);
            WL.Server.setActiveUser('AdapterRealm', { userId: user, displayName: user, attributes: { city: 'Köln' } });
            return { authRequired: false };
        }
        function onLogout() { WL.Server.setActiveUser('AdapterRealm', null); }
        """

    private static func push(_ options: String) -> String {
        """
        WL.Server.createEventSource({ name: 'PushEventSource'\(options) });
        WL.Server.createEventSource({ name: 'Locked', onUserChange: 'locked' });
        WL.Server.createEventSource({ name: 'Open' });
        function changed(options) { return { isSuccessful: true, previous: options.previousUserId }; }
        function locked() { return { isSuccessful: false, why: 'not yours' }; }
        function submitNotification(userId, text) {
            var subscription = WL.Server.getUserNotificationSubscription('PushAdapter.PushEventSource', userId);
            if (subscription === null) { return { result: 'No subscription found for user :: ' + userId }; }
            WL.Server.notifyAllDevices(subscription, WL.Server.createDefaultNotification(text, 1, { custom: 'data' }));
            return { result: 'Notification sent to user :: ' + userId };
        }
        function devices(source, userId) {
            var subscription = WL.Server.getUserNotificationSubscription('PushAdapter.' + source, userId);
            return { devices: subscription === null ? [] : subscription.getDeviceSubscriptions() };
        }
        function broadcast(tag) {
            WL.Server.sendMessage('MyApp', { message: { alert: 'to ' + tag }, target: { tagNames: [tag] } });
        }
        """
    }
}
