import Testing

@testable import Push

@Suite("A service's words")
struct ServiceReasonTextTests {
    @Test(
        "They are one line without control characters",
        arguments: [
            ("a\nb\r\n  c\t", "a b c"), ("\u{1B}[31mred\u{0}", "[31mred"), ("", ""), ("Grüße 😀", "Grüße 😀"),
        ])
    func line(text: String, expected: String) {
        #expect(ServiceReasonText(text).description == expected)
    }

    @Test("A long reason is cut off")
    func long() {
        #expect(
            ServiceReasonText(String(repeating: "x", count: 1000)).description == String(repeating: "x", count: 200)
                + "…")
    }

    @Test("Secrets are replaced, also at the cut")
    func secrets() {
        let text = String(repeating: "x", count: 195) + "s3cr3t-s3cr3t"
        let words = ServiceReasonText(text, hiding: [("s3cr3t", "…"), ("", "!")]).description
        #expect(words == String(repeating: "x", count: 195) + "…-…")
    }
}
