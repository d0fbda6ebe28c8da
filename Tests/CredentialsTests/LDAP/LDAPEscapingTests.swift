import Testing

@testable import Credentials

@Suite("Names inside distinguished names and filters")
struct LDAPEscapingTests {
    @Test(
        "Special characters are escaped in a distinguished name",
        arguments: [
            ("bob", "bob"), ("a,b+c", #"a\,b\+c"#), (#"\"<>;="#, #"\\\"\<\>\;\="#), ("#1#", "\\#1#"),
            (" a ", #"\ a\ "#),
            (" ", #"\ "#), ("a\0b", #"a\00b"#), ("a\nb", #"a\0ab"#), ("zoë 🐘", "zoë 🐘"), ("", ""),
            ("\r\n", #"\0d\0a"#),
        ])
    func distinguishedName(text: String, expected: String) {
        #expect(LDAPEscaping.distinguishedNameValue(text) == expected)
    }

    @Test(
        "Special characters are escaped in a filter",
        arguments: [
            ("bob", "bob"), ("*)(uid=*", #"\2a\29\28uid=\2a"#), (#"\2a"#, #"\5c2a"#), ("a\0b", #"a\00b"#),
            ("zoë 🐘", "zoë 🐘"), ("*\u{301}", "\\2a\u{301}"),
        ])
    func filter(text: String, expected: String) {
        #expect(LDAPEscaping.filterValue(text) == expected)
    }
}
