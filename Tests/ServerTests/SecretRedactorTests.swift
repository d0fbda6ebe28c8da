import Logging
import Testing

@testable import Management

@Suite("Secrets in the log")
struct SecretRedactorTests {
    @Test("each occurrence is replaced, in the message and in the fields")
    func everywhere() {
        let redactor = SecretRedactor(secrets: ["secret-one", "geheim-ü-zwei"])
        let line = LogLine(
            time: "T", level: .error, adapter: "A", message: "secret-one, then geheim-ü-zwei, secret-one",
            metadata: ["reason": "not geheim-ü-zwei"])
        let redacted = redactor.redacted(line)
        #expect(redacted.message == "[redacted], then [redacted], [redacted]")
        #expect(redacted.metadata == ["reason": "not [redacted]"])
        #expect(redacted.time == "T" && redacted.level == .error && redacted.adapter == "A")
    }

    @Test("the longest of several secrets with the same beginning is replaced whole")
    func longest() {
        let redactor = SecretRedactor(secrets: ["secret", "secret-two"])
        #expect(redactor.redacted("a secret-two and a secret") == "a [redacted] and a [redacted]")
    }

    @Test("a beginning of a secret is not redacted")
    func beginning() {
        let redactor = SecretRedactor(secrets: ["secret-two"])
        #expect(redactor.redacted("a secret-t") == "a secret-t")
        #expect(redactor.redacted("ssecret-two") == "s[redacted]")
    }

    @Test("a secret is found as JSON and as URLs spell it")
    func spellings() {
        let redactor = SecretRedactor(secrets: [#"pa"ss\wörd/1"#])
        for text in [#"pa"ss\wörd/1"#, #"pa\"ss\\wörd/1"#, "pa%22ss%5Cw%C3%B6rd%2F1", "pa%22ss%5cw%c3%b6rd%2f1"] {
            #expect(redactor.redacted("a \(text).") == "a [redacted].")
        }
    }

    @Test("secrets of fewer than six characters are not searched")
    func short() {
        let redactor = SecretRedactor(secrets: ["error", ""])
        #expect(redactor.redacted("an error") == "an error")
    }
}
