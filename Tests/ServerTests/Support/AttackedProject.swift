import Core
import TestSupport

@testable import Installation

/// A project with a bit of everything that somebody might attack: users in several realms, an application for browsers and
/// for phones, and an adapter that remembers.
enum AttackedProject {
    static let files = [
        "adapters/A/A.xml": adapter, "adapters/A/A-impl.js": script,
        "apps/App/application-descriptor.xml": application, "server/conf/authenticationConfig.xml": authentication,
        "server/conf/users": users,
    ]

    /// Without an application that needs credentials of push services, so that it runs in production.
    static let production = files.filter { !$0.key.hasPrefix("apps/") }

    /// Ann's is `right-ann-secret`, Bob's `right-bob-secret`.
    private static let users = """
        ann:$2b$04$abcdefghijklmnopqrstuu6iecV5fhPLsH8OdWvKnScRCqnM.doUO
        bob:$2b$04$bbcdefghijklmnopqrstuuDrBzRzPyJLyOhSHiHkRTdrycDU7mEBW
        """

    private static let application = """
        <application id="App" platformVersion="6.2.0.0" xmlns="http://www.worklight.com/application-descriptor">
        <displayName>App</displayName>
        <android version="1.0"><pushSender key="" senderId="42"/></android>
        <desktopBrowser version="1.0"/>
        <tags><tag><name>news</name></tag></tags>
        </application>
        """

    private static let adapter = """
        <wl:adapter xmlns:wl="http://www.worklight.com/integration" name="A">
        <procedure name="echo"/><procedure name="keep"/><procedure name="kept"/><procedure name="header"/>
        <procedure name="polluted"/><procedure name="context"/>
        <procedure name="submit" securityTest="wl_unprotected"/>
        <procedure name="ofForms" securityTest="Forms"/><procedure name="ofAdapters" securityTest="Adapters"/>
        <procedure name="ofBasic" securityTest="Basic"/><procedure name="ofProxy" securityTest="Proxy"/>
        <procedure name="ofNobody" securityTest="Missing"/>
        </wl:adapter>
        """

    private static let script = """
        var value = 'nothing';
        WL.Server.createEventSource({ name: 'Open' });
        WL.Server.createEventSource({ name: 'Guarded', securityTest: 'Forms' });
        function echo() { return { got: Array.prototype.slice.call(arguments) } }
        function keep(text) { value = text; return {} }
        function kept() { return { value: value } }
        function header(name, text) { WL.Server.addResponseHeader(name, text); return {} }
        function polluted(object) {
            return { own: ({}).polluted === undefined && [].polluted === undefined, text: JSON.stringify(object) };
        }
        function context() { return { known: WL.Server.getClientDeviceContext() !== null } }
        function ofForms() { return { user: WL.Server.getActiveUser('Forms').userId } }
        function ofAdapters() { return { user: WL.Server.getActiveUser('Adapters').userId } }
        function ofBasic() { return { user: WL.Server.getActiveUser('Basic').userId } }
        function ofProxy() { return { user: WL.Server.getActiveUser('Proxy').userId } }
        function ofNobody() { return { reached: true } }
        function submit(user, password) {
            if (password !== 'adapter-secret') throw new Error('the password is wrong');
            WL.Server.setActiveUser('Adapters', { userId: user, displayName: user, attributes: {} });
            return { authRequired: false };
        }
        function onAuthRequired(headers, message) { return { authRequired: true, errorMessage: message } }
        function onLogout() { WL.Server.setActiveUser('Adapters', null) }
        function helper() { return { reached: true } }
        """

    private static let authentication = """
        <tns:loginConfiguration xmlns:tns="http://www.worklight.com/auth/config">
        <securityTests>
        \(test("Forms"))\(test("Adapters"))\(test("Basic"))\(test("Proxy"))
        </securityTests>
        <realms>
        \(realm("Forms", "FormBasedAuthenticator", module: "Users"))
        \(realm("Basic", "BasicAuthenticator", module: "Users"))
        \(realm("Proxy", "HeaderAuthenticator", module: "Header"))
        \(realm("Unused", "BasicAuthenticator", module: "Believing"))
        <realm name="Adapters" loginModule="Believing">
        <className>com.worklight.integration.auth.AdapterAuthenticator</className>
        <parameter name="login-function" value="A.onAuthRequired"/>
        <parameter name="logout-function" value="A.onLogout"/>
        </realm>
        </realms>
        <loginModules>
        <loginModule name="Users"><className>lamplighter.PasswordFileLoginModule</className>
        <parameter name="file" value="server/conf/users"/></loginModule>
        <loginModule name="Header"><className>com.worklight.core.auth.ext.HeaderLoginModule</className>
        <parameter name="user-name-header" value="X-User"/></loginModule>
        <loginModule name="Believing"><className>com.worklight.core.auth.ext.NonValidatingLoginModule</className></loginModule>
        </loginModules>
        </tns:loginConfiguration>
        """

    private static func test(_ realm: String) -> String {
        """
        <customSecurityTest name="\(realm)"><test realm="\(realm)" isInternalUserID="true"/></customSecurityTest>
        """
    }

    private static func realm(_ name: String, _ authenticator: String, module: String) -> String {
        """
        <realm name="\(name)" loginModule="\(module)"><className>com.worklight.core.auth.ext.\(authenticator)</className></realm>
        """
    }
}

extension RunningServer {
    /// Runs `body` against a server on the ``AttackedProject``.
    static func attacked(
        over version: WireProtocol = .http1, time: any TimeSource = SystemTime(), log: LogRecorder? = nil,
        change: (inout InstallationSettings) -> Void = { _ in },
        _ body: @Sendable (RunningServer) async throws -> Void
    ) async throws {
        try await run(files: AttackedProject.files, over: version, time: time, log: log, change: change, body)
    }
}
