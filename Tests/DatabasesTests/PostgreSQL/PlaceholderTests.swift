import Testing

@testable import Databases

@Suite("PostgreSQL's placeholders")
struct PlaceholderTests {
    @Test(
        "A question mark becomes a numbered placeholder only where SQL means one",
        arguments: [
            ("a = ? AND b = ?", "a = $1 AND b = $2", 2), ("'?' || ?", "'?' || $1", 1),
            ("'it''s ?' ?", "'it''s ?' $1", 1),
            (#"E'\'?' ?"#, #"E'\'?' $1"#, 1), (#"'\' ?"#, #"'\' $1"#, 1), (#""a?""b?" ?"#, #""a?""b?" $1"#, 1),
            ("-- ?\n?", "-- ?\n$1", 1), ("/* ? /* ? */ ? */ ?", "/* ? /* ? */ ? */ $1", 1),
            ("$$ ? $$ ?", "$$ ? $$ $1", 1),
            ("$a$ ? $$ ? $a$ ?", "$a$ ? $$ ? $a$ $1", 1), ("a ?? b", "a ? b", 0), ("a ??| ?", "a ?| $1", 1),
            ("LIMIT ?OFFSET ?", "LIMIT $1 OFFSET $2", 2), ("LIMIT?", "LIMIT $1", 1), ("?::int", "$1::int", 1),
            ("'open ?", "'open ?", 0), ("/* open ?", "/* open ?", 0), ("$$ open ?", "$$ open ?", 0),
            ("a$b$ ?", "a$b$ $1", 1),
            ("1 - ? - -?", "1 - $1 - -$2", 2), ("'é' ?", "'é' $1", 1), ("", "", 0),
        ])
    func translation(sql: String, expected: String, count: Int) {
        let translated = PostgreSQLPlaceholders(sql)
        #expect(String(decoding: translated.text, as: UTF8.self) == expected)
        #expect(translated.count == count)
    }
}
