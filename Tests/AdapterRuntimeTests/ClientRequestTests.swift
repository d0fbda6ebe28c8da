import AdapterRuntime
import Core
import Testing

@Suite("WL.Server.getClientRequest and addResponseHeader")
struct ClientRequestTests {
    private let caller = Caller(
        session: ClientSession(id: "session-1"),
        request: ClientRequest(
            method: "POST", url: "https://example.com:8443/wl/invoke/x%20y", query: "a=1&b=2", contextPath: "/wl",
            headers: [
                ("User-Agent", "Phone"), ("x-wl-device-id", "d1"), ("Cookie", "JSESSIONID=s; theme=dark"),
                ("Accept", "a/b"), ("accept", "c/d"), ("Content-Type", "text/plain; charset=\"utf-8\""),
                ("Content-Length", "12"),
            ],
            parameters: [("a", "1"), ("b", "2"), ("a", "3")], remoteAddress: "192.0.2.7"))

    /// Returns the value of an expression over the request `r`.
    private func value(_ expression: String) async throws -> String {
        let project = try await TestProject(
            "function run() { var r = WL.Server.getClientRequest(); return { v: \(expression) } }")
        let answer = await project.call(as: caller)
        return answer.replacing(#"{"isSuccessful":true,"v":"#, with: "").dropLast().description
    }

    @Test(
        "The request's methods return the data that the client sent",
        arguments: [
            ("r.getMethod()", #""POST""#), ("r.getHeader('user-agent')", #""Phone""#),
            ("r.getHeader('X-WL-Device-Id')", #""d1""#), ("r.getHeader('none')", "null"),
            ("r.getRequestURL().toString()", #""https://example.com:8443/wl/invoke/x%20y""#),
            ("r.getRequestURI()", #""/wl/invoke/x%20y""#), ("r.getQueryString()", #""a=1&b=2""#),
            ("r.getContextPath()", #""/wl""#), ("r.getPathInfo()", #""/invoke/x y""#),
            ("r.getServerName()", #""example.com""#), ("r.getServerPort()", "8443"), ("r.getScheme()", #""https""#),
            ("r.isSecure()", "true"), ("r.getProtocol()", #""HTTP/1.1""#), ("r.getRemoteAddr()", #""192.0.2.7""#),
            ("r.getContentType()", #""text/plain; charset=\"utf-8\"""#), ("r.getCharacterEncoding()", #""utf-8""#),
            ("r.getContentLength()", "12"), ("r.getParameter('a')", #""1""#), ("r.getParameter('z')", "null"),
            ("r.getParameterValues('a')", #"["1","3"]"#), ("r.getParameterValues('z')", "null"),
            ("r.getParameterMap()['a']", #"["1","3"]"#), ("r.getIntHeader('Content-Length')", "12"),
            ("r.getIntHeader('none')", "-1"), ("'' + r.getLocale()", #""en_US""#), ("r.getAttribute('a')", "null"),
            ("r.getCookies()[1].getName() + '=' + r.getCookies()[1].getValue()", #""theme=dark""#),
            ("r.getSession().getId()", #""session-1""#), ("r.getUserPrincipal()", "null"),
        ])
    func method(expression: String, expected: String) async throws {
        #expect(try await value(expression) == expected)
    }

    @Test("returns an enumeration for each method that returns an Enumeration in Java")
    func enumeration() async throws {
        let loop = "(function (e) { var l = []; while (e.hasMoreElements()) l.push(e.nextElement()); return l.join() })"
        #expect(try await value("\(loop)(r.getHeaders('ACCEPT'))") == #""a/b,c/d""#)
        #expect(try await value("\(loop)(r.getParameterNames())") == #""a,b""#)
        #expect(try await value("r.getHeaders('none').hasMoreElements()") == "false")
        #expect(
            try await value("r.getHeaders('none').nextElement()").contains("nextElement: there are no more elements"))
    }

    @Test("the user principal has the name of the logged-in user")
    func principal() async throws {
        try caller.session?.setIdentity(["userId": "bob"], in: "R")
        #expect(try await value("r.getUserPrincipal().getName()") == #""bob""#)
        #expect(try await value("r.getRemoteUser()") == #""bob""#)
    }

    @Test("attributes of the session object remain in the session")
    func attributes() async throws {
        _ = try await value("r.getSession().setAttribute('list', [1, { a: 2 }])")
        #expect(try await value("r.getSession().getAttribute('list')") == #"[1,{"a":2}]"#)
        #expect(try await value("r.getSession().getAttributeNames().nextElement()") == #""list""#)
        _ = try await value("r.getSession().removeAttribute('list')")
        #expect(try await value("r.getSession().getAttribute('list')") == "null")
    }

    @Test("A call that did not come over the network has no request")
    func withoutRequest() async throws {
        let project = try await TestProject("function run() { return { is: WL.Server.getClientRequest() === null } }")
        #expect(await project.call() == #"{"isSuccessful":true,"is":true}"#)
    }

    @Test("A request's method called on something else is an error, not a crash")
    func wrongReceiver() async throws {
        let message = try await value("r.getHeader.call({}, 'x')")
        #expect(message.contains("getHeader: call it on the result of getClientRequest()"))
    }

    @Test("Response headers go with the response, in their order")
    func headers() async throws {
        let project = try await TestProject(
            "function run() { WL.Server.addResponseHeader('Expires', 0); WL.Server.addResponseHeader('X-A', 'b') }")
        let result = await project.runtime.invoke(adapter: "A", procedure: "run", parameters: "")
        #expect(result.headers.map { "\($0.name): \($0.value)" } == ["Expires: 0", "X-A: b"])
    }

    @Test("A response header cannot smuggle in another one")
    func injection() async throws {
        let project = try await TestProject("function run(n, v) { WL.Server.addResponseHeader(n, v) }")
        #expect(await project.call(#"["X","a\r\nSet-Cookie: b"]"#).contains("has a line break"))
        #expect(await project.call(#"["X: y","a"]"#).contains("expected a header's name first"))
        #expect(await project.call(#"["X",null]"#).contains("the value of 'X' must not be null"))
    }
}
