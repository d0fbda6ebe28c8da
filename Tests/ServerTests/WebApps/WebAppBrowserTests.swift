import Foundation
import Installation
import TestSupport
import Testing

@Suite("Web apps in a browser", .long, .defaultTimeLimit)
struct WebAppBrowserTests {
    /// The conversation of the original's client in a browser (transcripts of 6.2): `init` with its challenge, the login, and a procedure.
    private static let client = """
        WL = {}; WL.StaticAppProps = { "APP_ID": "MyApp", "WORKLIGHT_ROOT_URL": "/Old/apps/services/api/MyApp/desktopbrowser/",
          "APP_SERVICES_URL": "/Old/apps/services/" };
        var instance = null;
        function send(url, fields) {
          var request = new XMLHttpRequest();
          request.open('POST', url, false);
          request.setRequestHeader('X-Requested-With', 'XMLHttpRequest');
          request.setRequestHeader('x-wl-app-version', '1.0');
          request.setRequestHeader('Content-Type', 'application/x-www-form-urlencoded; charset=UTF-8');
          if (instance) { request.setRequestHeader('WL-Instance-Id', instance); }
          request.send(fields + '&isAjaxRequest=true&x=' + Math.random());
          var body = request.responseText.replace(/^\\/\\*-secure-\\n/, '').replace(/\\*\\/\\s*$/, '');
          if (request.status === 401) {
            instance = JSON.parse(body).challenges.wl_antiXSRFRealm['WL-Instance-Id'];
            return send(url, fields);
          }
          return body;
        }
        function say(text) { var line = document.createElement('p'); line.textContent = text; document.body.appendChild(line); }
        function call(action, fields) {
          var url = WL.StaticAppProps.WORKLIGHT_ROOT_URL + action;
          var answer = send(url, fields);
          if (answer.indexOf('j_security_check') < 0) { return answer; }
          say('asked to log in');
          send(WL.StaticAppProps.APP_SERVICES_URL + 'j_security_check', 'j_username=bjones&j_password=password');
          return send(url, fields);
        }
        function start() {
          say('connected: ' + ('userInfo' in JSON.parse(call('init', 'a=1'))));
          say('result: ' + call('query', 'adapter=demoAdapter&procedure=formSecret&parameters=[]'));
        }
        """

    private static func files(test: String, login: String? = nil) -> [String: String] {
        var files = LoginProject.files(realm: "PushAppRealm", slow: 0, eventSource: "")
        files["apps/MyApp/application-descriptor.xml"] = """
            <application id="MyApp" xmlns="http://www.worklight.com/application-descriptor">
            <desktopBrowser version="1.0"\(test)/></application>
            """
        files["apps/MyApp/desktopBrowser/www/default/index.html"] = """
            <!DOCTYPE html><html><head><title>Shop</title><link rel="stylesheet" href="css/a.css"><script>\(client)</script></head>
            <body><script src="js/start.js"></script></body></html>
            """
        files["apps/MyApp/desktopBrowser/www/default/js/start.js"] = "start();"
        files["apps/MyApp/desktopBrowser/www/default/css/a.css"] = "p { color: green }"
        guard let login else { return files }
        files["server/conf/login.html"] = login
        files["server/conf/authenticationConfig.xml"]?.replace(
            "FormBasedAuthenticator</className>",
            with: #"FormBasedAuthenticator</className><parameter name="login-page" value="login.html"/>"#)
        return files
    }

    private func document(_ files: [String: String]) async throws -> String {
        let page = AwaitableValue("")
        try await RunningServer.run(files: files, change: { $0.contextRoot = "/shop" }) { server in
            let text = try await Browser.document(at: server.url + "/shop/apps/services/www/MyApp/desktopbrowser/")
            page.update { $0 = text }
        }
        return page.value
    }

    private static let result = #"result: {"isSuccessful":true,"secret":43,"user":"bjones"}"#

    @Test("A page connects, logs in by its own form, and calls a procedure")
    func page() async throws {
        let document = try await document(Self.files(test: ""))
        #expect(document.contains("<p>connected: true</p><p>asked to log in</p>"), "\(document)")
        #expect(document.contains("<p>\(Self.result)</p>"), "\(document)")
    }

    @Test("A page under a form's test comes after the login page, and the login counts for its calls")
    func afterLogin() async throws {
        // The user of this login page types at once.
        let login = """
            <html><body><form method="post" action="j_security_check"><input name="j_username" value="bjones">
            <input name="j_password" value="password"></form><script>document.forms[0].submit();</script></body></html>
            """
        let document = try await document(Self.files(test: #" securityTest="FormWeb""#, login: login))
        #expect(!document.contains("<p>asked to log in") && document.contains("<p>\(Self.result)</p>"), "\(document)")
    }
}
