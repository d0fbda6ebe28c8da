import Foundation
import NIOHTTP1
import TestSupport
import Testing

@Suite("Login pages before web apps", .defaultTimeLimit)
struct WebAppLoginTests {
    private static func files(test: String) -> [String: String] {
        LoginProject.files(realm: "PushAppRealm", slow: 0, eventSource: "").merging([
            "apps/MyApp/application-descriptor.xml": """
            <application id="MyApp" xmlns="http://www.worklight.com/application-descriptor">
            <desktopBrowser version="1.0" securityTest="\(test)"/></application>
            """,
            "apps/MyApp/desktopBrowser/www/default/index.html": "<p>secret page</p>",
            "apps/MyApp/desktopBrowser/www/default/orders.html": "<p>secret orders</p>",
        ]) { $1 }
    }

    private static let base = "/apps/services/www/MyApp/desktopbrowser"

    private func logIn(
        _ server: RunningServer, as user: String, _ password: String, cookies: String, from page: String
    ) async throws -> (status: Int, body: String, headers: HTTPHeaders) {
        try await server.send(
            .POST, Self.base + "/j_security_check", body: "j_username=\(user)&j_password=\(password)",
            type: "application/x-www-form-urlencoded",
            headers: [("Cookie", cookies), ("Referer", server.url + page), ("Origin", server.url)])
    }

    private func cookies(_ headers: HTTPHeaders) -> String {
        headers["set-cookie"].map { String($0.prefix { $0 != ";" }) }.joined(separator: "; ")
    }

    @Test("A page under a form's test shows the form, and after the login itself; others still see the form")
    func form() async throws {
        try await RunningServer.run(files: Self.files(test: "FormWeb")) { server in
            let asked = try await server.send(.GET, Self.base + "/orders.html")
            #expect(asked.status == 200 && asked.body.contains("j_security_check") && !asked.body.contains("secret"))
            let wrong = try await logIn(
                server, as: "bjones", "wrong", cookies: cookies(asked.headers), from: Self.base + "/orders.html")
            #expect(wrong.status == 200 && wrong.body.contains("j_security_check"))
            let right = try await logIn(
                server, as: "bjones", "password", cookies: cookies(asked.headers), from: Self.base + "/orders.html")
            #expect(right.status == 303 && right.headers["location"] == [Self.base + "/orders.html"])
            let page = try await server.send(
                .GET, Self.base + "/orders.html", headers: [("Cookie", cookies(right.headers))])
            #expect(page.body == "<p>secret orders</p>" && page.headers["cache-control"] == ["private, no-cache"])
            let tag = page.headers["etag"][0]
            // The former session's cookie, and somebody else with the page's entity tag.
            for headers in [[("Cookie", cookies(asked.headers))], []] {
                let other = try await server.send(
                    .GET, Self.base + "/orders.html", headers: headers + [("If-None-Match", tag)])
                #expect([200, 401].contains(other.status) && !other.body.contains("secret"), "\(other)")
            }
        }
    }

    @Test(
        "A login sends the browser to the page that showed the form, and nowhere else",
        arguments: [
            (
                "/apps/services/www/MyApp/desktopbrowser/orders.html?x=1",
                "/apps/services/www/MyApp/desktopbrowser/orders.html"
            ),
            ("//evil.example.com/", "/apps/services/www/MyApp/desktopbrowser/"),
            ("/console/", "/apps/services/www/MyApp/desktopbrowser/"),
            ("/apps/services/www/MyApp/desktopbrowser/%0d%0aX: y", "/apps/services/www/MyApp/desktopbrowser/"),
            ("/apps/services/www/MyApp/desktopbrowser/j_security_check", "/apps/services/www/MyApp/desktopbrowser/"),
        ])
    func target(page: String, target: String) async throws {
        try await RunningServer.run(files: Self.files(test: "FormWeb")) { server in
            let asked = try await server.send(.GET, Self.base + "/")
            let right = try await logIn(
                server, as: "bjones", "password", cookies: cookies(asked.headers), from: page)
            #expect(right.status == 303 && right.headers["location"] == [target])
        }
    }

    @Test("A form that another site's page sends logs nobody in")
    func forgery() async throws {
        try await RunningServer.run(files: Self.files(test: "FormWeb")) { server in
            let asked = try await server.send(.GET, Self.base + "/")
            let forged = try await server.send(
                .POST, Self.base + "/j_security_check", body: "j_username=bjones&j_password=password",
                type: "application/x-www-form-urlencoded",
                headers: [("Cookie", cookies(asked.headers)), ("Origin", "https://evil.example.com")])
            #expect(forged.status == 403)
            let page = try await server.send(.GET, Self.base + "/", headers: [("Cookie", cookies(asked.headers))])
            #expect(page.body.contains("j_security_check"))
        }
    }

    @Test("A page whose test has an adapter's realm is served, since its scripts log in")
    func adapter() async throws {
        try await RunningServer.run(files: Self.files(test: "AdapterWeb")) { server in
            let page = try await server.send(.GET, Self.base + "/")
            #expect(page.body == "<p>secret page</p>" && page.headers["cache-control"] == ["no-cache"])
            #expect(page.headers["set-cookie"].isEmpty)
        }
    }

    @Test("A page whose test is not defined is served to nobody")
    func undefined() async throws {
        try await RunningServer.run(files: Self.files(test: "NoSuchTest")) { server in
            let page = try await server.send(.GET, Self.base + "/")
            #expect(page.status == 403 && !page.body.contains("secret page"))
        }
    }
}
