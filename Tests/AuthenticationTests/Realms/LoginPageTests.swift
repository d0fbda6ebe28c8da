import Testing

@testable import Authentication

@Suite("Login pages")
struct LoginPageTests {
    @Test("The error goes where the page has its slot, escaped")
    func error() throws {
        let page = try #require(LoginPage(template: "<form action='j_security_check'><b>${errorMessage}</b></form>"))
        #expect(page.html(error: #"<b> & "x" 'y'"#).contains("<b>&lt;b&gt; &amp; &quot;x&quot; &#39;y&#39;</b>"))
        #expect(page.html().contains("<b></b>"))
    }

    @Test("A page without a slot stays as it is")
    func noSlot() throws {
        let template = "<form action='j_security_check'></form>"
        #expect(try #require(LoginPage(template: template)).html(error: "x").hasPrefix(template))
    }

    @Test("Further slots stay empty")
    func twoSlots() throws {
        let page = try #require(LoginPage(template: "j_security_check ${errorMessage}-${errorMessage}."))
        #expect(page.html(error: "x") == "j_security_check x-.")
    }

    @Test(
        "A page that clients would not recognize is refused",
        arguments: ["", "<form action='login'>", "J_SECURITY_CHECK"])
    func unknown(template: String) {
        #expect(LoginPage(template: template) == nil)
    }

    @Test("The standard page is recognized by clients, and has the fields that they fill")
    func standard() {
        let html = LoginPage.standard.html(error: "No.")
        for part in [#"action="j_security_check""#, #"name="j_username""#, #"name="j_password""#, "No."] {
            #expect(html.contains(part))
        }
    }

    @Test(
        "Characters that combine with their neighbours are escaped as well",
        arguments: [
            ("\"\u{301}", "&quot;\u{301}"), ("<\u{338}", "&lt;\u{338}"), ("\u{600}<", "\u{600}&lt;"),
            ("'\u{200D}", "&#39;\u{200D}"), ("&\u{20DD}", "&amp;\u{20DD}"),
        ])
    func combining(text: String, escaped: String) {
        #expect(Array(text.escapedForHTML.unicodeScalars) == Array(escaped.unicodeScalars))
    }
}
