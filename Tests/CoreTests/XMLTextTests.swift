import Core
import Testing

@Suite("Escaping in XML")
struct XMLTextTests {
    @Test(
        "A string is escaped for content and for quotes",
        arguments: [
            ("a<b>&\"c\"'d'", "a&lt;b&gt;&amp;&quot;c&quot;&apos;d&apos;"), ("]]>", "]]&gt;"),
            ("a\tb\nc\r\nd", "a&#9;b&#10;c&#13;&#10;d"), ("\u{0}\u{1B}\u{FFFE}", "\u{FFFD}\u{FFFD}\u{FFFD}"),
            ("é😀\"\u{301}", "é😀&quot;\u{301}"),
        ])
    func escaping(text: String, escaped: String) {
        #expect(text.escapedForXML == escaped)
    }
}
